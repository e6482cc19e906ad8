// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/xalloc.c. Linked with --wrap=reallocarray.
 */
#include <sys/wait.h>

#include "lib/xalloc.h"
#include "tests/unit/unit.h"

static bool is_full;

void *__real_reallocarray(void *old, size_t n, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	return is_full ? NULL : __real_reallocarray(old, n, size);
}

TEST("without memory the program ends, with its name and status 1")
{
	char said[64] = "";
	int fd[2], status;
	pid_t child;

	assert_int_equal(pipe(fd), 0);
	child = fork();
	if (!child) {
		dup2(fd[1], STDERR_FILENO);
		program_invocation_short_name = "mpu-test";
		is_full = true;
		xreallocarray(NULL, 1, 1);
		_exit(7);
	}
	close(fd[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_true(read(fd[0], said, sizeof(said) - 1) > 0);
	assert_string_equal(said, "mpu-test: no memory\n");
	close(fd[0]);
}

TEST("texts are copied and put together")
{
	char *text = xasprintf("%s-%d", "a", 1), *part = xstrndup(text, 1);

	assert_string_equal(text, "a-1");
	assert_string_equal(part, "a");
	free(text);
	free(part);
}
