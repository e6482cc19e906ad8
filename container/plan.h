/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what is installed, what is selected and how the image is laid out to the
 * list of edits.
 */
#ifndef MPU_CONTAINER_PLAN_H
#define MPU_CONTAINER_PLAN_H

#include "container/edits.h"
#include "container/layout.h"
#include "container/selection.h"
#include "nvidia/installation.h"

/**
 * struct plan - what to plan for
 * @capabilities: enum capability
 * @why_devices, @why_capabilities: what asked for them, for `explain`
 */
struct plan {
	const struct installation *installation;
	const struct selection *selection;
	const struct layout *layout;
	unsigned int capabilities;
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

#endif /* MPU_CONTAINER_PLAN_H */
