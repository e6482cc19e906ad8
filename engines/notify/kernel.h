/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's interface that engine notify cannot do without; and words that headers
 * of Linux 6.1 do not have yet, each of which may be refused: their users say what
 * happens then.
 */
#ifndef MPU_NOTIFY_KERNEL_H
#define MPU_NOTIFY_KERNEL_H

#include <fcntl.h>
#include <linux/nsfs.h>
#include <linux/seccomp.h>
#include <sys/types.h>

#include "lib/why.h"

/* 5.19: once received, only a fatal signal interrupts the caller. */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV	(1UL << 5)
#endif

/* 6.6: the caller wakes who handles its call on its own CPU, and back. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS		SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP	(1UL << 0)
#endif

/* 6.9: a pidfd of a thread; its files may be those of no other. */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD				O_EXCL
#endif

/* 6.11: numbers between the caller's PID namespace and that of a descriptor. */
#ifndef NS_GET_PID_FROM_PIDNS
#define NS_GET_PID_FROM_PIDNS			_IOR(NSIO, 0x6, int)
#define NS_GET_TGID_FROM_PIDNS			_IOR(NSIO, 0x7, int)
#define NS_GET_PID_IN_PIDNS			_IOR(NSIO, 0x8, int)
#define NS_GET_TGID_IN_PIDNS			_IOR(NSIO, 0x9, int)
#endif

/**
 * kernel_check() - has this kernel all that the engine needs, and may it be used here?
 * @pid:	whose memory is tried: our own PID, or that of a child, which runs this
 *		program, too
 *
 * kernel.yama.ptrace_scope lets a parent read more than others, and a worker is no
 * parent of its callers: so it is a child of ours that tries.
 *
 * Return: 0, or negative errno with a sentence in @why.
 */
int kernel_check(pid_t pid, char why[WHY_SIZE]);

#endif /* MPU_NOTIFY_KERNEL_H */
