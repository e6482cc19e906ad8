/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time from one reading to the next.
 */
#ifndef MPU_CLI_VIEW_INTERVAL_H
#define MPU_CLI_VIEW_INTERVAL_H

#include <stdbool.h>

#include "cli/command/command.h"

/**
 * interval_read() - take it from an option
 * @seconds:	receives it; it stays as it is where the option has no value
 *
 * Return: CLI_DONE, or as command_fail_usage().
 */
enum cli_exit interval_read(const struct command_call *call, const char *option,
			    double *seconds);

/** interval_parse() - take it from a text; false: it is no time from 0.1 to 3600 seconds */
bool interval_parse(const char *text, double *seconds);

/** interval_sleep() - wait for it, whatever signals come */
void interval_sleep(double seconds);

#endif /* MPU_CLI_VIEW_INTERVAL_H */
