// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process that handles calls: one thread per listener that has called, so that a slow call
 * of one container delays nobody else's.
 *
 * It may be killed at any time. Listeners and the call being handled are safe
 * with the monitor and in struct state; the next worker goes on from there. If the
 * monitor is killed, the worker serves on, until the next agent takes over or all have ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/fds.h"

#define WAKE_MS		20	/* time until a thread that is to end is woken again */
#define RETRY_MS	500	/* time until a thread that lacked memory is tried again */

/* The source of an event: the listener of a slot, by its number, or the monitor. */
enum { FROM_MONITOR = STATE_SLOTS, MONITOR_GONE };

/* In place of the descriptor of a listener without a thread: there is none, or it has one. */
enum { NONE = -1, HAS_THREAD = -2 };

static struct {
	struct state *state;
	int monitor;	/* pidfd; -1: it has died */
	int wake, wake_monitor;	/* eventfds: see struct monitor */
	int epoll;
	struct listener_thread *thread[STATE_SLOTS];	/* but for those that are to end */
	struct listener_thread *ending;
	unsigned int threads;	/* of both */
	int waiting[STATE_SLOTS];	/* listeners without a thread, NONE or HAS_THREAD */
	unsigned int waits;	/* listeners without a thread */
	bool lacks;	/* one of these has called, and found no memory for a thread */
	unsigned int owed;	/* listeners that found no room here yet */
	u64 retry_ms;		/* when those were tried last */
} worker;

static int watch_fd(int op, int fd, unsigned int events, u32 what)
{
	struct epoll_event event = { .events = events, .data.u32 = what };

	return epoll_ctl(worker.epoll, op, fd, &event) ? -errno : 0;
}

/* Return: 0, or negative errno: the listener goes on waiting. */
static int start_listener_thread(u32 index)
{
	int fd = worker.waiting[index];
	struct listener_thread *thread;
	/* No events but that the last process under the filter has gone. */
	int ret = watch_fd(EPOLL_CTL_MOD, fd, 0, index);

	if (ret == -ENOENT)
		ret = watch_fd(EPOLL_CTL_ADD, fd, 0, index);
	if (ret)
		return ret;
	thread = listener_thread_start(worker.state, index, fd);
	if (!thread) {
		ret = -errno;
		watch_fd(EPOLL_CTL_DEL, fd, 0, 0);
		return ret;
	}
	worker.thread[index] = thread;
	worker.threads++;
	worker.waiting[index] = HAS_THREAD;
	worker.waits--;
	return 0;
}

/*
 * Starts a thread for a listener. Without memory, or processes left for a thread, the
 * listener waits, and its container with it. Nobody else does.
 */
static void start_waiting(u32 index)
{
	worker.state->slot[index].waiting = start_listener_thread(index) != 0;
	worker.lacks |= worker.state->slot[index].waiting;
}

/* Has the monitor, or the next one, free a slot, which is another's from then on. */
static void report_end(u32 index)
{
	worker.waiting[index] = NONE;
	worker.state->slot[index].fd = -1;
	worker.state->news[index] = NEWS_ENDED;
	eventfd_write(worker.wake_monitor, 1);
}

static void reap_listener_threads(void)
{
	struct listener_thread **at = &worker.ending, *thread;
	u32 index;

	while ((thread = *at)) {
		if (!thread->ended) {
			listener_thread_wake(thread);
			at = &thread->next;
			continue;
		}
		*at = thread->next;
		index = thread->index;
		worker.threads--;
		listener_thread_end(thread);
		report_end(index);
	}
}

/* Closes a listener without a thread, which the monitor has open still. */
static void drop_listener(u32 index)
{
	watch_fd(EPOLL_CTL_DEL, worker.waiting[index], 0, 0);
	close(worker.waiting[index]);
	worker.waits--;
	report_end(index);
}

/* A listener that waited until its container had gone needs no thread. */
static void retry_slot(u32 index)
{
	int fd = worker.waiting[index];

	if (fd >= 0 && listener_thread_is_over(fd))
		drop_listener(index);
	else if (fd >= 0)
		start_waiting(index);
}

static void stop_listener_thread(u32 index)
{
	struct listener_thread *thread = worker.thread[index];

	if (!thread)
		return;
	watch_fd(EPOLL_CTL_DEL, thread->fd, 0, 0);
	worker.thread[index] = NULL;
	thread->next = worker.ending;
	worker.ending = thread;
	thread->over = true;
}

/* The monitor may have more to say of the slot since: that stays. */
static void forget_news(u32 index, u8 news)
{
	atomic_compare_exchange_strong(&worker.state->news[index], &news, NEWS_NONE);
}

/*
 * Has a listener wait for its first call: most of thousands make none for long. If a worker before
 * had a call of it in hand, or for lack of memory it cannot be watched, it has a thread at once.
 */
static void add_listener(u32 index, int fd)
{
	struct slot *slot = &worker.state->slot[index];

	worker.waits++;
	worker.waiting[index] = fd;
	slot->fd = fd;
	slot->waiting = false;
	if (slot->request.id || watch_fd(EPOLL_CTL_ADD, fd, EPOLLIN, index))
		start_waiting(index);
	forget_news(index, NEWS_LISTENER);
}

/* Takes a listener from the monitor. If there is no room for it, it is tried again. */
static void take_listener(u32 index)
{
	int fd = (int)syscall(SYS_pidfd_getfd, worker.monitor, worker.state->slot[index].offer, 0);

	if (fd >= 0) {
		add_listener(index, fd);
	} else {
		worker.state->slot[index].waiting = true;
		worker.owed++;
	}
}

static void refuse_listener(u32 index)
{
	forget_news(index, NEWS_REFUSED);
	if (worker.waiting[index] == HAS_THREAD)
		stop_listener_thread(index);
	else if (worker.waiting[index] == NONE)
		report_end(index);
	else
		drop_listener(index);
}

static void take_news(void)
{
	eventfd_t times;
	u32 i;

	eventfd_read(worker.wake, &times);
	worker.owed = 0;
	for (i = 0; i < STATE_SLOTS; i++) {
		if (worker.state->news[i] == NEWS_LISTENER)
			take_listener(i);
		else if (worker.state->news[i] == NEWS_REFUSED)
			refuse_listener(i);
	}
	if (worker.state->answer == worker.state->question)
		return;
	worker.state->answer = worker.state->question;
	eventfd_write(worker.wake_monitor, 1);
}

/* Goes by the clock, for events of other listeners may never cease. */
static void retry_slots(void)
{
	bool lacked = worker.lacks;
	u64 now = lacked || worker.owed ? clock_ms() : 0;
	u32 i;

	if (now < worker.retry_ms + RETRY_MS)
		return;
	worker.retry_ms = now;
	worker.lacks = false;
	if (worker.owed)
		take_news();
	for (i = 0; lacked && i < STATE_SLOTS; i++)
		if (worker.state->slot[i].waiting)
			retry_slot(i);
}

/* An event of a listener: without a thread a call, or its end; with one its end. */
static void serve_listener(u32 index)
{
	if (worker.waiting[index] == HAS_THREAD)
		stop_listener_thread(index);
	else
		retry_slot(index);
}

/* The worker serves those it has. */
static void lose_monitor(void)
{
	close(worker.monitor);
	worker.monitor = -1;
	worker.owed = 0;
}

static void inherit_listeners(const struct monitor *monitor)
{
	u32 i;

	for (i = 0; i < STATE_SLOTS; i++)
		worker.waiting[i] = NONE;
	for (i = 0; i < STATE_SLOTS; i++)
		if (monitor->fd[i] >= 0)
			add_listener(i, monitor->fd[i]);
	take_news();	/* a worker that died may have been woken for it */
}

static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	if (chdir("/") || null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
}

static void default_signals(void)
{
	sigset_t none;
	int s;

	for (s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Closes all descriptors but the listeners, the state, and those of struct monitor. */
static int close_others(const struct monitor *monitor)
{
	int keep[STATE_SLOTS + 4];
	size_t n = 0;
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (monitor->fd[i] >= 0)
			keep[n++] = monitor->fd[i];
	keep[n++] = monitor->state_fd;
	keep[n++] = monitor->pidfd;
	keep[n++] = monitor->wake;
	keep[n++] = monitor->wake_worker;
	return fd_close_others(keep, n, 0);
}

static int prepare_worker(const struct monitor *monitor)
{
	unsigned int all;
	int ret;

	leave_terminal();
	default_signals();
	ret = close_others(monitor);
	if (ret)
		return ret;
	worker.state = monitor->state;
	worker.monitor = monitor->pidfd;
	worker.wake = monitor->wake_worker;
	worker.wake_monitor = monitor->wake;
	all = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN) * BUDGET_ALL;
	budget_limit_all(all > worker.state->cpu_percent ? all : worker.state->cpu_percent);
	ret = listener_thread_init();
	if (ret)
		return ret;
	worker.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (worker.epoll < 0)
		return -errno;
	ret = caller_init();
	if (!ret)
		ret = pidns_init();
	if (!ret)
		ret = watch_fd(EPOLL_CTL_ADD, worker.monitor, EPOLLIN, MONITOR_GONE);
	return ret ? ret : watch_fd(EPOLL_CTL_ADD, worker.wake, EPOLLIN, FROM_MONITOR);
}

/*
 * Is the worker, in a process that has just been forked: @monitor, a copy of the parent's,
 * says what was inherited. Ends when there is nothing left to do and nobody to wait for.
 */
noreturn void worker_run(const struct monitor *monitor)
{
	struct epoll_event event;
	int ret = prepare_worker(monitor);

	if (ret)
		_exit(-ret);	/* the monitor reports it */
	inherit_listeners(monitor);
	while (worker.threads || worker.waits || worker.monitor >= 0) {
		ret = epoll_wait(worker.epoll, &event, 1, worker.ending ? WAKE_MS :
				 worker.lacks || worker.owed ? RETRY_MS : -1);
		if (ret == 1 && event.data.u32 == FROM_MONITOR)
			take_news();
		else if (ret == 1 && event.data.u32 == MONITOR_GONE)
			lose_monitor();
		else if (ret == 1)
			serve_listener(event.data.u32);
		retry_slots();
		reap_listener_threads();
	}
	_exit(0);	/* not exit(): buffered output is the monitor's */
}
