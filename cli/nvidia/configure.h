/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu configure, and nvidia-ctk runtime configure: have a container engine know a
 * runtime.
 */
#ifndef MPU_CLI_NVIDIA_CONFIGURE_H
#define MPU_CLI_NVIDIA_CONFIGURE_H

#include "cli/tool.h"

extern const struct tool tool_configure;	/* mpu configure */

/* Of nvidia-ctk; ends with a NULL name. */
extern const struct tool_command configure_commands[];

#endif /* MPU_CLI_NVIDIA_CONFIGURE_H */
