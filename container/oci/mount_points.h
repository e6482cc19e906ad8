/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mount points that a runtime, or the hook of mode legacy, makes in a container's root:
 * empty files and folders, and the hook's links. They would stay there, also in an
 * image that is made of the container. So the ones that are missing when the container
 * is made are written down beside config.json, and removed when the container has
 * ended.
 *
 * By then the image may have put anything in their place: only what is found below the
 * root is removed, and only if it is as empty as it was made, or a link with the same
 * target.
 */
#ifndef MPU_OCI_MOUNT_POINTS_H
#define MPU_OCI_MOUNT_POINTS_H

#include <json-c/json.h>

#include "container/plan/edits.h"
#include "lib/why.h"

/**
 * oci_mount_points_record() - write down which mount points of the edits are
 * missing; those of an earlier container of that bundle and root are used again, and
 * removed with these; those of another root are removed before
 * @bundle:	its folder
 * @root:	the container's root folder: absolute
 * @config:	its configuration: what it mounts is not in the root
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_mount_points_record(const char *bundle, const char *root,
			    struct json_object *config, const struct edits *edits,
			    char why[WHY_SIZE]);

/**
 * oci_mount_points_remove() - remove what was written down, and that
 *
 * To remove a mount point takes away what any other process has mounted there: as
 * long as the root is the root folder of a process, or a runtime has mounted anything
 * in it for another container, nothing is done.
 *
 * Return: as oci_mount_points_record(); -EBUSY: there is such a process; -EPERM: others
 * could have written what is written down.
 */
int oci_mount_points_remove(const char *bundle, char why[WHY_SIZE]);

#endif /* MPU_OCI_MOUNT_POINTS_H */
