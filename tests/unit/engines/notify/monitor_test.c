// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of engines/notify/monitor.c, with a worker that is busy saying that containers have
 * ended.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/fds.h"
#include "tests/unit/unit.h"

#define MESSAGES	600	/* more than a socket has room for, in each direction */
#define HANGS_S		60	/* no host is that busy */

static struct monitor monitor;

/* Says all that it has to say before it listens to anybody. */
static void be_worker(int sock)
{
	const u32 ended = STATE_SLOTS;	/* of no container */
	u32 index;
	size_t fds;
	int i, fd;

	for (i = 0; i < MESSAGES; i++)
		if (fd_send(sock, &ended, sizeof(ended), -1))
			_exit(1);
	for (i = 0; i < MESSAGES; i++) {
		if (fd_receive(sock, &index, sizeof(index), &fd, 1, &fds) != sizeof(index) ||
		    fds != 1)
			_exit(2);
		close(fd);
	}
	/* The last one is refused. */
	_exit(fd_receive(sock, &index, sizeof(index), &fd, 1, &fds) != sizeof(index) ||
	      fds || index != MESSAGES - 1 ? 3 : 0);
}

TEST("a worker that waits to be heard is heard while it is sent listeners")
{
	int pair[2], status, i;
	size_t slot;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	monitor.state = state_new(&monitor.state_fd);
	assert_non_null(monitor.state);
	for (slot = 0; slot < STATE_SLOTS; slot++)
		monitor.fd[slot] = -1;
	monitor.worker = (struct peer){ fork(), -1, pair[0] };
	if (!monitor.worker.pid)
		be_worker(pair[1]);
	close(pair[1]);
	monitor.worker.pidfd = (int)syscall(SYS_pidfd_open, monitor.worker.pid, 0);
	alarm(HANGS_S);
	for (i = 0; i < MESSAGES; i++)
		assert_int_equal(monitor_add(&monitor, open("/dev/null", O_RDONLY)), i);
	monitor_refuse(&monitor, MESSAGES - 1);
	assert_int_equal(monitor.state->refused, 1);
	assert_int_equal(waitpid(monitor.worker.pid, &status, 0), monitor.worker.pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	fd_limit_raise();
	return unit_run();
}
