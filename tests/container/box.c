// SPDX-License-Identifier: GPL-2.0-only
/*
 * A container as a prestart hook finds it: a process in a mount namespace of its
 * own, where its root is mounted and not yet the root.
 *
 *	box ROOT [USER]		USER: in a user namespace, too, whose root that is
 *
 * Its /dev is a filesystem in memory, which belongs to that namespace.
 *
 * It says "ready", and stays until it is killed.
 */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void __attribute__((noreturn)) die(const char *what)
{
	perror(what);
	exit(1);
}

static void write_map(pid_t pid, const char *name, const char *first)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	file = fopen(path, "we");
	if (!file || fprintf(file, "0 %s 65536\n", first) < 0 || fclose(file))
		die(path);
}

/* Only a process of the parent namespace may give another one 65536 users. */
static void enter_user_namespace(const char *first)
{
	pid_t self = getpid(), helper;
	int pipes[2], status;
	char byte;

	if (pipe2(pipes, O_CLOEXEC))
		die("pipe2");
	helper = fork();
	if (!helper) {
		close(pipes[1]);
		if (read(pipes[0], &byte, 1) != 1)
			exit(1);
		write_map(self, "uid_map", first);
		write_map(self, "gid_map", first);
		exit(0);
	}
	if (helper < 0 || unshare(CLONE_NEWUSER) || write(pipes[1], "x", 1) != 1)
		die("unshare");
	if (waitpid(helper, &status, 0) != helper || status)
		die("uid_map");
	if (setgroups(0, NULL) || setresgid(0, 0, 0) || setresuid(0, 0, 0))
		die("setresuid");
}

static void mount_dev(const char *root)
{
	char path[4096];

	if (snprintf(path, sizeof(path), "%s/dev", root) >= (int)sizeof(path) ||
	    mount("none", path, "tmpfs", MS_NOSUID, "mode=0755"))
		die("/dev");
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (argc > 2)
		enter_user_namespace(argv[2]);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL) ||
	    mount(argv[1], argv[1], NULL, MS_BIND | MS_REC, NULL))
		die("mount");
	mount_dev(argv[1]);
	if (puts("ready") < 0 || fclose(stdout))
		die("stdout");
	for (;;)
		pause();
}
