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

/* Closes all descriptors but the listeners, the state, and those of the peer. */
int monitor_close_others(const struct monitor *monitor, const struct peer *peer)
{
	int keep[STATE_SLOTS + 3];
	size_t n = 0;
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (monitor->fd[i] >= 0)
			keep[n++] = monitor->fd[i];
	keep[n++] = monitor->state_fd;
	keep[n++] = peer->pidfd;
	keep[n++] = peer->sock;
	return fd_close_others(keep, n, 0);
}

/* Writes the numbers by which the next agent finds the listeners in a worker left behind. */
static void write_numbers(struct monitor *monitor)
{
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (monitor->fd[i] >= 0)
			monitor->state->slot[i].fd = monitor->fd[i];
}

static int fork_worker(struct monitor *monitor)
{
	struct peer peer;
	pid_t pid;

	write_numbers(monitor);
	pid = peer_fork(&peer);
	if (pid < 0)
		return pid;
	if (!pid) {
		monitor->work(monitor, &peer);
		_exit(0);
	}
	monitor->worker = peer;
	monitor->asked = false;
	monitor->start_ms = clock_ms();
	monitor->state->worker = pid;
	return 0;
}

void monitor_init(struct monitor *monitor,
		  void (*work)(const struct monitor *monitor, const struct peer *peer))
{
	int i;

	memset(monitor, 0, sizeof(*monitor));
	monitor->work = work;
	for (i = 0; i < STATE_SLOTS; i++)
		monitor->fd[i] = -1;
	monitor->state_fd = -1;
	monitor->worker = PEER_NONE;
}

/* Starts the first worker; a state that was taken over stays. */
int monitor_start(struct monitor *monitor, const struct monitor_options *options)
{
	fd_limit_raise();
	if (!monitor->state)
		monitor->state = state_new(&monitor->state_fd);
	if (!monitor->state)
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

static bool take_worker_message(struct monitor *monitor);

/*
 * Sends the worker a listener, or (-1) word that it is refused. While its socket is full its own messages are taken: it may be
 * waiting to say that containers have ended, and would wait for this process for ever. A worker
 * that cannot be sent to is killed: the next one inherits the listener.
 */
static void send_listener(struct monitor *monitor, u32 index, int fd)
{
	const struct peer *worker = &monitor->worker;
	struct pollfd peer = { .fd = worker->sock, .events = POLLIN | POLLOUT };

	while (worker->pid && monitor->fd[index] >= 0) {
		if (poll(&peer, 1, -1) != 1)
			continue;
		if (peer.revents & (POLLHUP | POLLERR))
			break;
		if (!(peer.revents & POLLOUT))
			take_worker_message(monitor);
		else if (fd_send(peer.fd, &index, sizeof(index), fd))
			break;
		else
			return;
	}
	if (worker->pid && monitor->fd[index] >= 0)
		syscall(SYS_pidfd_send_signal, worker->pidfd, SIGKILL, NULL, 0);
}

static void tell_changed(struct monitor *monitor, u32 index)
{
	if (monitor->changed)
		monitor->changed(index);
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
	send_listener(monitor, (u32)i, fd);
	return i;
}

/*
 * Has the worker close a listener, of which it tells like of one that is over. If the worker dies
 * first, the next one goes on with it.
 */
void monitor_refuse(struct monitor *monitor, u32 index)
{
	monitor->state->refused++;
	send_listener(monitor, index, -1);
}

static void free_slot(struct monitor *monitor, u32 index)
{
	close(monitor->fd[index]);
	monitor->fd[index] = -1;
	slot_free(monitor->state, index);
	tell_changed(monitor, index);
}

/* Return: true if the worker has answered. */
static bool take_worker_message(struct monitor *monitor)
{
	u32 message, index;
	size_t fds;

	if (fd_receive(monitor->worker.sock, &message, sizeof(message), NULL, 0,
		       &fds) != sizeof(message))
		return false;
	index = message & ~MONITOR_AGAIN;
	if (message == MONITOR_QUESTION)
		monitor->asked = false;
	else if (index >= STATE_SLOTS || monitor->fd[index] < 0)
		return false;
	else if (message & MONITOR_AGAIN)
		send_listener(monitor, index, monitor->fd[index]);
	else
		free_slot(monitor, index);
	return message == MONITOR_QUESTION;
}

/* Does the worker's main thread answer? Its other threads may hang for all that. */
bool monitor_ask(struct monitor *monitor, int ms)
{
	u64 until = clock_ms() + (u64)ms;
	const u32 question = MONITOR_QUESTION;
	struct pollfd answer = { .fd = monitor->worker.sock };
	u64 now;

	if (!monitor->worker.pid)
		return false;
	while ((now = clock_ms()) < until) {
		/* A worker that does not answer is not asked twice: its socket would fill up. */
		answer.events = monitor->asked ? POLLIN : POLLIN | POLLOUT;
		if (poll(&answer, 1, (int)(until - now)) != 1)
			continue;
		if (answer.revents & POLLIN && take_worker_message(monitor))
			return true;
		if (answer.revents & (POLLHUP | POLLERR))
			return false;
		if (answer.revents & POLLOUT) {
			if (fd_send(answer.fd, &question, sizeof(question), -1))
				return false;
			monitor->asked = true;
		}
	}
	return false;
}

static void report_to_owner(const struct monitor *monitor, pid_t worker, const char *why)
{
	if (monitor->died)
		monitor->died(monitor, worker, why);
}

/* A worker exits with an errno; how it ended is known if it was our child. */
static void forget_dead_worker(struct monitor *monitor)
{
	pid_t worker = monitor->worker.pid;
	const char *why = "it ended";
	int status;

	if (waitpid(worker, &status, WNOHANG) == worker)
		why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) :
					    strerror(WEXITSTATUS(status));
	peer_close(&monitor->worker);
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
	monitor->delay_ms = !ms ? PAUSE_MIN_MS :
			   ms < PAUSE_MAX_MS / 2 ? 2 * ms : PAUSE_MAX_MS;
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
	/* A slot that a dead worker had not reported the next one reports again. */
	if (polls[0].revents) {
		forget_dead_worker(monitor);
		start_next_later(monitor);
	} else if (polls[1].revents) {
		take_worker_message(monitor);
	} else if (!monitor->worker.pid && clock_ms() >= monitor->start_ms) {
		start_next(monitor);
	}
}

/* Returns @ms, as of poll(), but no longer than until a worker is to be started. */
static int limit_wait(const struct monitor *monitor, int ms)
{
	u64 now = clock_ms();
	int left = now < monitor->start_ms ? (int)(monitor->start_ms - now) : 0;

	return monitor->worker.pid || (ms >= 0 && ms < left) ? ms : left;
}

/*
 * Polls @n of @polls, of which the first MONITOR_POLLS are the monitor's to fill in, and
 * does what the worker calls for: starts another, frees slots. It is never given up:
 * without a worker the calls of all containers wait. Return: false: poll() has failed this
 * time, and @polls says nothing.
 */
bool monitor_wait(struct monitor *monitor, struct pollfd *polls, nfds_t n, int ms)
{
	const struct peer *worker = &monitor->worker;

	polls[0] = (struct pollfd){ .fd = worker->pidfd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = worker->sock, .events = POLLIN };
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
	struct pollfd dead = { .fd = monitor->worker.pidfd, .events = POLLIN };

	if (monitor->worker.pid && poll(&dead, 1, 0) == 1)
		forget_dead_worker(monitor);
	return monitor->worker.pid ? 0 : fork_worker(monitor);
}

/*
 * Ends the worker, and waits no longer than a second: a container's own file system may
 * hold a thread of it.
 */
void monitor_stop(struct monitor *monitor)
{
	struct pollfd dead = { .fd = monitor->worker.pidfd, .events = POLLIN };

	if (!monitor->worker.pid)
		return;
	kill(monitor->worker.pid, SIGKILL);
	if (poll(&dead, 1, KILLED_MS) == 1)
		waitpid(monitor->worker.pid, NULL, WNOHANG);
}
