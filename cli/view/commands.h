/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands that show who uses the GPUs, and what is translated.
 */
#ifndef MPU_CLI_VIEW_COMMANDS_H
#define MPU_CLI_VIEW_COMMANDS_H

#include "cli/command/command.h"

extern const struct command command_ps, command_top, command_metrics, command_controls;

#endif /* MPU_CLI_VIEW_COMMANDS_H */
