// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu run: a command in a container of its own.
 *
 * The launcher hands signals to its container's first process and takes the
 * exit status from it, and it is the monitor of the container's listener. If it is
 * killed, the kernel kills the container.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/fds.h"
#include "lib/host.h"

/** struct launcher - what this process looks after */
struct launcher {
	struct monitor monitor;
	pid_t init;	/* first process of the container */
	int sock;	/* socket to it */
	int signals;	/* signalfd */
	int status;	/* end of the command, as of waitpid() */
	sigset_t mask;	/* signals that were blocked when we were started */
};

/* Has the user namespace of the container's first process know our user and group, and no other. */
static int map_user(pid_t pid)
{
	const char *const file[] = { "uid_map", "setgroups", "gid_map" };
	char path[64], text[3][64] = { "", "deny" };
	int fd, ret = 0;
	size_t i;

	snprintf(text[0], sizeof(text[0]), "%u %u 1\n", geteuid(), geteuid());
	snprintf(text[2], sizeof(text[2]), "%u %u 1\n", getegid(), getegid());
	for (i = 0; !ret && i < sizeof(file) / sizeof(*file); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, file[i]);
		fd = open(path, O_WRONLY | O_CLOEXEC);
		ret = fd < 0 ? -errno : fd_write_all(fd, text[i], strlen(text[i]));
		close(fd);
	}
	return ret;
}

/*
 * SIGTSTP and its like keep their effect: the launcher stops with its job. All
 * others are waited for; SIGCONT has its effect though it is blocked.
 */
static int block_signals(struct launcher *launcher)
{
	sigset_t set;

	sigfillset(&set);
	sigdelset(&set, SIGTSTP);
	sigdelset(&set, SIGTTIN);
	sigdelset(&set, SIGTTOU);
	sigprocmask(SIG_BLOCK, &set, &launcher->mask);
	launcher->signals = signalfd(-1, &set, SFD_CLOEXEC);
	return launcher->signals < 0 ? -errno : 0;
}

static int start_container(struct launcher *launcher, char **words)
{
	unsigned long flags = CLONE_NEWPID | CLONE_NEWNS | SIGCHLD;
	bool user = geteuid() != 0;
	int pair[2], ret = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	if (user) {
		flags |= CLONE_NEWUSER;
		container_find_included("ssh_config");
		container_find_included("/usr/etc/ssh/ssh_config");	/* SUSE */
	}
	launcher->init = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
	if (launcher->init < 0)
		ret = -errno;
	if (!launcher->init) {
		close(pair[0]);
		container_run(pair[1], words, &launcher->mask);
	}
	close(pair[1]);
	launcher->sock = pair[0];
	if (!ret && user)
		ret = map_user(launcher->init);
	return ret;
}

/* A worker that is replaced nobody notices; that there is none is said once. */
static void report_no_worker(const struct monitor *monitor, pid_t worker, const char *why)
{
	static bool said;

	(void)monitor;
	if (worker || said)
		return;
	said = true;
	fprintf(stderr, "mpu run: cannot start a worker: %s; calls wait, and it is tried again\n",
		why);
}

/* Ubuntu's AppArmor lets users make user namespaces, in which they may do nothing. */
static const char *explain_apparmor(void)
{
	char text[8];

	return geteuid() && host_read(text, sizeof(text),
		"/proc/sys/kernel/apparmor_restrict_unprivileged_userns") > 0 &&
	       text[0] == '1' ?
	       "; kernel.apparmor_restrict_unprivileged_userns is 1, and keeps users from it: run it as root, or set that to 0 by sysctl" :
	       "";
}

/* The listener of a container that has been set up, or negative errno. */
static int take_listener(struct launcher *launcher, char *why)
{
	struct container_report report;
	size_t fds;
	int fd, ret = kernel_check(launcher->init, why);

	if (ret)
		return ret;
	if (write(launcher->sock, "", 1) != 1 ||
	    fd_receive(launcher->sock, &report, sizeof(report), &fd, 1, &fds) !=
		    sizeof(report))
		return why_fail(why, -ESRCH, "the container ended before it was set up");
	if (!report.error && fds)
		return fd;
	return why_fail(why, report.error ? -report.error : -EPROTO,
			"the container could not %s: %s%s", report.step,
			strerror(report.error), explain_apparmor());
}

static int start_worker(struct launcher *launcher, const struct monitor_options *options, char *why)
{
	int ret, fd = take_listener(launcher, why);

	if (fd < 0)
		return fd;
	launcher->monitor.died = report_no_worker;
	launcher->monitor.fd[0] = fd;
	ret = monitor_start(&launcher->monitor, options);
	if (ret)
		return why_fail(why, ret, "cannot start a worker: %s", strerror(-ret));
	fd_write_all(launcher->sock, "", 1);	/* nobody takes it: then SIGCHLD says more */
	return 0;
}

/* Return: true if the container has ended. */
static bool take_signal(struct launcher *launcher)
{
	struct signalfd_siginfo info;

	if (read(launcher->signals, &info, sizeof(info)) != sizeof(info))
		return false;
	if (info.ssi_signo == SIGCHLD)
		return waitpid(launcher->init, NULL, WNOHANG) == launcher->init;
	if (!container_comes_from_terminal((int)info.ssi_signo, info.ssi_code))
		kill(launcher->init, (int)info.ssi_signo);
	return false;
}

/* Takes a report on the command, if there is one. @stopped: set if the command is. */
static bool take_report(struct launcher *launcher, bool *stopped)
{
	struct container_report report;
	size_t fds;

	if (fd_receive(launcher->sock, &report, sizeof(report), NULL, 0, &fds) != sizeof(report))
		return false;
	*stopped = WIFSTOPPED(report.status);
	if (!*stopped)
		launcher->status = report.status;
	return true;
}

static void serve_container(struct launcher *launcher)
{
	enum { SIGNALS = MONITOR_POLLS, SOCK, POLLS };
	struct pollfd polls[POLLS] = {
		[SIGNALS] = { .fd = launcher->signals, .events = POLLIN },
		[SOCK] = { .fd = launcher->sock, .events = POLLIN },
	};
	bool stopped;

	for (;;) {
		if (!monitor_wait(&launcher->monitor, polls, POLLS,
				  state_tell_denied(launcher->monitor.state, "mpu run")))
			continue;
		if (polls[SOCK].revents && take_report(launcher, &stopped) && stopped)
			raise(SIGSTOP);
		if (polls[SIGNALS].revents && take_signal(launcher))
			break;
	}
	while (take_report(launcher, &stopped))
		;
	state_tell_denied(launcher->monitor.state, "mpu run");
}

/*
 * Makes our process group the terminal's foreground group again, if that group has
 * ended. A shell in the container cannot do that when it ends: our group has no number
 * in its PID namespace.
 */
static void take_terminal_back(void)
{
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	pid_t group = tty < 0 ? -1 : tcgetpgrp(tty);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTTOU);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (group > 0 && kill(-group, 0) && errno == ESRCH)
		tcsetpgrp(tty, getpgrp());
	if (tty >= 0)
		close(tty);
}

int launcher_run(char **words, const struct monitor_options *options,
		 int *status, char why[WHY_SIZE])
{
	static struct launcher launcher = { .status = SIGKILL };
	int ret;

	monitor_init(&launcher.monitor, worker_run);
	ret = block_signals(&launcher);
	if (!ret)
		ret = start_container(&launcher, words);
	if (ret)
		return why_fail(why, ret, "cannot make a container: %s%s", strerror(-ret),
				ret == -EPERM ? "; where users may not make user namespaces, run it as root" : "");
	ret = start_worker(&launcher, options, why);
	if (ret) {
		kill(launcher.init, SIGKILL);
		return ret;
	}
	serve_container(&launcher);
	monitor_stop(&launcher.monitor);
	take_terminal_back();
	*status = launcher.status;
	return 0;
}
