// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of mpu run's container. It sets the place up, starts the
 * command and is what PID 1 has to be: it buries orphans, and hands signals
 * on. The command gets another PID, since many a program is not fit for that.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/container.h"
#include "engines/notify/filter.h"
#include "lib/fds.h"

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
		_exit(1);	/* the front is gone */
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		give_up(sock, errno, "separate its mounts");
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  NULL))
		give_up(sock, errno, "mount its own /proc");
	fd = filter_install();
	if (fd < 0)
		give_up(sock, -fd, fd == -EBUSY ?
			"be supervised: it is under supervision already" :
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
	fprintf(stderr, "mpu run: cannot run %s: %s\n", words[0],
		strerror(error));
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUNNABLE);
}

/* Return: true if the command has ended. */
static bool bury(pid_t command, int *status)
{
	bool ended = false;
	int one;
	pid_t pid;

	while ((pid = waitpid(-1, &one, WNOHANG)) > 0) {
		if (pid != command)
			continue;
		*status = one;
		ended = true;
	}
	return ended;
}

/* What the terminal sends reaches the command without us. */
static int wait_for(pid_t command, const sigset_t *all)
{
	siginfo_t info;
	int status = 0;

	for (;;) {
		if (sigwaitinfo(all, &info) < 0)
			continue;
		if (info.si_signo != SIGCHLD && info.si_code != SI_KERNEL)
			kill(command, info.si_signo);
		else if (bury(command, &status))
			return status;
	}
}

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
	report.status = wait_for(command, &all);
	fd_send(sock, &report, sizeof(report), -1);
	_exit(0);
}
