/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The choice of GPU processes by a command line.
 */
#ifndef MPU_CLI_VIEW_PROCESS_FILTER_H
#define MPU_CLI_VIEW_PROCESS_FILTER_H

#include "cli/command/command.h"
#include "host/gpu_usage.h"

extern const struct command_option process_filter_options[];

/**
 * filter_read() - take the filter from a command line
 *
 * Return: CLI_DONE, or as command_fail().
 */
enum cli_exit filter_read(const struct command_call *call, struct usage_filter *filter);

/** filter_check() - is the GPU there that it names? Return: as filter_read() */
enum cli_exit filter_check(const struct command_call *call, const struct usage_filter *filter,
			   const struct usage *usage);

#endif /* MPU_CLI_VIEW_PROCESS_FILTER_H */
