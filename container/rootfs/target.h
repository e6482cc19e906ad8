/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The container that is to be configured: one of its processes, and the way into
 * its mount namespace and back.
 */
#ifndef MPU_ROOTFS_TARGET_H
#define MPU_ROOTFS_TARGET_H

#include <sys/types.h>

#include "lib/why.h"

/**
 * struct target - a process, held so that its number cannot become another's
 * @pidfd:	-1: it is this one, and there is no namespace to enter
 * @proc:	its folder in /proc
 * @uid, @gid:	owner of that folder: root of its user namespace
 * @mounts:	its mount namespace
 * @home, @folder: ours, and our working folder, to come back to
 * @fds:	/proc/self/fd of the host
 */
struct target {
	int pidfd;
	int proc;
	uid_t uid;
	gid_t gid;
	int mounts;
	int home, folder;
	int fds;
};

/**
 * target_open() - hold on to it
 * @pid:	0: this process
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int target_open(struct target *target, pid_t pid, char why[WHY_SIZE]);

/**
 * target_enter() - be in its mount namespace; the working folder is its root
 *
 * Return: as target_open(); -ESRCH: the process has ended.
 */
int target_enter(const struct target *target, char why[WHY_SIZE]);

/** target_leave() - be back where target_open() was called. Return: as it */
int target_leave(const struct target *target, char why[WHY_SIZE]);

void target_close(struct target *target);

#endif /* MPU_ROOTFS_TARGET_H */
