// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the kernel for what engine notify cannot do without.
 */
#include <errno.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/process.h"
#include "lib/seccomp.h"

/* Returns 0 where a call has failed with @error, which only a kernel that has it says. */
static int expect_error(long result, int error)
{
	return result < 0 && errno == error ? 0 : result < 0 ? -errno : -EPROTO;
}

/* Compares the kernel's structures with ours: ioctls of a listener fail if sizes differ. */
static int ask_sizes(void *unused)
{
	struct seccomp_notif_sizes sizes;

	(void)unused;
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
		return -errno;
	return sizes.seccomp_notif == sizeof(struct seccomp_notif) &&
	       sizes.seccomp_notif_resp == sizeof(struct seccomp_notif_resp) ?
	       0 : -EPROTO;
}

/*
 * Asks a listener of our own, in a process that ends at once: the kernel looks at the flag
 * before it looks for the call that is answered, and there is none.
 */
static int ask_continue(void *unused)
{
	struct seccomp_notif_resp response = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
	const struct sock_filter allow = RETURN(SECCOMP_RET_ALLOW);
	const struct sock_fprog program = { 1, (struct sock_filter *)&allow };
	int fd;

	(void)unused;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	fd = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			  SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	/* EBUSY: supervised ourselves, and there is one listener: it cannot be asked. */
	if (fd < 0)
		return errno == EBUSY ? 0 : -errno;
	return expect_error(ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &response), ENOENT);
}

static int ask_listener(void *unused)
{
	int ret = ask_sizes(unused);

	return ret ? ret : expect_error(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
						SECCOMP_FILTER_FLAG_NEW_LISTENER, NULL),
					EFAULT);
}

static int ask_pidfd_open(void *unused)
{
	(void)unused;
	return syscall(SYS_pidfd_open, getpid(), 0) < 0 ? -errno : 0;
}

static int ask_pidfd_send_signal(void *unused)
{
	(void)unused;
	return expect_error(syscall(SYS_pidfd_send_signal, -1, SIGKILL, NULL, 0), EBADF);
}

static int ask_pidfd_getfd(void *unused)
{
	(void)unused;
	return expect_error(syscall(SYS_pidfd_getfd, -1, 0, 0), EBADF);
}

/* Needed where a thread has no pidfd: its files are those of its process, or not. */
static int ask_kcmp(void *unused)
{
	long self = getpid();

	(void)unused;
	if (syscall(SYS_pidfd_open, self, PIDFD_THREAD) >= 0)
		return 0;
	return syscall(SYS_kcmp, self, self, KCMP_FILES, 0, 0) < 0 ? -errno : 0;
}

/* Reads and writes a byte of a process, as a worker does with its callers'. */
static int touch_mark(void *pid)
{
	static char mark;		/* has this address in all our processes */
	char copy;
	struct iovec here = { &copy, 1 }, there = { &mark, 1 };

	return process_vm_readv(*(pid_t *)pid, &here, 1, &there, 1, 0) == 1 &&
	       process_vm_writev(*(pid_t *)pid, &here, 1, &there, 1, 0) == 1 ?
	       0 : -errno;
}

/* Each with the version that it came with, for people. */
static const struct {
	const char *what;
	int (*ask)(void *unused);
} needs[] = {
	{ "seccomp user notification (Linux 5.0)", ask_listener },
	{ "SECCOMP_USER_NOTIF_FLAG_CONTINUE (Linux 5.5)", ask_continue },
	{ "pidfd_open (Linux 5.3)", ask_pidfd_open },
	{ "pidfd_send_signal (Linux 5.1)", ask_pidfd_send_signal },
	{ "pidfd_getfd (Linux 5.6)", ask_pidfd_getfd },
	{ "kcmp (CONFIG_KCMP), which Linux before 6.9 needs,", ask_kcmp },
};

/* Asks for all in one process: a container's start waits for the answer. */
static int ask_all(void *pid)
{
	int ret = touch_mark(pid);
	size_t i;

	for (i = 0; i < sizeof(needs) / sizeof(*needs) && !ret; i++)
		ret = needs[i].ask(NULL);
	return ret;
}

/*
 * Has this kernel all that is needed, and may it be used here? @pid: whose memory is tried,
 * our own or a child's. kernel.yama.ptrace_scope lets a parent read more than others, and a
 * worker is no parent of its callers: so it is a child of ours that tries.
 */
int kernel_check(pid_t pid, char why[WHY_SIZE])
{
	size_t i;
	int ret;

	if (!process_try(ask_all, &pid))
		return 0;
	for (i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		ret = process_try(needs[i].ask, NULL);
		if (ret)
			return why_fail(why, ret,
					"%s cannot be had here: %s; without it a container's calls would hang or fail",
					needs[i].what, strerror(-ret));
	}
	ret = process_try(touch_mark, &pid);
	return ret ? why_fail(why, ret,
			      "the memory of processes may not be read or written here: %s; kernel.yama.ptrace_scope or a seccomp profile forbids it",
			      strerror(-ret)) : 0;
}
