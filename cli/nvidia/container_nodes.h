/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu container nodes: the driver's device nodes, as containers need them.
 */
#ifndef MPU_CLI_NVIDIA_CONTAINER_NODES_H
#define MPU_CLI_NVIDIA_CONTAINER_NODES_H

#include "cli/command/command.h"

/**
 * struct nodes_work - what is to be done
 * @root:	of the driver, "" or "/" for this machine's own
 * @dev:	before /dev, likewise; NULL: where the driver's is
 * @load:	the driver's modules, first
 * @nodes:	device nodes that are missing
 * @links:	/dev/char/MAJOR:MINOR of nodes that are there
 * @check:	make nothing: say what is wrong
 */
struct nodes_work {
	const char *root, *dev;
	bool load, nodes, links, check;
};

/** nodes_do() - Return: an exit status; with @check CLI_NO if something is wrong */
int nodes_do(const struct command_call *call, const struct nodes_work *work);

#endif /* MPU_CLI_NVIDIA_CONTAINER_NODES_H */
