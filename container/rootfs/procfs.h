/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/driver/nvidia as a container gets it. The driver's own also shows all GPUs
 * of the machine, and has files that change the driver: registry, unbindLock and
 * others are guarded by their mode alone.
 */
#ifndef MPU_ROOTFS_PROCFS_H
#define MPU_ROOTFS_PROCFS_H

#include "container/plan/edits.h"
#include "container/rootfs/detached_mount.h"

/**
 * procfs_params() - the driver's parameters, as a container is to see them:
 * programs of the driver must not make or change nodes there
 * @params:	content of the file "params"
 *
 * Return: the changed text, the caller's to free; NULL: there is nothing to
 * change, or errno is ENOMEM.
 */
char *procfs_params(const char *params);

/**
 * struct kept - a file or folder of the host's that stays in the folder
 * @path:	in it: "gpus/0000:3b:00.0/information"
 * @tree:	it
 * @place:	what it is mounted on
 */
struct kept {
	char *path;
	struct detached_mount tree;
	int place;
};

/**
 * struct procfs - the folder, made on the host
 * @scratch:	params, version and registry, and a place for each that is kept;
 *		sealed
 * @whole:	@scratch's root, to be attached
 */
struct procfs {
	struct scratch scratch;
	struct detached_mount whole;
	struct kept *kept;
	size_t n;
};

/**
 * procfs_make() - make it
 * @edit:	of kind EDIT_PROC
 * @driver:	NULL: the host's own
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int procfs_make(struct procfs *procfs, const struct edit *edit,
		const struct driver_root *driver, bool allow_old,
		char why[WHY_SIZE]);

/**
 * procfs_attach() - attach it, and what stays in it
 * @place, @fds: as of detached_mount_attach()
 *
 * Return: 0 or negative errno.
 */
int procfs_attach(struct procfs *procfs, int place, int fds);

void procfs_close(struct procfs *procfs);

#endif /* MPU_ROOTFS_PROCFS_H */
