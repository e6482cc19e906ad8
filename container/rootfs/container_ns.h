/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The container that is to be configured: one of its processes, and the way into
 * its mount namespace and back.
 */
#ifndef MPU_ROOTFS_CONTAINER_NS_H
#define MPU_ROOTFS_CONTAINER_NS_H

#include <sys/types.h>

#include "lib/why.h"

/**
 * struct container_ns - a process, held so that its number cannot become another's
 * @pidfd:	-1: it is this one, and there is no namespace to enter
 * @proc:	its folder in /proc
 * @uid, @gid:	owner of that folder: root of its user namespace
 * @mounts:	its mount namespace
 * @home, @folder: ours, and our working folder, to come back to
 * @fds:	/proc/self/fd of the host
 */
struct container_ns {
	int pidfd;
	int proc;
	uid_t uid;
	gid_t gid;
	int mounts;
	int home, folder;
	int fds;
};

/**
 * container_ns_open() - hold on to it
 * @pid:	0: this process
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int container_ns_open(struct container_ns *target, pid_t pid, char why[WHY_SIZE]);

/**
 * container_ns_enter() - be in its mount namespace; the working folder is its root
 *
 * Return: as container_ns_open(); -ESRCH: the process has ended.
 */
int container_ns_enter(const struct container_ns *target, char why[WHY_SIZE]);

/** container_ns_leave() - be back where container_ns_open() was called. Return: as it */
int container_ns_leave(const struct container_ns *target, char why[WHY_SIZE]);

void container_ns_close(struct container_ns *target);

#endif /* MPU_ROOTFS_CONTAINER_NS_H */
