/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu container nodes: the driver's device nodes, as containers need them.
 */
#ifndef MPU_CLI_NVIDIA_CONTAINER_NODES_H
#define MPU_CLI_NVIDIA_CONTAINER_NODES_H

#include "cli/tool.h"

/**
 * struct nodes_work - what is to be done
 * @root:	of the driver, "" or "/" for this machine's own
 * @load:	the driver's modules, first
 * @nodes:	device nodes that are missing
 * @links:	/dev/char/MAJOR:MINOR of nodes that are there
 * @check:	make nothing: say what is wrong
 */
struct nodes_work {
	const char *root;
	bool load, nodes, links, check;
};

/** nodes_do() - Return: an exit status; with @check CLI_NO if something is wrong */
int nodes_do(const struct tool_call *call, const struct nodes_work *work);

extern const struct tool_option container_nodes_options[];

/** container_nodes() - Return: an exit status. */
int container_nodes(const struct tool_call *call);

#endif /* MPU_CLI_NVIDIA_CONTAINER_NODES_H */
