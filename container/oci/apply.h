/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of edits made in a configuration: members that an OCI runtime carries
 * out itself, without a hook and without a rule that another program would undo.
 */
#ifndef MPU_CONTAINER_OCI_APPLY_H
#define MPU_CONTAINER_OCI_APPLY_H

#include "container/plan/edits.h"
#include "lib/json_file.h"

/**
 * oci_can_make() - is there a member for an edit?
 *
 * Runtimes make no links, and refuse mounts below /proc. A link becomes a mount of its
 * source; a link without a source is left out. Masks stand in for EDIT_PROC.
 */
bool oci_can_make(const struct edit *edit);

/**
 * oci_inject() - make the edits
 * @bundle:	folder of the configuration, which files are added to that the
 *		container is to see; absolute
 * @root:	of the container, which files of its own are written into; NULL: they are
 *		mounted
 *
 * Edits that oci_can_make() refuses are left out. Other members stay as they are. Edits
 * that were made are found and made the same again: the second time nothing changes.
 *
 * Return: 0, or negative errno and a sentence in @why: the configuration may be
 * half edited then.
 */
int oci_inject(struct json_object *config, const struct edits *edits,
	       const char *bundle, const char *root, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_OCI_APPLY_H */
