/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inputs of plan_edits(): what is installed, what is selected, and how the image is
 * laid out.
 */
#ifndef MPU_CONTAINER_PLAN_INPUTS_H
#define MPU_CONTAINER_PLAN_INPUTS_H

#include "container/image/layout.h"
#include "container/request/selection.h"
#include "container/request/settings.h"
#include "nvidia/installation.h"

/**
 * struct plan_inputs - what to plan for
 * @settings:	config.toml, whose keys count here and nowhere before; NULL: there is none
 * @capabilities: enum capability
 * @root:	of the container, whose ld.so.cache is made anew; NULL: there is none yet
 * @library_path: LD_LIBRARY_PATH that the container has, NULL: it has none
 * @by_path:	what is mounted is named by its path, for others to open
 * @why_devices, @why_capabilities: what asked for them, for `explain`
 */
struct plan_inputs {
	const struct installation *installation;
	const struct selection *selection;
	const struct layout *layout;
	const struct settings *settings;
	unsigned int capabilities;
	const char *root;
	const char *library_path;
	bool by_path;
	const char *why_devices, *why_capabilities;
};

#endif /* MPU_CONTAINER_PLAN_INPUTS_H */
