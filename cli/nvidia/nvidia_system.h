/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvidia-ctk system: device nodes, as rules of udev and scripts call it.
 */
#ifndef MPU_CLI_NVIDIA_NVIDIA_SYSTEM_H
#define MPU_CLI_NVIDIA_NVIDIA_SYSTEM_H

#include "cli/tool.h"

extern const struct tool_command system_commands[];	/* ends with a NULL name */

#endif /* MPU_CLI_NVIDIA_NVIDIA_SYSTEM_H */
