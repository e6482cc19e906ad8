// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes that talk to each other: see partner.h.
 */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/partner.h"

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

pid_t partner_fork(struct partner *partner)
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
		*partner = (struct partner){ parent, self, pair[1] };
		return 0;
	}
	*partner = (struct partner){ pid, -1, pair[0] };
	if (pid < 0)
		pid = -errno;
	close(self);
	close(pair[1]);
	if (pid < 0) {
		partner_close(partner);
		return pid;
	}
	partner->pidfd = open_pidfd(pid);
	if (partner->pidfd < 0) {
		pid = -errno;
		partner_kill(partner);	/* nobody would learn of its death */
	}
	return pid;
}

void partner_close(struct partner *partner)
{
	if (partner->pidfd >= 0)
		close(partner->pidfd);
	if (partner->sock >= 0)
		close(partner->sock);
	*partner = PARTNER_NONE;
}

void partner_kill(struct partner *partner)
{
	kill(partner->pid, SIGKILL);
	waitpid(partner->pid, NULL, 0);
	partner_close(partner);
}
