// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process that keeps the listeners: see keeper.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/keeper.h"
#include "engines/notify/state.h"
#include "lib/clock.h"
#include "lib/fds.h"

#define PAUSE_MIN_MS	10
#define PAUSE_MAX_MS	1000
#define RETRY_US	10000	/* time until poll() is tried again */
#define KILLED_MS	1000	/* time to wait for a killed worker */

int keeper_close_others(const struct keeper *keeper,
			const struct partner *partner)
{
	int keep[STATE_SLOTS + 3];
	size_t n = 0;
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (keeper->fd[i] >= 0)
			keep[n++] = keeper->fd[i];
	keep[n++] = keeper->state_fd;
	keep[n++] = partner->pidfd;
	keep[n++] = partner->sock;
	return fd_close_others(keep, n, 0);
}

/*
 * Writes the numbers by which the next agent finds the listeners in a worker left
 * behind.
 */
static void write_numbers(struct keeper *keeper)
{
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (keeper->fd[i] >= 0)
			keeper->state->slot[i].fd = keeper->fd[i];
}

static int fork_worker(struct keeper *keeper)
{
	struct partner partner;
	pid_t pid;

	write_numbers(keeper);
	pid = partner_fork(&partner);
	if (pid < 0)
		return pid;
	if (!pid) {
		keeper->work(keeper, &partner);
		_exit(0);
	}
	keeper->worker = partner;
	keeper->asked = false;
	keeper->start_ms = clock_ms();
	keeper->state->worker = pid;
	return 0;
}

void keeper_init(struct keeper *keeper,
		 void (*work)(const struct keeper *keeper,
			      const struct partner *partner))
{
	int i;

	memset(keeper, 0, sizeof(*keeper));
	keeper->work = work;
	for (i = 0; i < STATE_SLOTS; i++)
		keeper->fd[i] = -1;
	keeper->state_fd = -1;
	keeper->worker = PARTNER_NONE;
}

int keeper_start(struct keeper *keeper, const struct keeper_options *options)
{
	fd_limit_raise();
	if (!keeper->state)
		keeper->state = state_new(&keeper->state_fd);
	if (!keeper->state)
		return -errno;
	keeper->state->cpu_percent = options->cpu_percent;
	keeper->state->pass_unknown = options->pass_unknown;
	return fork_worker(keeper);
}

static int find_slot(const struct keeper *keeper)
{
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (keeper->fd[i] < 0)
			return i;
	return -ENOSPC;
}

/* A worker that cannot be sent a listener is killed: the next one inherits it. */
static void send_listener(struct keeper *keeper, u32 index)
{
	const struct partner *worker = &keeper->worker;

	if (worker->pid &&
	    fd_send(worker->sock, &index, sizeof(index), keeper->fd[index]))
		syscall(SYS_pidfd_send_signal, worker->pidfd, SIGKILL, NULL, 0);
}

static void tell_changed(struct keeper *keeper, u32 index)
{
	if (keeper->changed)
		keeper->changed(index);
}

int keeper_add(struct keeper *keeper, int fd)
{
	int i = find_slot(keeper);

	if (i < 0) {
		close(fd);
		return i;
	}
	keeper->fd[i] = fd;
	tell_changed(keeper, (u32)i);
	keeper->state->used[i] = true;
	send_listener(keeper, (u32)i);
	return i;
}

static void free_slot(struct keeper *keeper, u32 index)
{
	close(keeper->fd[index]);
	keeper->fd[index] = -1;
	slot_free(keeper->state, index);
	tell_changed(keeper, index);
}

/* Return: true if the worker has answered. */
static bool take_worker_message(struct keeper *keeper)
{
	u32 message, index;
	size_t fds;

	if (fd_receive(keeper->worker.sock, &message, sizeof(message), NULL, 0,
		       &fds) != sizeof(message))
		return false;
	index = message & ~KEEPER_AGAIN;
	if (message == KEEPER_QUESTION)
		keeper->asked = false;
	else if (index >= STATE_SLOTS || keeper->fd[index] < 0)
		return false;
	else if (message & KEEPER_AGAIN)
		send_listener(keeper, index);
	else
		free_slot(keeper, index);
	return message == KEEPER_QUESTION;
}

bool keeper_ask(struct keeper *keeper, int ms)
{
	u64 until = clock_ms() + (u64)ms;
	const u32 question = KEEPER_QUESTION;
	struct pollfd answer = { .fd = keeper->worker.sock, .events = POLLIN };
	u64 now;

	if (!keeper->worker.pid)
		return false;
	/* A worker that does not answer is not asked twice: its socket would fill up. */
	if (!keeper->asked &&
	    fd_send(keeper->worker.sock, &question, sizeof(question), -1))
		return false;
	keeper->asked = true;
	while ((now = clock_ms()) < until) {
		if (poll(&answer, 1, (int)(until - now)) != 1)
			continue;
		if (take_worker_message(keeper))
			return true;
		if (answer.revents & (POLLHUP | POLLERR))
			return false;
	}
	return false;
}

static void report_to_owner(const struct keeper *keeper, pid_t worker,
			    const char *why)
{
	if (keeper->died)
		keeper->died(keeper, worker, why);
}

/* A worker exits with an errno; how it ended is known if it was our child. */
static void forget_dead_worker(struct keeper *keeper)
{
	pid_t worker = keeper->worker.pid;
	const char *why = "it ended";
	int status;

	if (waitpid(worker, &status, WNOHANG) == worker)
		why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) :
					    strerror(WEXITSTATUS(status));
	partner_close(&keeper->worker);
	keeper->state->worker = 0;
	keeper->state->restarts++;
	if (clock_ms() - keeper->start_ms >= PAUSE_MAX_MS)
		keeper->delay_ms = 0;
	report_to_owner(keeper, worker, why);
}

/* Start a worker, after a pause if the one before has not lived long. */
static void start_next_later(struct keeper *keeper)
{
	unsigned int ms = keeper->delay_ms;

	keeper->start_ms = clock_ms() + ms;
	keeper->delay_ms = !ms ? PAUSE_MIN_MS :
			   ms < PAUSE_MAX_MS / 2 ? 2 * ms : PAUSE_MAX_MS;
}

static void start_next(struct keeper *keeper)
{
	int ret = fork_worker(keeper);

	if (!ret)
		return;
	report_to_owner(keeper, 0, strerror(-ret));
	start_next_later(keeper);
}

static void serve_worker(struct keeper *keeper, const struct pollfd *polls)
{
	/* A slot that a dead worker had not reported the next one reports again. */
	if (polls[0].revents) {
		forget_dead_worker(keeper);
		start_next_later(keeper);
	} else if (polls[1].revents) {
		take_worker_message(keeper);
	} else if (!keeper->worker.pid && clock_ms() >= keeper->start_ms) {
		start_next(keeper);
	}
}

/* @ms as of poll(), but no longer than until a worker is to be started. */
static int limit_wait(const struct keeper *keeper, int ms)
{
	u64 now = clock_ms();
	int left = now < keeper->start_ms ? (int)(keeper->start_ms - now) : 0;

	return keeper->worker.pid || (ms >= 0 && ms < left) ? ms : left;
}

bool keeper_wait(struct keeper *keeper, struct pollfd *polls, nfds_t n, int ms)
{
	const struct partner *worker = &keeper->worker;

	polls[0] = (struct pollfd){ .fd = worker->pidfd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = worker->sock, .events = POLLIN };
	if (poll(polls, n, limit_wait(keeper, ms)) >= 0) {
		serve_worker(keeper, polls);
		return true;
	}
	if (errno != EINTR) {
		/* EINVAL: more descriptors than RLIMIT_NOFILE, if that was lowered. */
		fd_limit_raise();
		usleep(RETRY_US);
	}
	return false;
}

unsigned int keeper_listeners(const struct keeper *keeper)
{
	unsigned int n = 0;
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		n += keeper->fd[i] >= 0;
	return n;
}

int keeper_leave(struct keeper *keeper)
{
	struct pollfd dead = { .fd = keeper->worker.pidfd, .events = POLLIN };

	keeper->state->leaving = true;
	if (keeper->worker.pid && poll(&dead, 1, 0) == 1)
		forget_dead_worker(keeper);
	return keeper->worker.pid ? 0 : fork_worker(keeper);
}

void keeper_stop(struct keeper *keeper)
{
	struct pollfd dead = { .fd = keeper->worker.pidfd, .events = POLLIN };

	keeper->state->leaving = true;
	if (!keeper->worker.pid)
		return;
	kill(keeper->worker.pid, SIGKILL);
	if (poll(&dead, 1, KILLED_MS) == 1)
		waitpid(keeper->worker.pid, NULL, WNOHANG);
}

noreturn void keeper_run(struct keeper *keeper)
{
	struct pollfd polls[KEEPER_POLLS];

	setsid();
	/* Above all the descriptors of calls that the worker has in hand. */
	keeper_close_others(keeper, &keeper->worker);
	while (keeper_listeners(keeper))
		keeper_wait(keeper, polls, KEEPER_POLLS, -1);
	keeper->state->leaving = true;
	_exit(0);
}
