// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of mpu run's container. It mounts what the container needs,
 * starts the command and does what PID 1 has to do: it reaps orphans, and hands
 * signals on. The command gets another PID, since many a program is no good PID 1.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/fds.h"

/* Exit statuses of the shell for a command that could not be run. */
#define EXIT_NOT_RUNNABLE	126
#define EXIT_NOT_FOUND		127

/* Does the terminal send that signal, to the whole job, so that all of it have it already? */
bool container_comes_from_terminal(int sig, int code)
{
	static const int sent[] = { SIGINT, SIGQUIT, SIGHUP, SIGWINCH, SIGTSTP,
				    SIGTTIN, SIGTTOU, SIGCONT };
	size_t i;

	for (i = 0; i < sizeof(sent) / sizeof(sent[0]); i++)
		if (sig == sent[i])
			return code == SI_KERNEL;
	return false;
}

static noreturn void give_up(int sock, int error, const char *step)
{
	struct container_report report = { .error = error };

	snprintf(report.step, sizeof(report.step), "%s", step);
	fd_send(sock, &report, sizeof(report), -1);
	_exit(1);
}

static void set_up(int sock)
{
	struct container_report report = { 0 };
	char go;
	int fd;

	if (read(sock, &go, 1) != 1)
		_exit(1);	/* the launcher is gone */
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		give_up(sock, errno, "separate its mounts");
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		give_up(sock, errno, "mount its own /proc");
	fd = filter_install();
	if (fd < 0)
		give_up(sock, -fd, fd == -EBUSY ?
			"be supervised: this is inside of a container with a seccomp listener, and the kernel allows one" :
			"install the seccomp filter");
	fd_send(sock, &report, sizeof(report), fd);
	close(fd);
}

static noreturn void run_command(char **words, const sigset_t *mask)
{
	int error;

	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(words[0], words);
	error = errno;
	fprintf(stderr, "mpu run: cannot run %s: %s\n", words[0], strerror(error));
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUNNABLE);
}

/*
 * The launcher is to stop with the command. A terminal stops both, and may have
 * let both go on by now. Return: true if the command has ended.
 */
static bool reap_children(pid_t command, int sock, struct container_report *report)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
		if (pid != command)
			continue;
		report->status = status;
		if (!WIFSTOPPED(status))
			ended = true;
		else if (WSTOPSIG(status) == SIGSTOP)
			fd_send(sock, report, sizeof(*report), -1);
	}
	return ended;
}

static void wait_for_command(pid_t command, int sock, const sigset_t *all,
			     struct container_report *report)
{
	siginfo_t info;

	for (;;) {
		if (sigwaitinfo(all, &info) < 0)
			continue;
		if (info.si_signo == SIGCHLD && reap_children(command, sock, report))
			return;
		if (info.si_signo != SIGCHLD &&
		    !container_comes_from_terminal(info.si_signo, info.si_code))
			kill(command, info.si_signo);
	}
}

/* @sock: to the launcher, which sends a byte once it is ready for us */
noreturn void container_run(int sock, char **words, const sigset_t *mask)
{
	struct container_report report = { 0 };
	sigset_t all;
	pid_t command;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	set_up(sock);
	command = fork();
	if (command < 0)
		give_up(sock, errno, "start a process");
	if (!command)
		run_command(words, mask);
	wait_for_command(command, sock, &all, &report);
	fd_send(sock, &report, sizeof(report), -1);
	_exit(0);
}
