/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running the host's ldconfig on a container's files, as nvidia-container-cli
 * does it: in namespaces of its own, with nothing of the host in sight.
 */
#ifndef MPU_ROOTFS_LDCONFIG_H
#define MPU_ROOTFS_LDCONFIG_H

#include "container/image/layout.h"
#include "container/rootfs/target.h"

/**
 * struct ldconfig - what to run, and on what
 * @program:	a sealed copy of the host's, in memory
 * @root:	of the container, as its mount namespace has it
 * @layout:	folders to look into, besides those that /etc/ld.so.conf names
 * @no_pivot:	move the root and chroot(2) instead of pivot_root(2)
 */
struct ldconfig {
	int program;
	const char *root;
	const struct layout *layout;
	bool no_pivot;
};

/**
 * ldconfig_open() - copy a program
 * @path:	"@/sbin/ldconfig": on the host. Without "@" it is one of the image,
 *		which nobody here runs
 *
 * Return: 0, or negative errno and a sentence in @why; -ENOENT: there is none.
 */
int ldconfig_open(struct ldconfig *ldconfig, const char *path,
		  char why[WHY_SIZE]);

/**
 * ldconfig_run() - run it
 * @target:	the container, which is not entered
 *
 * Return: as ldconfig_open().
 */
int ldconfig_run(const struct ldconfig *ldconfig, const struct target *target,
		 char why[WHY_SIZE]);

void ldconfig_close(struct ldconfig *ldconfig);

#endif /* MPU_ROOTFS_LDCONFIG_H */
