// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/fds.c: what is read, and which descriptors stay open, on kernels without
 * close_range(2), too.
 */
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "lib/fds.h"
#include "lib/process.h"
#include "tests/unit/unit.h"

#define FIRST	100	/* above those of the test program */
#define MANY	200	/* more than one would close by hand */
/* As before Linux 5.9. */
static int forget_close_range(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int open_many(void)
{
	int fd;

	for (fd = FIRST; fd < FIRST + MANY; fd++)
		if (dup2(STDERR_FILENO, fd) != fd)
			return -1;
	return 0;
}

/* Return: 0, or what is wrong. */
static int close_most(void *is_old)
{
	int keep[] = { FIRST + 150, FIRST, 1, FIRST + 7 }, fd;

	if (open_many() || (*(bool *)is_old && forget_close_range()))
		return 1;
	if (fd_close_others(keep, 4, 0))
		return 2;
	for (fd = 0; fd < FIRST + MANY; fd++)
		if (is_open(fd) != (fd <= STDERR_FILENO || fd == FIRST ||
				    fd == FIRST + 7 || fd == FIRST + 150))
			return 3;
	return fd_close_range(0, ~0u, 0) || is_open(0) || is_open(FIRST) ? 4 : 0;
}

static void *close_own(void *wrong)
{
	int keep[] = { FIRST };

	*(bool *)wrong = fd_close_others(keep, 1, CLOSE_RANGE_UNSHARE) ||
			 !is_open(FIRST) || is_open(FIRST + 1);
	return NULL;
}

/* A thread with a table of its own: the others keep theirs. */
static int close_in_thread(void *is_old)
{
	pthread_t thread;
	bool wrong = true;

	if (open_many() || (*(bool *)is_old && forget_close_range()))
		return 1;
	if (pthread_create(&thread, NULL, close_own, &wrong) || pthread_join(thread, NULL))
		return 2;
	return wrong ? 3 : !is_open(FIRST + 1) ? 4 : 0;
}

static bool kernels[] = { false, true };

TEST("all descriptors but those to keep are closed, on old kernels, too")
{
	each_row(is_old, kernels)
		assert_int_equal(process_try(close_most, is_old), 0);
}

TEST("a thread with its own descriptors closes none of the process")
{
	each_row(is_old, kernels)
		assert_int_equal(process_try(close_in_thread, is_old), 0);
}

TEST("reading ends at the end, or when there is enough")
{
	char text[8];
	int end[2];

	assert_int_equal(pipe(end), 0);
	assert_int_equal(fd_write_all(end[1], "abcdefghijkl", 12), 0);
	assert_int_equal(fd_read_full(end[0], text, 4), 4);
	assert_memory_equal(text, "abcd", 4);
	assert_int_equal(fd_read_all(end[0], text, 3), -EFBIG);
	assert_int_equal(close(end[1]), 0);
	assert_int_equal(fd_read_all(end[0], text, 6), 5);
	assert_memory_equal(text, "hijkl", 5);
	assert_int_equal(fd_read_full(end[0], text, 8), 0);
	assert_int_equal(close(end[0]), 0);
	assert_int_equal(fd_read_full(end[0], text, 8), -EBADF);
}
