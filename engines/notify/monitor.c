// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process that keeps the listeners while workers come and go.
 *
 * A listener that nobody has open makes every call under its filter fail with
 * ENOSYS; one that is open and not listened to lets them wait. So monitor and
 * worker each hold all of them: the monitor replaces a worker that dies, and a worker serves
 * on until another monitor takes over.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "lib/fds.h"

#define PAUSE_MIN_MS	10
#define PAUSE_MAX_MS	1000
#define RETRY_US	10000	/* time until poll() is tried again */
#define KILLED_MS	1000	/* time to wait for a killed worker */
#define LEAVE_MS	1000	/* time to wait for one that is to serve on */

static void tell_changed(struct monitor *monitor, u32 index)
{
	if (monitor->changed)
		monitor->changed(index);
}

static void free_slot(struct monitor *monitor, u32 index)
{
	close(monitor->fd[index]);
	monitor->fd[index] = -1;
	slot_free(monitor->state, index);
	tell_changed(monitor, index);
}

/* Frees the slots that a worker is done with. */
static void free_ended(struct monitor *monitor)
{
	eventfd_t times;
	u32 i;

	eventfd_read(monitor->wake, &times);
	for (i = 0; i < STATE_SLOTS; i++)
		if (monitor->state->news[i] == NEWS_ENDED && monitor->fd[i] >= 0)
			free_slot(monitor, i);
}

/* Writes the numbers by which the next agent finds the listeners in a worker left behind. */
static void write_numbers(struct monitor *monitor)
{
	int i;

	for (i = 0; i < STATE_SLOTS; i++) {
		if (monitor->fd[i] < 0)
			continue;
		monitor->state->slot[i].fd = monitor->fd[i];
		monitor->state->used[i] = true;
	}
}

static int open_pidfd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

static int fork_worker(struct monitor *monitor)
{
	int self = open_pidfd(getpid());	/* opened before this process can die */
	pid_t pid;
	int ret;

	if (self < 0)
		return self;
	free_ended(monitor);
	write_numbers(monitor);
	pid = fork();
	ret = pid < 0 ? -errno : 0;
	if (!pid) {
		monitor->pidfd = self;
		monitor->work(monitor);
		_exit(0);
	}
	close(self);
	if (ret)
		return ret;
	monitor->pidfd = open_pidfd(pid);
	if (monitor->pidfd < 0) {
		kill(pid, SIGKILL);	/* nobody would learn of its death */
		waitpid(pid, NULL, 0);
		return monitor->pidfd;
	}
	monitor->worker = pid;
	monitor->start_ms = clock_ms();
	monitor->state->worker = pid;
	return 0;
}

void monitor_init(struct monitor *monitor, void (*work)(const struct monitor *monitor))
{
	int i;

	memset(monitor, 0, sizeof(*monitor));
	monitor->work = work;
	for (i = 0; i < STATE_SLOTS; i++)
		monitor->fd[i] = -1;
	monitor->state_fd = -1;
	monitor->pidfd = -1;
}

/* Starts the first worker, with the listeners so far; a state that was taken over stays. */
int monitor_start(struct monitor *monitor, const struct monitor_options *options)
{
	fd_limit_raise();
	if (!monitor->state)
		monitor->state = state_new(&monitor->state_fd);
	monitor->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	monitor->wake_worker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!monitor->state || monitor->wake < 0 || monitor->wake_worker < 0)
		return -errno;
	monitor->state->cpu_percent = options->cpu_percent;
	monitor->state->pass_unknown = options->pass_unknown;
	return fork_worker(monitor);
}

static int find_slot(const struct monitor *monitor)
{
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (monitor->fd[i] < 0)
			return i;
	return -ENOSPC;
}

/* Takes @fd over, even on error. Return: index of its slot, or negative errno. */
int monitor_add(struct monitor *monitor, int fd)
{
	int i = find_slot(monitor);

	if (i < 0) {
		close(fd);
		return i;
	}
	monitor->fd[i] = fd;
	tell_changed(monitor, (u32)i);
	monitor->state->used[i] = true;
	monitor->state->slot[i].offer = fd;
	monitor->state->news[i] = NEWS_LISTENER;
	eventfd_write(monitor->wake_worker, 1);
	return i;
}

/* Has the worker close a listener, of which it tells like of one that is over. */
void monitor_refuse(struct monitor *monitor, u32 index)
{
	_Atomic u8 *news = &monitor->state->news[index];
	u8 before = *news;

	monitor->state->refused++;
	while (before != NEWS_ENDED && !atomic_compare_exchange_weak(news, &before, NEWS_REFUSED))
		;
	eventfd_write(monitor->wake_worker, 1);
}

/* Does the worker's main thread answer? Its other threads may hang for all that. */
bool monitor_ask(struct monitor *monitor, int ms)
{
	u32 question = ++monitor->state->question;
	u64 now, until = clock_ms() + (u64)ms;
	struct pollfd polls[] = {
		{ .fd = monitor->pidfd, .events = POLLIN },
		{ .fd = monitor->wake, .events = POLLIN },
	};

	if (!monitor->worker)
		return false;
	eventfd_write(monitor->wake_worker, 1);
	while (monitor->state->answer != question && (now = clock_ms()) < until) {
		if (poll(polls, 2, (int)(until - now)) <= 0)
			continue;
		if (polls[0].revents)
			return false;
		free_ended(monitor);
	}
	return monitor->state->answer == question;
}

static void report_to_owner(const struct monitor *monitor, pid_t worker, const char *why)
{
	if (monitor->died)
		monitor->died(monitor, worker, why);
}

/* A worker exits with an errno; how it ended is known if it was our child. */
static void forget_dead_worker(struct monitor *monitor)
{
	pid_t worker = monitor->worker;
	const char *why = "it ended";
	int status;

	if (waitpid(worker, &status, WNOHANG) == worker)
		why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) :
					    strerror(WEXITSTATUS(status));
	close(monitor->pidfd);
	monitor->pidfd = -1;
	monitor->worker = 0;
	monitor->state->worker = 0;
	monitor->state->restarts++;
	if (clock_ms() - monitor->start_ms >= PAUSE_MAX_MS)
		monitor->delay_ms = 0;
	report_to_owner(monitor, worker, why);
}

/* Start a worker, after a pause if the one before has not lived long. */
static void start_next_later(struct monitor *monitor)
{
	unsigned int ms = monitor->delay_ms;

	monitor->start_ms = clock_ms() + ms;
	monitor->delay_ms = !ms ? PAUSE_MIN_MS : ms < PAUSE_MAX_MS / 2 ? 2 * ms : PAUSE_MAX_MS;
}

static void start_next(struct monitor *monitor)
{
	int ret = fork_worker(monitor);

	if (!ret)
		return;
	report_to_owner(monitor, 0, strerror(-ret));
	start_next_later(monitor);
}

static void serve_worker(struct monitor *monitor, const struct pollfd *polls)
{
	if (polls[0].revents) {
		forget_dead_worker(monitor);
		start_next_later(monitor);
	} else if (polls[1].revents) {
		free_ended(monitor);
	} else if (!monitor->worker && clock_ms() >= monitor->start_ms) {
		start_next(monitor);
	}
}

/* Returns @ms, as of poll(), but no longer than until a worker is to be started. */
static int limit_wait(const struct monitor *monitor, int ms)
{
	u64 now = clock_ms();
	int left = now < monitor->start_ms ? (int)(monitor->start_ms - now) : 0;

	return monitor->worker || (ms >= 0 && ms < left) ? ms : left;
}

/*
 * Polls @n of @polls, of which the first MONITOR_POLLS are the monitor's to fill in, and
 * does what the worker calls for: starts another, frees slots. It is never given up:
 * without a worker the calls of all containers wait. Return: false: poll() has failed this
 * time, and @polls says nothing.
 */
bool monitor_wait(struct monitor *monitor, struct pollfd *polls, nfds_t n, int ms)
{
	polls[0] = (struct pollfd){ .fd = monitor->pidfd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = monitor->wake, .events = POLLIN };
	if (poll(polls, n, limit_wait(monitor, ms)) >= 0) {
		serve_worker(monitor, polls);
		return true;
	}
	if (errno != EINTR) {
		/* EINVAL: more descriptors than RLIMIT_NOFILE, if that was lowered. */
		fd_limit_raise();
		usleep(RETRY_US);
	}
	return false;
}

unsigned int monitor_listeners(const struct monitor *monitor)
{
	unsigned int n = 0;
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		n += monitor->fd[i] >= 0;
	return n;
}

/* Leaves the listeners to their worker. Return: negative errno: none can be started. */
int monitor_leave(struct monitor *monitor)
{
	struct pollfd dead = { .fd = monitor->pidfd, .events = POLLIN };

	/* When the worker answers, it has taken all listeners. */
	monitor_ask(monitor, LEAVE_MS);
	if (monitor->worker && poll(&dead, 1, 0) == 1)
		forget_dead_worker(monitor);
	return monitor->worker ? 0 : fork_worker(monitor);
}

/*
 * Ends the worker, and waits no longer than a second: a container's own file system may
 * hold a thread of it.
 */
void monitor_stop(struct monitor *monitor)
{
	struct pollfd dead = { .fd = monitor->pidfd, .events = POLLIN };

	if (!monitor->worker)
		return;
	kill(monitor->worker, SIGKILL);
	if (poll(&dead, 1, KILLED_MS) == 1)
		waitpid(monitor->worker, NULL, WNOHANG);
}
