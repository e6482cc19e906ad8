/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mounts that are in no tree yet (open_tree(2), fsmount(2)): made and given
 * their attributes on the host, and only then attached, so that there is no moment
 * in which a container has them with other attributes.
 */
#ifndef MPU_ROOTFS_DETACHED_MOUNT_H
#define MPU_ROOTFS_DETACHED_MOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "lib/strv.h"
#include "lib/why.h"
#include "nvidia/driver_root.h"

/* Attributes of what nobody is to run, as mount_setattr(2) has them. */
#define TREE_NO_PROGRAMS (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)

/**
 * struct detached_mount - a mount in no tree, or one that detached_mount_attach() has attached
 * @fd:		of it; stays with it when it is attached
 * @mode:	type and mode of what it shows
 * @device:	number of what it shows, if that is a node
 * @late:	attributes that it still lacks: the kernel has no mount_setattr
 */
struct detached_mount {
	int fd;
	mode_t mode;
	dev_t device;
	uint64_t late;
};

/**
 * detached_mount_find() - open something of the host's
 * @driver:	what of @path stands below it is looked for there, and its links do not
 *		lead out; NULL: none
 * @path:	on the host
 * @flags:	of open(2)
 *
 * Return: a descriptor or negative errno.
 */
int detached_mount_find(const struct driver_root *driver, const char *path, int flags);

/**
 * detached_mount_open() - a mount of something of the host's
 * @driver, @path: as of detached_mount_find(); a link at its end is refused
 *
 * A regular file that others than root own, or may write, is refused: a
 * container would run what they put there.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int detached_mount_open(struct detached_mount *tree, const struct driver_root *driver,
			const char *path, char why[WHY_SIZE]);

/**
 * detached_mount_restrict() - give it attributes, and keep it out of propagation
 * @attributes:	MOUNT_ATTR_...
 * @allow_old:	go on where the kernel cannot (before 5.12): detached_mount_attach() does it
 *
 * Return: as detached_mount_open().
 */
int detached_mount_restrict(struct detached_mount *tree, uint64_t attributes, bool allow_old,
			    char why[WHY_SIZE]);

/** detached_mount_attributes() - what a mount's options ask for: "ro", "noexec" */
uint64_t detached_mount_attributes(const struct strv *options);

/**
 * detached_mount_attach() - put it at a place
 * @place:	O_PATH, in this mount namespace
 * @fds:	a descriptor of /proc/self/fd, which is not everywhere at /proc
 *
 * Return: 0 or negative errno.
 */
int detached_mount_attach(struct detached_mount *tree, int place, int fds);

/** detached_mount_detach() - take it away again, as far as it is still there */
void detached_mount_detach(const struct detached_mount *tree, int fds);

void detached_mount_close(struct detached_mount *tree);

/**
 * struct scratch - files in memory, a filesystem of their own
 * @context:	of fsopen(2)
 * @mount:	its root folder
 */
struct scratch {
	int context;
	int mount;
};

/** scratch_make() - an empty one, of mode 0555. Return: as detached_mount_open() */
int scratch_make(struct scratch *scratch, char why[WHY_SIZE]);

/**
 * scratch_write() - add a file of mode 0444
 * @path:	folders on the way are made; none of them is a link
 *
 * Return: 0 or negative errno.
 */
int scratch_write(const struct scratch *scratch, const char *path,
		  const char *data, size_t size);

/** scratch_folder() - add a folder of mode 0555. Return: 0 or negative errno */
int scratch_folder(const struct scratch *scratch, const char *path);

/** scratch_seal() - nothing in it can be changed any more. Return: as detached_mount_open() */
int scratch_seal(struct scratch *scratch, char why[WHY_SIZE]);

/**
 * scratch_take() - a mount of one file or folder of it
 *
 * It must be attached by now: the kernel copies no mount of another tree.
 *
 * Return: 0 or negative errno.
 */
int scratch_take(const struct scratch *scratch, const char *path,
		 struct detached_mount *tree);

void scratch_close(struct scratch *scratch);

#endif /* MPU_ROOTFS_DETACHED_MOUNT_H */
