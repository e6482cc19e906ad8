/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands that start an engine, stop it, and say how it is.
 */
#ifndef MPU_CLI_ENGINE_ENGINE_H
#define MPU_CLI_ENGINE_ENGINE_H

#include "cli/command/command.h"

extern const struct command command_up, command_down, command_run, command_agent,
	command_node, command_status, command_why;

#endif /* MPU_CLI_ENGINE_ENGINE_H */
