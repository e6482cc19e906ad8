/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places in a container's root: what something is mounted on, or made in. Found,
 * and made where they are missing, without following a link out of the root; and
 * taken away again if the container cannot be had.
 */
#ifndef MPU_ROOTFS_MOUNT_TARGET_H
#define MPU_ROOTFS_MOUNT_TARGET_H

#include <stddef.h>
#include <sys/stat.h>

#include "lib/why.h"

/**
 * struct made - a file, folder or link that was made
 * @parent:	its folder
 * @name:	in it
 * @mode:	its type
 * @size:	of a file
 */
struct made {
	int parent;
	char *name;
	mode_t mode;
	size_t size;
};

/**
 * struct mount_targets - a root, and what was made in it
 * @root:	O_PATH
 * @writable:	the same folder, or a mount of it that only we have, where the root is
 *		mounted read-only: crun does that before it calls hooks
 * @uid, @gid:	who is to own what is made: root of the container, who is another
 *		than ours if it has a user namespace; the kernel refuses to make
 *		files on a filesystem that does not know their owner (EOVERFLOW)
 */
struct mount_targets {
	int root, writable;
	uid_t uid;
	gid_t gid;
	struct made *made;
	size_t n;
};

/**
 * mount_targets_open() - open a root
 * @places:	receives @root and @writable
 *
 * Return: 0 or negative errno.
 */
int mount_targets_open(struct mount_targets *places, const char *root);

/**
 * mount_target_open() - a descriptor to mount something on, which is made if missing
 * @path:	in the container
 * @mode:	of what is to be mounted: a folder needs a folder, anything else a
 *		file or something of its own type
 *
 * A link at the end of the path is followed in the root; one that leads nowhere
 * is refused, and so is one to files of the kernel's: to mount something over these
 * could free the container of what holds it.
 *
 * Return: a descriptor (O_PATH), or negative errno and a sentence in @why.
 */
int mount_target_open(struct mount_targets *places, const char *path, mode_t mode,
		      char why[WHY_SIZE]);

/**
 * mount_target_file() - make a file that says something, where there is none
 *
 * Return: 0, also if there is something; or negative errno and a sentence in @why.
 */
int mount_target_file(struct mount_targets *places, const char *path, const char *text,
		      char why[WHY_SIZE]);

/**
 * mount_target_own() - write a file of the container's own: in_root_replace()
 *
 * It stays as it is whatever becomes of the container.
 *
 * Return: 0 or negative errno.
 */
int mount_target_own(struct mount_targets *places, const char *path, const void *bytes,
		     size_t size);

/**
 * mount_target_link() - make a symbolic link
 * @target:	what it says; nobody looks whether that exists
 *
 * A link with that target stays; another one is replaced, and so is a file
 * without content, which a container's mount points leave in an image.
 *
 * Return: 0, or negative errno and a sentence in @why; -EEXIST: there is
 * something else.
 */
int mount_target_link(struct mount_targets *places, const char *path, const char *target,
		      char why[WHY_SIZE]);

/**
 * mount_targets_undo() - take away what was made, unless it was changed since; what a
 * link has replaced does not come back
 */
void mount_targets_undo(struct mount_targets *places);

/** mount_targets_close() - give up the record of it, and the root */
void mount_targets_close(struct mount_targets *places);

#endif /* MPU_ROOTFS_MOUNT_TARGET_H */
