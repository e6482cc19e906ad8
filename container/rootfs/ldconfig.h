/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running the host's ldconfig on a container's files, for the hook update-ldcache: in
 * namespaces of its own, with nothing of the host in sight, and for so long.
 */
#ifndef MPU_ROOTFS_LDCONFIG_H
#define MPU_ROOTFS_LDCONFIG_H

#include "container/rootfs/target.h"

/**
 * struct ldconfig - what to run, and on what
 * @program:	a sealed copy of the host's, in memory
 * @root:	of the container, as its mount namespace has it
 * @seconds:	how long it may take
 */
struct ldconfig {
	int program;
	const char *root;
	int seconds;
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
