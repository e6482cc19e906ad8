// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the kernel for what engine notify cannot do without.
 */
#include <errno.h>
#include <linux/kcmp.h>
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
static int ask_sizes(void)
{
	struct seccomp_notif_sizes sizes;

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
static int ask_continue(void)
{
	struct seccomp_notif_resp response = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
	const struct sock_filter allow = RETURN(SECCOMP_RET_ALLOW);
	const struct sock_fprog program = { 1, (struct sock_filter *)&allow };
	int fd;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	fd = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			  SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	/* EBUSY: supervised ourselves, and there is one listener: it cannot be asked. */
	if (fd < 0)
		return errno == EBUSY ? 0 : -errno;
	return expect_error(ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &response), ENOENT);
}

static int ask_listener(void)
{
	int ret = ask_sizes();

	return ret ? ret : expect_error(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
						SECCOMP_FILTER_FLAG_NEW_LISTENER, NULL),
					EFAULT);
}

/* Needed where a thread has no pidfd: its files are those of its process, or not. */
static int ask_kcmp(void)
{
	long self = getpid();

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

/* Each with the version that it came with, for people: @ask, or @call, which -1 makes fail */
static const struct need {
	const char *what;
	int (*ask)(void);
	long call;
	int error;
} needs[] = {
	{ "seccomp user notification (Linux 5.0)", ask_listener, 0, 0 },
	{ "SECCOMP_USER_NOTIF_FLAG_CONTINUE (Linux 5.5)", ask_continue, 0, 0 },
	{ "pidfd_open (Linux 5.3)", NULL, SYS_pidfd_open, EINVAL },
	{ "pidfd_send_signal (Linux 5.1)", NULL, SYS_pidfd_send_signal, EBADF },
	{ "pidfd_getfd (Linux 5.6)", NULL, SYS_pidfd_getfd, EBADF },
	{ "kcmp (CONFIG_KCMP), which Linux before 6.9 needs,", ask_kcmp, 0, 0 },
};

static int ask_for(void *arg)
{
	const struct need *need = arg;

	return need->ask ? need->ask() :
	       expect_error(syscall(need->call, -1, 0, NULL, 0), need->error);
}

/* Asks for all in one process: a container's start waits for the answer. */
static int ask_all(void *pid)
{
	int ret = touch_mark(pid);
	size_t i;

	for (i = 0; i < sizeof(needs) / sizeof(*needs) && !ret; i++)
		ret = ask_for((void *)&needs[i]);
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
		ret = process_try(ask_for, (void *)&needs[i]);
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
