/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inputs of plan_edits(): what is installed, what is selected, and how the image is
 * laid out.
 */
#ifndef MPU_CONTAINER_PLAN_INPUTS_H
#define MPU_CONTAINER_PLAN_INPUTS_H

#include "container/image/layout.h"
#include "container/request/selection.h"
#include "nvidia/installation.h"

/**
 * struct plan_inputs - what to plan for
 * @capabilities: enum capability
 * @root:	of the container, whose ld.so.cache is made anew; NULL: there is none yet
 * @library_path: LD_LIBRARY_PATH that the container has, NULL: it has none
 * @no_groups:	its process is not to be in the groups that own device nodes
 * @by_path:	what is mounted is named by its path, for others to open
 * @no_sockets:	it is not to have the sockets of the driver's daemons
 * @why_devices, @why_capabilities: what asked for them, for `explain`
 */
struct plan_inputs {
	const struct installation *installation;
	const struct selection *selection;
	const struct layout *layout;
	unsigned int capabilities;
	const char *root;
	const char *library_path;
	bool no_groups, by_path, no_sockets;
	const char *why_devices, *why_capabilities;
};

#endif /* MPU_CONTAINER_PLAN_INPUTS_H */
