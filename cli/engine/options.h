/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that several commands of engines have.
 */
#ifndef MPU_CLI_ENGINE_OPTIONS_H
#define MPU_CLI_ENGINE_OPTIONS_H

#include "cli/command/command.h"
#include "engines/notify/notify.h"

extern const struct command_option unknown_option[];	/* --unknown */
extern const struct command_option cpu_option[];	/* --cpu */

/**
 * read_monitor_options() - read both, where engine notify can translate: to a worker in
 * another PID namespace the driver's numbers would say nothing
 *
 * Return: CLI_DONE, or as command_fail().
 */
int read_monitor_options(const struct command_call *call, struct monitor_options *options);

#endif /* MPU_CLI_ENGINE_OPTIONS_H */
