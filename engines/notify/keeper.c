// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process that keeps the listeners: see keeper.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/keeper.h"
#include "engines/notify/state.h"
#include "engines/notify/worker.h"
#include "lib/fds.h"

static int fork_worker(struct keeper *keeper)
{
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
	int pair[2], ret;

	if (self < 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		ret = -errno;
		close(self);
		return ret;
	}
	keeper->worker = fork();
	if (keeper->worker < 0) {
		ret = -errno;
		close(self);
		close(pair[0]);
		close(pair[1]);
		return ret;
	}
	if (!keeper->worker) {
		close(pair[0]);
		if (keeper->forked)
			keeper->forked();
		worker_run(keeper, self, pair[1]);
	}
	close(self);
	close(pair[1]);
	keeper->sock = pair[0];
	keeper->pidfd = (int)syscall(SYS_pidfd_open, keeper->worker, 0);
	if (keeper->pidfd < 0)
		return -errno;
	keeper->state->worker = keeper->worker;
	return 0;
}

int keeper_start(struct keeper *keeper)
{
	fd_limit_raise();
	if (!keeper->state)
		keeper->state = state_new(&keeper->state_fd);
	if (!keeper->state)
		return -errno;
	return fork_worker(keeper);
}

static int free_slot(const struct keeper *keeper)
{
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		if (!keeper->fd[i])
			return i;
	return -ENOSPC;
}

int keeper_add(struct keeper *keeper, int fd, const char *name)
{
	int i = free_slot(keeper);
	struct slot *slot;
	u32 index = (u32)i;

	if (i < 0) {
		close(fd);
		return i;
	}
	slot = &keeper->state->slot[i];
	snprintf(slot->name, sizeof(slot->name), "%s", name);
	keeper->state->used[i] = true;
	keeper->fd[i] = fd;
	/* If that fails the worker is dying: its successor finds the slot. */
	fd_send(keeper->sock, &index, sizeof(index), fd);
	return i;
}

void keeper_polls(const struct keeper *keeper, struct pollfd *polls)
{
	polls[0] = (struct pollfd){ .fd = keeper->pidfd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = keeper->sock, .events = POLLIN };
}

static void take_back(struct keeper *keeper)
{
	size_t fds;
	u32 index;

	if (fd_receive(keeper->sock, &index, sizeof(index), NULL, 0, &fds) !=
	    sizeof(index) || index >= STATE_SLOTS || !keeper->fd[index])
		return;
	close(keeper->fd[index]);
	keeper->fd[index] = 0;
	slot_free(keeper->state, index);
	if (keeper->freed)
		keeper->freed(index);
}

static int replace_worker(struct keeper *keeper)
{
	int ret, tries;

	waitpid(keeper->worker, NULL, WNOHANG);	/* if it was a child */
	close(keeper->pidfd);
	close(keeper->sock);
	keeper->state->restarts++;
	for (tries = 0; tries < 100; tries++) {
		ret = fork_worker(keeper);
		if (!ret)
			break;
		usleep(10000);	/* out of processes: it may pass */
	}
	return ret;
}

int keeper_event(struct keeper *keeper, const struct pollfd *polls)
{
	/* A slot it had not reported yet its successor reports again. */
	if (polls[0].revents)
		return replace_worker(keeper);
	if (polls[1].revents)
		take_back(keeper);
	return 0;
}

unsigned int keeper_busy(const struct keeper *keeper)
{
	unsigned int n = 0;
	int i;

	for (i = 0; i < STATE_SLOTS; i++)
		n += keeper->fd[i] != 0;
	return n;
}

void keeper_stop(struct keeper *keeper)
{
	keeper->state->leaving = true;
	kill(keeper->worker, SIGKILL);
	waitpid(keeper->worker, NULL, 0);
}

noreturn void keeper_inherit(struct keeper *keeper)
{
	struct pollfd polls[KEEPER_POLLS];

	setsid();
	while (keeper_busy(keeper)) {
		keeper_polls(keeper, polls);
		if (poll(polls, KEEPER_POLLS, -1) < 0 && errno != EINTR)
			break;
		if (keeper_event(keeper, polls))
			break;
	}
	keeper->state->leaving = true;
	_exit(0);
}
