// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of how an agent ends the worker of the agent before.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "tests/unit/unit.h"

static pid_t start_process(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	assert_true(pid > 0);
	return pid;
}

TEST("the worker of an earlier agent is dead after handover_kill()")
{
	pid_t pid = start_process();
	int status;

	assert_true(handover_start(pid) > 0);
	assert_int_equal(handover_kill(pid, handover_start(pid)), 0);
	assert_int_equal(waitpid(pid, &status, WNOHANG), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Signals do not reach a stopped process, but for the one. */
TEST("a stopped worker is killed, too")
{
	pid_t pid = start_process();
	int status;

	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_int_equal(handover_kill(pid, handover_start(pid)), 0);
	assert_int_equal(waitpid(pid, &status, WNOHANG), pid);
}

TEST("another process with the worker's PID is not killed")
{
	pid_t pid = start_process();

	assert_int_equal(handover_kill(pid, handover_start(pid) + 1), 0);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

TEST("a worker that has ended already is no error")
{
	pid_t pid = start_process();
	u64 start = handover_start(pid);

	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(handover_start(pid), 0);
	assert_int_equal(handover_kill(pid, start), 0);
	assert_int_equal(handover_kill(0, 0), 0);
}

TEST("the note replaces a link in its place, and does not follow it")
{
	const struct monitor monitor = { .worker = getpid() };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[] = "/tmp/past.XXXXXX", note[128], target[128];
	int sock = socket(AF_UNIX, SOCK_STREAM, 0);
	struct stat st;

	assert_non_null(mkdtemp(folder));
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/agent.sock", folder);
	snprintf(note, sizeof(note), "%s/agent.sock.worker", folder);
	snprintf(target, sizeof(target), "%s/target", folder);
	assert_int_equal(bind(sock, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(symlink(target, note), 0);
	handover_write_note(&monitor, sock);
	assert_int_equal(access(target, F_OK), -1);
	assert_int_equal(lstat(note, &st), 0);
	assert_true(S_ISREG(st.st_mode) && st.st_size);
	handover_remove_note(sock);
	assert_int_equal(access(note, F_OK), -1);
	close(sock);
	unlink(address.sun_path);
	assert_int_equal(rmdir(folder), 0);
}
