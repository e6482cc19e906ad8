// SPDX-License-Identifier: GPL-2.0-only
/*
 * The seccomp filter, written out: libseccomp 2.5 (Debian 12) cannot ask for
 * WAIT_KILLABLE_RECV, without which a signal makes the kernel drop a call that
 * is being carried out, and ask for it again.
 *
 * Calls other than ioctl are allowed before any argument is looked at, which
 * kernels from 5.11 know without running the filter.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/seccomp.h"

/* 5.19, not in headers of Linux 6.1: once received, only a fatal signal interrupts the caller. */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV	(1UL << 5)
#endif

#if defined(__x86_64__)
#define ARCH_IOCTL	16
#define ARCH_IOCTL_X32	514
#define ARCH_32		AUDIT_ARCH_I386
/* x32 has a bit of its own; kernels up to 5.5 mix the two tables. */
#define ARCH_MASK	0xbfffffffu
#elif defined(__aarch64__)
#define ARCH_IOCTL	29
#define ARCH_IOCTL_X32	29
#define ARCH_32		AUDIT_ARCH_ARM
#define ARCH_MASK	0xffffffffu
#else
#error "which number has ioctl here?"
#endif
#define ARCH_32_IOCTL	54

static const struct sock_filter program[] = {
	/* 0 */ LOAD(arch),
	/* 1 */ IF(ARCH, 0, 4),
	/* 2 */ LOAD(nr),
	/* 3 */ AND(ARCH_MASK),
	/* 4 */ IF(ARCH_IOCTL, 4, 0),
	/* 5 */ IF(ARCH_IOCTL_X32, 3, 7),
	/* 6 */ IF(ARCH_32, 0, 6),
	/* 7 */ LOAD(nr),
	/* 8 */ IF(ARCH_32_IOCTL, 0, 4),
	/* The low half of the request; the same place on any 64-bit CPU of little endian. */
	/* 9 */ LOAD(args[1]),
	/* 10 */ AND(FILTER_MASK),
	/* 11 */ IF(FILTER_CONTROL, 2, 0),
	/* 12 */ IF(FILTER_XFER, 1, 0),
	/* 13 */ RETURN(SECCOMP_RET_ALLOW),
	/* 14 */ RETURN(SECCOMP_RET_USER_NOTIF),
};

static int install_filter(unsigned long flags)
{
	struct sock_fprog fprog = {
		.len = sizeof(program) / sizeof(program[0]),
		.filter = (struct sock_filter *)program,
	};
	long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &fprog);

	return fd < 0 ? -errno : (int)fd;
}

int filter_install(void)
{
	int fd = install_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER |
			 SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);

	/* Linux before 5.19 does not know the flag. */
	return fd == -EINVAL ? install_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER) : fd;
}

bool filter_can_wait_killable(void)
{
	/* A flag that is known gets as far as to the program, which is not there. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		       SECCOMP_FILTER_FLAG_NEW_LISTENER |
		       SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, NULL) &&
	       errno == EFAULT;
}
