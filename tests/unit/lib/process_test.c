// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib/process.c: what a program that it starts gets, and what becomes of it.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "lib/process.h"
#include "tests/unit/unit.h"

static const int ours[3] = { 0, 1, 2 };
static const int only_output[3] = { PROCESS_NULL, PROCESS_PIPE, PROCESS_NULL };

static int run_shell(const char *script)
{
	const char *const words[] = { "sh", "-c", script, NULL };

	return process_run(words, ours);
}

TEST("the exit status is returned, and -EINTR after a signal, also one that we hold or ignore")
{
	const int held[] = { SIGTERM, 0 };

	assert_return_code(signals_hold(held), 0);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(run_shell("exit 0"), 0);
	assert_int_equal(run_shell("exit 7"), 7);
	assert_int_equal(run_shell("kill -KILL $$"), -EINTR);
	assert_int_equal(run_shell("kill -TERM $$"), -EINTR);
	assert_int_equal(run_shell("kill -PIPE $$"), -EINTR);
}

TEST("a program that is not there gives -ENOENT, and no output")
{
	const char *const words[] = { "no-such-program", NULL };
	char text[16] = "before";

	assert_int_equal(process_run(words, ours), -ENOENT);
	assert_int_equal(process_read(words, only_output, text, sizeof(text)), -ENOENT);
	assert_string_equal(text, "");
}

TEST("the chosen output is read, and the others go nowhere")
{
	const char *const words[] = { "sh", "-c",
		"read -r x || echo no input; echo lost >&2; exit 3", NULL };
	const int complaints[3] = { PROCESS_NULL, PROCESS_NULL, PROCESS_PIPE };
	char text[64];

	assert_int_equal(process_read(words, only_output, text, sizeof(text)), 3);
	assert_string_equal(text, "no input\n");
	assert_int_equal(process_read(words, complaints, text, sizeof(text)), 3);
	assert_string_equal(text, "lost\n");
}

TEST("a program that never stops writing is ended when enough is read")
{
	const char *const words[] = { "yes", NULL };
	char text[6];

	assert_int_not_equal(process_read(words, only_output, text, sizeof(text)), 0);
	assert_string_equal(text, "y\ny\ny");
}

TEST("a program can read from a given descriptor")
{
	const char *const words[] = { "cat", NULL };
	int pipes[2], fd[3] = { -1, PROCESS_PIPE, 2 };
	char text[16];

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	assert_int_equal(write(pipes[1], "hello", 5), 5);
	close(pipes[1]);
	fd[0] = pipes[0];
	assert_int_equal(process_read(words, fd, text, sizeof(text)), 0);
	close(pipes[0]);
	assert_string_equal(text, "hello");
}

TEST("a started program counts as running until it has ended")
{
	const char *const words[] = { "sleep", "600", NULL };
	struct process process;
	int status;

	assert_int_equal(process_start(&process, words, ours), 0);
	assert_int_equal(process.output, -1);
	assert_false(process_ended(process.pid, &status));
	kill(process.pid, SIGKILL);
	assert_int_equal(process_wait(process.pid), -EINTR);
	assert_true(process_ended(process.pid, &status));
	assert_int_equal(status, -ECHILD);
}

#define FD_NUMBER	100	/* a variable that a daemon is not to have */
/* Prints what the test below expects of this program when it has started it. */
static int report_self(void)
{
	char folder[64] = "";

	printf("%d %d %s\n", getsid(0) == getpid(),
	       fcntl(FD_NUMBER, F_GETFD) >= 0, getcwd(folder, sizeof(folder)));
	return 0;
}

TEST("a daemon starts in /, in its own session, without our descriptors")
{
	const char *const words[] = { "test", "report", NULL };
	struct process process;
	char text[64];
	ssize_t n;

	assert_int_equal(dup2(STDIN_FILENO, FD_NUMBER), FD_NUMBER);
	assert_int_equal(process_start_self(&process, words, only_output), 0);
	close(FD_NUMBER);
	assert_int_equal(process_wait(process.pid), 0);
	n = read(process.output, text, sizeof(text) - 1);
	close(process.output);
	text[n > 0 ? n : 0] = '\0';
	assert_string_equal(text, "1 0 /\n");
}

TEST("of children that were left late, one at most is a zombie")
{
	pid_t child[2];
	siginfo_t info;
	int i;

	for (i = 0; i < 2; i++) {
		child[i] = process_fork_aside(NULL, 0);
		while (!child[i])
			pause();
		process_leave(child[i], 1);
		/* It may take a while to die. */
		if (!i)
			assert_int_equal(waitid(P_PID, child[i], &info, WEXITED | WNOWAIT), 0);
	}
	assert_int_equal(kill(child[0], 0), -1);
	assert_int_equal(process_wait(child[1]), -EINTR);
}

static int changed;

static int change(void *arg)
{
	changed = 1;
	return *(int *)arg;
}

static int die(void *arg)
{
	return raise(SIGKILL);
}

TEST("a try in a child returns its result, and changes nothing here")
{
	int result = 0;

	assert_int_equal(process_try(change, &result), 0);
	result = -EBUSY;
	assert_int_equal(process_try(change, &result), -EBUSY);
	assert_int_equal(changed, 0);
	assert_int_equal(process_try(die, NULL), -EINTR);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "report"))
		return report_self();
	return unit_run();
}
