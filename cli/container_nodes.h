/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu container nodes: the driver's device nodes, as containers need them.
 */
#ifndef MPU_CLI_CONTAINER_NODES_H
#define MPU_CLI_CONTAINER_NODES_H

#include "cli/tool.h"

extern const struct tool_option container_nodes_options[];

/** container_nodes() - Return: an exit status. */
int container_nodes(const struct tool_call *call);

#endif /* MPU_CLI_CONTAINER_NODES_H */
