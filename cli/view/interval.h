/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time from one reading to the next.
 */
#ifndef MPU_CLI_VIEW_INTERVAL_H
#define MPU_CLI_VIEW_INTERVAL_H

#include "cli/command/command.h"

/**
 * interval_read() - take it from an option
 * @seconds:	receives it; it stays as it is where the option has no value
 *
 * Return: CLI_DONE, or as command_fail_usage().
 */
enum cli_exit interval_read(const struct command_call *call, const char *option,
			    double *seconds);

/** interval_sleep() - wait for it, whatever signals come */
void interval_sleep(double seconds);

#endif /* MPU_CLI_VIEW_INTERVAL_H */
