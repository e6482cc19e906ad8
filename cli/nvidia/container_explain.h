/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu container explain: what a container would be given, and why.
 */
#ifndef MPU_CLI_NVIDIA_CONTAINER_EXPLAIN_H
#define MPU_CLI_NVIDIA_CONTAINER_EXPLAIN_H

#include "cli/tool.h"

extern const struct tool_option container_explain_options[];

/** container_explain() - Return: an exit status. */
int container_explain(const struct tool_call *call);

#endif /* MPU_CLI_NVIDIA_CONTAINER_EXPLAIN_H */
