// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of mpu run's container. It mounts what the container needs,
 * starts the command and does what PID 1 has to do: it reaps orphans, and hands
 * signals on. The command gets another PID, since many a program is no good PID 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
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
	static const u64 sent = 1ull << SIGINT | 1 << SIGQUIT | 1 << SIGHUP | 1 << SIGWINCH |
				1 << SIGTSTP | 1 << SIGTTIN | 1 << SIGTTOU | 1 << SIGCONT;

	return sig < 64 && sent >> sig & 1 && code == SI_KERNEL;	/* SIGRTMAX is 64 */
}

#define INCLUDED	32

/* Files that ssh's configuration includes, and how many */
static struct {
	char *path;
	int fd;		/* -1: it is not to be copied */
} included[INCLUDED];
static size_t n_included;

/* Adds a file, and what it includes. ssh refuses one that others than root may write. */
static void read_configuration(const char *path)
{
	FILE *file = fopen(path, "re");
	const char *between = " \t\r\n=\"";
	char line[1024], *word, *rest;
	struct stat st;

	if (!file)
		return;
	included[n_included].path = strdup(path);
	included[n_included++].fd = !fstat(fileno(file), &st) && !st.st_uid && !(st.st_mode & 022) ?
				    fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
	while (fgets(line, sizeof(line), file)) {
		word = strtok_r(line, between, &rest);
		if (!word || strcasecmp(word, "include") != 0)
			continue;
		while ((word = strtok_r(NULL, between, &rest)))
			container_find_included(word);
	}
	fclose(file);
}

/*
 * Finds what ssh reads only if it belongs to root or the user: files that its configuration
 * includes. In a user namespace with one user in it root's belong to nobody.
 */
void container_find_included(const char *pattern)
{
	char path[PATH_MAX];
	glob_t found;
	size_t i;

	snprintf(path, sizeof(path), "%s%s", *pattern == '/' ? "" : "/etc/ssh/", pattern);
	if (glob(path, 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc && n_included < INCLUDED; i++)
		read_configuration(found.gl_pathv[i]);
	globfree(&found);
}

/* Puts copies that belong to the user in their places. They are made where /proc will be. */
static void copy_included(void)
{
	char copy[32];
	size_t i;
	int fd;

	if (!n_included || mount("none", "/proc", "tmpfs", 0, NULL))
		return;
	for (i = 0; i < n_included; i++) {
		snprintf(copy, sizeof(copy), "/proc/%zu", i);
		fd = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (sendfile(fd, included[i].fd, &(off_t){ 0 }, SSIZE_MAX) >= 0)
			mount(copy, included[i].path, NULL, MS_BIND, NULL);
		if (fd >= 0)
			close(fd);
	}
	umount2("/proc", MNT_DETACH);
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
	copy_included();
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		give_up(sock, errno, "mount its own /proc");
	fd = filter_install();
	if (fd < 0)
		give_up(sock, -fd, fd == -EBUSY ?
			"be supervised: this is inside of a container with a seccomp listener, and the kernel allows one" :
			"install the seccomp filter");
	/* Nothing is run without a worker; and a launcher may have died before this could with it. */
	if (fd_send(sock, &report, sizeof(report), fd) || read(sock, &go, 1) != 1)
		_exit(1);
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

/* @sock: to the launcher, which sends a byte once it is ready for us, and one when it has a worker */
noreturn void container_run(int sock, char **words, const sigset_t *mask)
{
	struct container_report report = { 0 };
	sigset_t all;
	pid_t command;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* Without its launcher nobody would replace a worker that dies; with us all others die. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
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
