// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an agent that has gone leaves to the next one: see agent_past.h.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "engines/notify/agent_past.h"
#include "engines/notify/keeper.h"
#include "engines/notify/proc.h"
#include "engines/notify/state.h"

#define NOTE	128	/* a socket's path has 108 at most */

u64 past_start(pid_t pid)
{
	int dir = proc_open((u32)pid);
	u64 ticks = 0;

	if (dir < 0)
		return 0;
	if (proc_start(dir, &ticks))
		ticks = 0;
	close(dir);
	return ticks;
}

static bool find_note(int sock, char *path)
{
	struct sockaddr_un address = { 0 };
	socklen_t size = sizeof(address) - 1;

	if (getsockname(sock, (struct sockaddr *)&address, &size) ||
	    address.sun_family != AF_UNIX || address.sun_path[0] != '/')
		return false;
	snprintf(path, NOTE, "%s.worker", address.sun_path);
	return true;
}

void past_write_note(const struct keeper *keeper, int sock)
{
	pid_t worker = keeper->worker.pid;
	char path[NOTE];
	FILE *file = NULL;

	if (worker && find_note(sock, path))
		file = fopen(path, "we");
	if (!file)
		return;		/* then no later agent takes over: the worker serves on */
	fprintf(file, "%d %llu %d\n", worker,
		(unsigned long long)past_start(worker), keeper->state_fd);
	fclose(file);
}

/* What the file says: see past_write_note(). */
struct note {
	int worker;
	unsigned long long start;
	int state_fd;
};

void past_remove_note(int sock)
{
	char path[NOTE];

	if (find_note(sock, path))
		unlink(path);
}

static bool read_note(int sock, struct note *note)
{
	char path[NOTE];
	FILE *file = find_note(sock, path) ? fopen(path, "re") : NULL;
	bool found;

	if (!file)
		return false;
	found = fscanf(file, "%d %llu %d", &note->worker, &note->start,
		       &note->state_fd) == 3;
	fclose(file);
	return found;
}

static int get_fd(int pidfd, int number)
{
	int fd = (int)syscall(SYS_pidfd_getfd, pidfd, number, 0);

	return fd < 0 ? -errno : fd;
}

/* Get the listeners; those that end meanwhile are left out. */
static int get_listeners(struct keeper *keeper, int pidfd)
{
	struct state *state = keeper->state;
	int i, fd;

	for (i = 0; i < STATE_SLOTS; i++) {
		if (!state->used[i])
			continue;
		fd = get_fd(pidfd, state->slot[i].fd);
		if (fd >= 0)
			keeper->fd[i] = fd;
		else if (state->used[i])
			return fd;
	}
	return 0;
}

static int get_all(struct keeper *keeper, int pidfd, int state_fd)
{
	int i, ret;

	keeper->state_fd = get_fd(pidfd, state_fd);
	if (keeper->state_fd < 0)
		return keeper->state_fd;
	keeper->state = state_map(keeper->state_fd);
	ret = keeper->state ? get_listeners(keeper, pidfd) : -errno;
	if (!ret)
		return 0;
	for (i = 0; i < STATE_SLOTS; i++) {
		if (keeper->fd[i] >= 0)
			close(keeper->fd[i]);
		keeper->fd[i] = -1;
	}
	if (keeper->state)
		munmap(keeper->state, sizeof(*keeper->state));
	keeper->state = NULL;
	close(keeper->state_fd);
	keeper->state_fd = -1;
	return ret;
}

int past_adopt(struct keeper *keeper, int sock, pid_t *worker)
{
	struct note note;
	int pidfd, ret = 0;

	*worker = 0;
	if (!read_note(sock, &note))
		return 0;
	pidfd = (int)syscall(SYS_pidfd_open, note.worker, 0);
	if (pidfd < 0)
		return errno == ESRCH ? 0 : -errno;
	/* The worker's PID may be another process's by now. */
	if (past_start(note.worker) == note.start) {
		*worker = note.worker;
		ret = get_all(keeper, pidfd, note.state_fd);
	}
	close(pidfd);
	return ret;
}
