// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes that talk to each other, and that learn of each other's death: the worker
 * is its monitor's peer, and the monitor its worker's.
 */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* @peer: receives, in each of the two processes, the other one. Return: or negative errno */
pid_t peer_fork(struct peer *peer)
{
	int self = open_pidfd(getpid());	/* opened before this process can die */
	pid_t parent = getpid(), pid;
	int pair[2];

	if (self < 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		pid = -errno;
		close(self);
		return pid;
	}
	pid = fork();
	if (!pid) {
		close(pair[0]);
		*peer = (struct peer){ parent, self, pair[1] };
		return 0;
	}
	*peer = (struct peer){ pid, -1, pair[0] };
	if (pid < 0)
		pid = -errno;
	close(self);
	close(pair[1]);
	if (pid < 0) {
		peer_close(peer);
		return pid;
	}
	peer->pidfd = open_pidfd(pid);
	if (peer->pidfd < 0) {
		pid = -errno;
		peer_kill(peer);	/* nobody would learn of its death */
	}
	return pid;
}

void peer_close(struct peer *peer)
{
	if (peer->pidfd >= 0)
		close(peer->pidfd);
	if (peer->sock >= 0)
		close(peer->sock);
	*peer = PEER_NONE;
}

void peer_kill(struct peer *peer)
{
	kill(peer->pid, SIGKILL);
	waitpid(peer->pid, NULL, 0);
	peer_close(peer);
}
