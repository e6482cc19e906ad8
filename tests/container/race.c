// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program, and exchanges two names of a folder at one moment of it: before
 * its N-th system call from setns(2) on, with which it enters a container. So a race
 * between a program and a container that swaps a folder for a link has every
 * outcome that it can have, each time.
 *
 *	race N FOLDER NAME NAME COMMAND...
 *
 * It ends with the command's status, or with 100 if that ended before its N-th
 * call; what a child of it does is not counted. The names are exchanged back at the
 * end. If N is "-" they are exchanged all the time.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENDED	100

static void __attribute__((noreturn)) die(const char *what)
{
	perror(what);
	exit(2);
}

static void exchange(int folder, char **names)
{
	if (renameat2(folder, names[0], folder, names[1], RENAME_EXCHANGE))
		die("race: renameat2");
}

static void start(char **command)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		die("race: ptrace");
	execv(command[0], command);
	die(command[0]);
}

/* A signal that stopped it is its own, except where it is ptrace's. */
static int stop_signal(int status)
{
	int sig = WSTOPSIG(status);

	return sig == SIGTRAP || sig == (SIGTRAP | 0x80) ? 0 : sig;
}

/* Is a system call about to be made that counts? @calls: how many before it. */
static bool is_counted(pid_t pid, long *calls)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) < 0)
		die("race: ptrace");
	if (info.op != PTRACE_SYSCALL_INFO_ENTRY || (*calls < 0 && info.entry.nr != SYS_setns))
		return false;
	++*calls;
	return true;
}

static int race_all_the_time(int folder, char **words)
{
	pid_t swapper = fork(), command;
	int status;

	if (!swapper) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			exchange(folder, words);
	}
	command = fork();
	if (!command) {
		execvp(words[2], words + 2);
		die(words[2]);
	}
	if (swapper < 0 || command < 0 || waitpid(command, &status, 0) != command)
		die("race: fork");
	kill(swapper, SIGKILL);
	waitpid(swapper, NULL, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	long at, calls = -1;
	int folder, status;
	pid_t pid;

	if (argc < 6)
		return 2;
	at = atol(argv[1]);
	folder = open(argv[2], O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		die(argv[2]);
	if (!strcmp(argv[1], "-"))
		return race_all_the_time(folder, argv + 3);
	pid = fork();
	if (!pid)
		start(argv + 5);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("race: fork");
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD))
		die("race: ptrace");
	while (WIFSTOPPED(status)) {
		if (WSTOPSIG(status) == (SIGTRAP | 0x80) && is_counted(pid, &calls) && calls == at)
			exchange(folder, argv + 3);
		if (ptrace(PTRACE_SYSCALL, pid, NULL, stop_signal(status)) ||
		    waitpid(pid, &status, 0) != pid)
			die("race: wait");
	}
	if (calls < at)
		return ENDED;
	exchange(folder, argv + 3);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
