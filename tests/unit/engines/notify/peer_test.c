// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes that talk to each other and learn of each other's death.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "tests/unit/unit.h"

#define FDS	64	/* numbers of descriptors that are looked at */

static int count_open(void)
{
	int fd, n = 0;

	for (fd = 0; fd < FDS; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static bool is_dead(const struct peer *peer)
{
	struct pollfd dead = { .fd = peer->pidfd, .events = POLLIN };

	return poll(&dead, 1, 0) == 1;
}

/* In the child: say who the parent is, and end when that one says so. */
static void answer(const struct peer *parent)
{
	struct pollfd polls[2] = {
		{ .fd = parent->sock, .events = POLLIN },
		{ .fd = parent->pidfd, .events = POLLIN },
	};

	if (write(parent->sock, &parent->pid, sizeof(parent->pid)) < 0 ||
	    poll(polls, 2, -1) != 1 || polls[1].revents)
		_exit(1);
	_exit(0);
}

TEST("parent and child can talk, and the parent sees the child end")
{
	int status, before = count_open();
	struct peer child;
	pid_t parent, pid = peer_fork(&child);

	if (!pid)
		answer(&child);
	assert_true(pid > 0);
	assert_int_equal(child.pid, pid);
	assert_int_equal(read(child.sock, &parent, sizeof(parent)), sizeof(parent));
	assert_int_equal(parent, getpid());
	assert_false(is_dead(&child));
	assert_int_equal(write(child.sock, "", 1), 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(is_dead(&child));
	peer_close(&child);
	assert_int_equal(child.pid, 0);
	assert_int_equal(count_open(), before);
}

/* In the child: have a child, end, and let that one report. */
static void leave_child(int report)
{
	struct peer other;
	struct pollfd dead;
	pid_t pid = peer_fork(&other);

	if (pid)
		_exit(pid < 0);
	dead = (struct pollfd){ .fd = other.pidfd, .events = POLLIN };
	if (poll(&dead, 1, -1) == 1 && write(report, "x", 1) < 0)
		_exit(1);
	_exit(0);
}

TEST("a child sees its parent end")
{
	int pipes[2], status;
	pid_t pid;
	char c = 0;

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	pid = fork();
	if (!pid)
		leave_child(pipes[1]);
	close(pipes[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(pipes[0], &c, 1), 1);
	close(pipes[0]);
}

TEST("a killed child is gone, and leaves no descriptor")
{
	int before = count_open();
	struct peer child;
	pid_t pid = peer_fork(&child);

	if (!pid)
		pause();
	peer_kill(&child);
	assert_int_equal(child.pid, 0);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(count_open(), before);
}

TEST("a fork that lacks descriptors fails, and leaves nothing behind")
{
	int before = count_open(), failed = 0;
	struct rlimit limit, few;
	struct peer child;
	pid_t pid;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = limit;
	for (few.rlim_cur = 0; few.rlim_cur < FDS; few.rlim_cur++) {
		setrlimit(RLIMIT_NOFILE, &few);
		pid = peer_fork(&child);
		setrlimit(RLIMIT_NOFILE, &limit);
		if (!pid)
			pause();
		if (pid > 0)
			break;
		failed++;
		assert_int_equal(pid, -EMFILE);
		assert_int_equal(count_open(), before);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
	assert_true(failed > 0);
	assert_true(pid > 0);
	peer_kill(&child);
	assert_int_equal(count_open(), before);
}
