/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu top: who uses the GPUs, live.
 */
#ifndef MPU_CLI_VIEW_TOP_TOP_H
#define MPU_CLI_VIEW_TOP_TOP_H

#include "cli/command/command.h"

extern const struct command command_top;

#endif /* MPU_CLI_VIEW_TOP_TOP_H */
