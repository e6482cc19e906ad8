// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread for the calls of one listener.
 */
#include <errno.h>
#include <limits.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/fds.h"

/* 6.6: the caller wakes who handles its call on its own CPU, and back. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS		SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP	(1UL << 0)
#endif

/*
 * A call takes 3 KiB of stack, 1 KiB of them for the numbers of a question. No thread
 * may have less than PTHREAD_STACK_MIN, which is 128 KiB on arm64.
 */
#define STACK	(PTHREAD_STACK_MIN > 64 * 1024 ? PTHREAD_STACK_MIN : 64 * 1024)

static void wake_up(int signal)
{
	(void)signal;	/* It only has to interrupt a system call. */
}

/* The slot whose call this thread handles; NULL between two calls. */
static _Thread_local struct slot *in_hand;

/*
 * A deadly signal from the kernel, or from abort(), is this thread's own doing:
 * then its call is one that kills workers. A worker that somebody else kills says
 * nothing of the calls it had in hand.
 */
static void count_death(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (in_hand && (info->si_code > 0 || info->si_pid == getpid()))
		in_hand->tries++;
	raise(signal);		/* SA_RESETHAND: die of it */
}

/* The worker, for threads that get their listener from it: see unshare_descriptors(). */
static int self = -1;

/* Return: 0 or negative errno. The lower the number of its descriptor, the less is copied. */
int listener_thread_init(void)
{
	static const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	struct sigaction wake = { .sa_handler = wake_up };
	struct sigaction death = {
		.sa_sigaction = count_death,
		.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER,
	};
	size_t i;

	sigaction(SIGUSR1, &wake, NULL);
	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		sigaction(deadly[i], &death, NULL);
	self = (int)syscall(SYS_pidfd_open, getpid(), 0);
	return self < 0 ? -errno : 0;
}

/* Has the last process under the listener's filter gone? */
bool listener_thread_is_over(int fd)
{
	struct pollfd poll_fd = { .fd = fd };

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLHUP;
}

/* Return: false if no call will come any more. */
static bool receive_call(struct listener_thread *thread, struct slot *slot)
{
	for (;;) {
		if (!ioctl(thread->caller.listener, SECCOMP_IOCTL_NOTIF_RECV, &slot->request))
			return true;
		/*
		 * ENOENT: the caller was killed first, or (6.11) the last one
		 * under the filter has gone.
		 */
		if (thread->over || listener_thread_is_over(thread->caller.listener))
			return false;
		if (errno != EINTR && errno != ENOENT)
			usleep(1000);	/* the kernel lacks memory: that passes */
	}
}

/*
 * The number of calls of one thread in a row after which it counts as alone. To wake
 * each other on one CPU halves what a call costs a single thread (H200: +3 us instead
 * of +10), and ruins several: each answer pulls its caller to our CPU, until all of
 * them share it (4 threads that compute 50 us between calls took 4.0 times as long, 8
 * threads 7.7 times; without it, 1.2 times). So only while one thread calls alone.
 */
#define ALONE	16

static void choose_wakeup(struct listener_thread *thread, u32 tid)
{
	bool sync;

	if (tid != thread->last)
		thread->in_row = 0;
	else if (thread->in_row < ALONE)
		thread->in_row++;
	thread->last = tid;
	sync = thread->in_row == ALONE;
	if (sync == thread->sync)
		return;
	thread->sync = sync;
	/* Linux before 6.6 refuses that, and wakes up the plain way. */
	ioctl(thread->caller.listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
	      sync ? SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP : 0UL);
}

/* Pages kept between calls: with a hundred containers, worth some page faults. */
#define KEEP	(16 * 1024)

static void release_pages(struct call_context *context)
{
	if (context->touched <= KEEP)
		return;
	madvise(context->memory, CALL_SCRATCH, MADV_DONTNEED);
	context->touched = 0;
}

/*
 * Answers a call. A request found in the slot is one that a worker had in hand when it
 * died. It may have been answered: then the kernel says so, before anything is done
 * about it. A request that has killed two workers is not handled again; since nobody
 * knows what it asks for, it is refused.
 */
static void answer_call(struct listener_thread *thread, struct slot *slot)
{
	struct seccomp_notif_resp response = { .id = slot->request.id };
	int ret;

	if (slot->tries > 1) {
		response.error = -EPERM;
	} else {
		in_hand = slot;
		call_handle(&thread->context, &slot->request, &response);
		in_hand = NULL;
	}
	do {
		ret = ioctl(thread->caller.listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
	} while (ret && errno == EINTR);
	slot->abandoned += !ret && slot->tries > 1;
	release_pages(&thread->context);
	atomic_store(&slot->tries, 0);
	memset(slot->room, 0, sizeof(slot->room));
}

/*
 * Give this thread a table of descriptors of its own, with its listener alone. If
 * a container holds the thread in the kernel, by a file system of its own, and the
 * worker is killed, this table is what stays open: nothing of any other container.
 * Without memory for it the table stays shared. The kernel copies none of thousands of
 * listeners: the thread gets its own afterwards, from the worker's table.
 */
static void unshare_descriptors(struct listener_thread *thread)
{
	int fd;

	if (fd_close_range((unsigned int)self + 1, ~0u, CLOSE_RANGE_UNSHARE))
		return;
	/* First, since the new one may have any number that is free. */
	if (self > STDERR_FILENO + 1)
		fd_close_range(STDERR_FILENO + 1, (unsigned int)self - 1, 0);
	while ((fd = (int)syscall(SYS_pidfd_getfd, self, thread->fd, 0)) < 0)
		usleep(1000);	/* the limit of descriptors was lowered: that passes */
	close(self);
	thread->caller.listener = fd;
}

/* The name of the container may come after its first calls: see slot_set_name(). */
static void join_budget(struct listener_thread *thread)
{
	struct budget *named;

	if (thread->budget->name[0] ||
	    !__atomic_load_n(thread->context.slot->name, __ATOMIC_ACQUIRE))
		return;
	named = budget_join(thread->context.slot->name, thread->budget->percent);
	if (!named)
		return;
	budget_leave(thread->budget);
	thread->budget = named;
}

/* A container pays for the CPU time that it takes: with its own latency. */
static void rest_over_budget(struct listener_thread *thread)
{
	u64 now = clock_ns(), cpu, rest;
	struct timespec ts;

	if (now - thread->charged < BUDGET_PERIOD)
		return;
	join_budget(thread);
	cpu = clock_thread_ns();
	rest = budget_charge(thread->budget, now, cpu - thread->cpu);
	thread->charged = now;
	thread->cpu = cpu;
	ts.tv_sec = (time_t)(rest / 1000000000);
	ts.tv_nsec = (long)(rest % 1000000000);
	if (rest)
		nanosleep(&ts, NULL);	/* listener_thread_wake() ends it */
}

static void *run_listener_thread(void *arg)
{
	struct listener_thread *thread = arg;
	struct slot *slot = thread->context.slot;

	unshare_descriptors(thread);
	if (slot->request.id)
		answer_call(thread, slot);
	/* The kernel wants zeroes; the worker before us may have left something. */
	memset(slot->room, 0, sizeof(slot->room));
	while (receive_call(thread, slot)) {
		choose_wakeup(thread, slot->request.pid);
		atomic_store_explicit(&slot->calls, slot->calls + 1, memory_order_relaxed);
		answer_call(thread, slot);
		rest_over_budget(thread);
	}
	caller_forget(&thread->caller);
	thread->ended = true;
	return NULL;
}

static int start_thread(struct listener_thread *thread)
{
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);

	if (err)
		return err;
	err = pthread_attr_setstacksize(&attr, STACK);
	if (!err)
		err = pthread_create(&thread->id, &attr, run_listener_thread, thread);
	pthread_attr_destroy(&attr);
	return err;
}

/* Takes @fd over. Return: NULL and errno. */
struct listener_thread *listener_thread_start(struct state *state, u32 index, int fd)
{
	struct listener_thread *thread = calloc(1, sizeof(*thread));
	struct call_memory *memory;

	if (!thread)
		return NULL;
	memory = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		goto free_thread;
	/* The agent may be writing the name: see join_budget(). */
	thread->budget = budget_join("", state->cpu_percent);
	if (!thread->budget)
		goto free_memory;
	thread->fd = fd;
	thread->index = index;
	thread->sync = true;	/* a worker before us may have left it on */
	thread->caller.listener = fd;
	thread->caller.denied = &state->denied;
	thread->context = (struct call_context){
		.slot = &state->slot[index],
		.memory = memory,
		.caller = &thread->caller,
		.pass_unknown = state->pass_unknown,
	};
	errno = start_thread(thread);
	if (!errno)
		return thread;
	budget_leave(thread->budget);
free_memory:
	munmap(memory, sizeof(*memory));
free_thread:
	free(thread);
	return NULL;
}

/* Interrupts a thread that waits for a call, to see that it is over. */
void listener_thread_wake(struct listener_thread *thread)
{
	pthread_kill(thread->id, SIGUSR1);
}

void listener_thread_end(struct listener_thread *thread)
{
	pthread_join(thread->id, NULL);
	budget_leave(thread->budget);
	munmap(thread->context.memory, sizeof(*thread->context.memory));
	close(thread->fd);
	free(thread);
}
