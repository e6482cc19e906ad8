// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process that handles calls: one thread per listener, so that a slow call
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
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/fds.h"

#define WAKE_MS		20	/* time until a thread that is to end is woken again */
#define RETRY_MS	500	/* time until a thread that lacked memory is tried again */
#define START_ONCE	32	/* threads that are started between two looks at events */

/* The source of an event: the listener of a slot, by its number, or the monitor. */
enum { FROM_MONITOR = STATE_SLOTS, MONITOR_GONE };

/*
 * Values in place of the descriptor of a listener that waits for a thread: no listener
 * waits; its descriptor found no room here; the monitor has been asked for it again.
 */
enum { NONE = -1, MISSING = -2, ASKED = -3 };

static struct {
	struct state *state;
	struct peer monitor;
	int epoll;
	struct listener_thread *thread[STATE_SLOTS];	/* but for those that are to end */
	struct listener_thread *ending;
	unsigned int threads;	/* of both */
	u32 next;	/* slot of the next inherited listener that is to have a thread */
	int waiting[STATE_SLOTS];	/* listeners without a thread, or NONE... */
	unsigned int waits;	/* listeners without a thread */
	u64 retry_ms;		/* when those were tried last */
} worker;

static int watch_fd(int fd, unsigned int events, u32 what)
{
	struct epoll_event event = { .events = events, .data.u32 = what };
	int ret = epoll_ctl(worker.epoll, EPOLL_CTL_ADD, fd, &event);

	if (ret && errno == EEXIST)
		ret = epoll_ctl(worker.epoll, EPOLL_CTL_MOD, fd, &event);
	return ret ? -errno : 0;
}

static void unwatch_fd(int fd)
{
	epoll_ctl(worker.epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* Return: 0, or negative errno: the listener goes on waiting. */
static int start_listener_thread(u32 index)
{
	int fd = worker.waiting[index];
	struct listener_thread *thread;
	/* No events but that the last process under the filter has gone. */
	int ret = watch_fd(fd, 0, index);

	if (ret)
		return ret;
	thread = listener_thread_start(worker.state, index, fd);
	if (!thread) {
		ret = -errno;
		unwatch_fd(fd);
		return ret;
	}
	worker.thread[index] = thread;
	worker.threads++;
	worker.waiting[index] = NONE;
	worker.waits--;
	return 0;
}

/*
 * Start a thread for a listener. Without memory, or processes left for a thread, or a
 * descriptor, the listener waits, and its container with it. Nobody else does.
 */
static void accept_listener(u32 index, int fd)
{
	worker.waits += worker.waiting[index] == NONE;
	worker.waiting[index] = fd;
	worker.state->slot[index].fd = fd;
	worker.state->slot[index].waiting = fd < 0 || start_listener_thread(index);
}

/* Tell the monitor, which frees the slot; without a monitor free it here. */
static void report_end(u32 index)
{
	if (!worker.monitor.pid)
		slot_free(worker.state, index);
	else
		fd_send(worker.monitor.sock, &index, sizeof(index), -1);
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

static void ask_monitor_for(u32 index)
{
	u32 question = index | MONITOR_AGAIN;

	if (worker.monitor.pid &&
	    !fd_send(worker.monitor.sock, &question, sizeof(question), -1))
		worker.waiting[index] = ASKED;
}

/* A listener that waited until its container had gone needs no thread. */
static void retry_slot(u32 index)
{
	int fd = worker.waiting[index];

	if (fd == MISSING) {
		ask_monitor_for(index);
	} else if (fd >= 0 && listener_thread_is_over(fd)) {
		unwatch_fd(fd);	/* the monitor has it open still */
		close(fd);
		worker.waiting[index] = NONE;
		worker.waits--;
		report_end(index);
	} else if (fd >= 0) {
		worker.state->slot[index].waiting = start_listener_thread(index);
	}
}

/* Goes by the clock, for events of other listeners may never cease. */
static void retry_slots(void)
{
	u64 now = worker.waits ? clock_ms() : 0;
	u32 i;

	if (!worker.waits || now < worker.retry_ms + RETRY_MS)
		return;
	worker.retry_ms = now;
	for (i = 0; worker.waits && i < STATE_SLOTS; i++)
		retry_slot(i);
}

static void stop_listener_thread(u32 index)
{
	struct listener_thread *thread = worker.thread[index];

	if (!thread)
		return;
	unwatch_fd(thread->fd);
	worker.thread[index] = NULL;
	thread->next = worker.ending;
	worker.ending = thread;
	thread->over = true;
}

/* An event of a listener: without a thread a call, or its end; with one its end. */
static void serve_listener(u32 index)
{
	if (worker.waiting[index] == NONE)
		stop_listener_thread(index);
	else
		retry_slot(index);
}

/* The worker has the monitor's descriptors until it has lost the monitor. */
static int watch_monitor(const struct peer *monitor)
{
	int ret = watch_fd(monitor->pidfd, EPOLLIN, MONITOR_GONE);

	if (!ret)
		ret = watch_fd(monitor->sock, EPOLLIN, FROM_MONITOR);
	if (!ret)
		worker.monitor = *monitor;
	return ret;
}

/* Listeners that only the monitor had are lost with it. */
static void forget_missing(void)
{
	u32 i;

	for (i = 0; i < STATE_SLOTS; i++) {
		if (worker.waiting[i] != MISSING && worker.waiting[i] != ASKED)
			continue;
		worker.waiting[i] = NONE;
		worker.waits--;
	}
}

static void lose_monitor(void)
{
	peer_close(&worker.monitor);
	forget_missing();
}

/* Takes a message of the monitor: a slot's index with its listener, or MONITOR_QUESTION. */
static void take_monitor_message(void)
{
	size_t fds;
	u32 index;
	int fd;
	ssize_t n = fd_receive(worker.monitor.sock, &index, sizeof(index), &fd, 1, &fds);

	if (n == -EMSGSIZE)
		accept_listener(index, MISSING);
	else if (n != sizeof(index))
		return;		/* the pidfd says that the monitor has died */
	else if (fds)
		accept_listener(index, fd);
	else if (index == MONITOR_QUESTION)
		fd_send(worker.monitor.sock, &index, sizeof(index), -1);
	else if (index < STATE_SLOTS)
		stop_listener_thread(index);
}

/* Takes a listener that has no thread yet: whose container calls has one first. */
static void inherit_listener(u32 index, int fd)
{
	if (worker.state->slot[index].request.id) {
		accept_listener(index, fd);
		return;
	}
	worker.waits++;
	worker.waiting[index] = fd;
	worker.state->slot[index].fd = fd;
	watch_fd(fd, EPOLLIN, index);	/* without memory for it, it has its turn */
}

static void inherit_listeners(const struct monitor *monitor)
{
	u32 i;

	for (i = 0; i < STATE_SLOTS; i++)
		worker.waiting[i] = NONE;
	for (i = 0; i < STATE_SLOTS; i++)
		if (monitor->fd[i] >= 0)
			inherit_listener(i, monitor->fd[i]);
	worker.retry_ms = clock_ms();
}

/* Starts some of the threads that nobody waits for, while nobody wants anything else. */
static void start_some(void)
{
	unsigned int n = 0;

	for (; worker.next < STATE_SLOTS && n < START_ONCE; worker.next++) {
		if (worker.waiting[worker.next] < 0)
			continue;
		retry_slot(worker.next);
		n++;
	}
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

static int wait_for_event(struct epoll_event *event)
{
	int ms = worker.next < STATE_SLOTS ? 0 :
		 worker.ending ? WAKE_MS :
		 worker.waits ? RETRY_MS : -1;

	return epoll_wait(worker.epoll, event, 1, ms);
}

static int prepare_worker(const struct monitor *monitor, const struct peer *peer)
{
	unsigned int all;
	int ret;

	leave_terminal();
	default_signals();
	ret = monitor_close_others(monitor, peer);
	if (ret)
		return ret;
	worker.state = monitor->state;
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
	return ret ? ret : watch_monitor(peer);
}

/*
 * Is the worker, in a process that has just been forked: @monitor, a copy of the parent's,
 * says what was inherited. Ends when there is nothing left to do and nobody to wait for.
 */
noreturn void worker_run(const struct monitor *monitor, const struct peer *peer)
{
	struct epoll_event event;
	int ret = prepare_worker(monitor, peer);

	if (ret)
		_exit(-ret);	/* the monitor reports it */
	inherit_listeners(monitor);
	while (worker.threads || worker.waits || worker.monitor.pid) {
		ret = wait_for_event(&event);
		if (ret == 1 && event.data.u32 == FROM_MONITOR)
			take_monitor_message();
		else if (ret == 1 && event.data.u32 == MONITOR_GONE)
			lose_monitor();
		else if (ret == 1)
			serve_listener(event.data.u32);
		else
			start_some();
		retry_slots();
		reap_listener_threads();
	}
	_exit(0);	/* not exit(): buffered output is the monitor's */
}
