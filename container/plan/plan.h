/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what is installed, what is selected and how the image is laid out to the
 * list of edits.
 */
#ifndef MPU_CONTAINER_PLAN_PLAN_H
#define MPU_CONTAINER_PLAN_PLAN_H

#include <sys/stat.h>

#include "container/image/layout.h"
#include "container/plan/edits.h"
#include "container/request/selection.h"
#include "nvidia/installation.h"

/**
 * struct plan - what to plan for
 * @capabilities: enum capability
 * @root:	of the container: a new ld.so.cache is made for an image whose own
 *		leads elsewhere; NULL: leave that to ldconfig
 * @library_path: LD_LIBRARY_PATH that the container has, NULL: it has none
 * @no_groups:	its process is not to be in the groups that own device nodes
 * @why_devices, @why_capabilities: what asked for them, for `explain`
 */
struct plan {
	const struct installation *installation;
	const struct selection *selection;
	const struct layout *layout;
	unsigned int capabilities;
	const char *root;
	const char *library_path;
	bool no_groups;
	const char *why_devices, *why_capabilities;
};

/**
 * plan_edits() - make the list
 *
 * The same input gives the same list, byte for byte.
 *
 * Return: 0, or negative errno and a sentence in @why: the driver lacks what the
 * container cannot do without.
 */
int plan_edits(struct edits *edits, const struct plan *plan,
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
