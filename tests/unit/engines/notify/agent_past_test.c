// SPDX-License-Identifier: GPL-2.0-only
/*
 * How an agent ends the worker of the agent before.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engines/notify/agent_past.h"

static pid_t start_process(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	assert_true(pid > 0);
	return pid;
}

static void dies(void **state)
{
	pid_t pid = start_process();
	int status;

	(void)state;
	assert_true(past_start(pid) > 0);
	assert_int_equal(past_kill(pid, past_start(pid)), 0);
	assert_int_equal(waitpid(pid, &status, WNOHANG), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Signals do not reach a stopped process, but for the one. */
static void dies_stopped(void **state)
{
	pid_t pid = start_process();
	int status;

	(void)state;
	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_int_equal(past_kill(pid, past_start(pid)), 0);
	assert_int_equal(waitpid(pid, &status, WNOHANG), pid);
}

static void another_of_its_pid(void **state)
{
	pid_t pid = start_process();

	(void)state;
	assert_int_equal(past_kill(pid, past_start(pid) + 1), 0);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void gone_already(void **state)
{
	pid_t pid = start_process();
	u64 start = past_start(pid);

	(void)state;
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(past_start(pid), 0);
	assert_int_equal(past_kill(pid, start), 0);
	assert_int_equal(past_kill(0, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dies),
		cmocka_unit_test(dies_stopped),
		cmocka_unit_test(another_of_its_pid),
		cmocka_unit_test(gone_already),
	};

	return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
