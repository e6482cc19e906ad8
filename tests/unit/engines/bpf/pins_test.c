// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of engines/bpf/pins.c: who asks for the daemon is told, also where
 * /run may not be written, as in a pod.
 */
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engines/bpf/internal.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

/* As tests/cli do: nothing of the machine's own is touched. */
static int enter_own_run(void)
{
	return unshare(CLONE_NEWNS) ||
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount("tmpfs", "/run", "tmpfs", 0, NULL);
}

TEST_ALL(enter_own_run, NULL)

static bool is_removed;		/* what is opened next */

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode)
{
	int fd = __real_open(path, flags, mode);

	if (is_removed)
		unlink(path);
	is_removed = false;
	return fd;
}

static pid_t start_daemon(void)
{
	int locked[2];
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(locked), 0);
	pid = fork();
	if (!pid) {
		byte = pins_lock() >= 0;
		if (write(locked[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(locked[0], &byte, 1), 1);
	assert_int_equal(byte, 1);
	close(locked[0]);
	close(locked[1]);
	return pid;
}

TEST("a lock that another daemon removes when it ends, just then, is none")
{
	struct stat file;
	int fd;

	is_removed = true;
	fd = pins_lock();
	assert_true(fd >= 0 && !fstat(fd, &file));
	assert_int_equal(file.st_nlink, 1);
	pins_unlock(fd);
}

TEST("the daemon's PID is told while it runs, even if /run is read-only")
{
	pid_t pid;

	assert_int_equal(pins_daemon(), 0);
	pid = start_daemon();
	assert_int_equal(pins_daemon(), pid);
	assert_int_equal(mount("/run", "/run", NULL, MS_BIND, NULL), 0);
	assert_int_equal(mount(NULL, "/run", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL), 0);
	assert_int_equal(pins_daemon(), pid);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(pins_daemon(), 0);
}

int main(void)
{
	return have_root() ? unit_run() : 0;
}
