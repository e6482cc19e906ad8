/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the list of edits of its inputs.
 */
#ifndef MPU_CONTAINER_PLAN_PLAN_H
#define MPU_CONTAINER_PLAN_PLAN_H

#include <sys/stat.h>

#include "container/plan/edits.h"
#include "container/plan/inputs.h"

/**
 * plan_edits() - make the list
 *
 * The same input gives the same list, byte for byte.
 *
 * Return: 0, or negative errno and a sentence in @why: the driver lacks what the
 * container cannot do without.
 */
int plan_edits(struct edits *edits, const struct plan_inputs *plan,
	       char why[WHY_SIZE]);

/**
 * plan_group() - the group that a process must be in to use a device node
 *
 * Return: 0: it need not be in any.
 */
gid_t plan_group(const struct stat *node);

/**
 * plan_profile() - the application profile that names the GPUs EGL may take
 * @minors:	their minor numbers
 *
 * Return: text of the file, the caller's to free; NULL: no memory.
 */
char *plan_profile(const uint32_t *minors, size_t n);

#endif /* MPU_CONTAINER_PLAN_PLAN_H */
