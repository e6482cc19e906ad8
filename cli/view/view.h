/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands that show who uses the GPUs and what is translated, and what they share with
 * mpu top (cli/view/top).
 */
#ifndef MPU_CLI_VIEW_VIEW_H
#define MPU_CLI_VIEW_VIEW_H

#include "cli/command/command.h"
#include "host/host.h"

extern const struct command command_ps, command_metrics, command_controls;

#define USAGE_NAME	(2 * OWNER_NAME)	/* room for "NAMESPACE/POD" */

/** usage_name_outside() - of a job its number and step, of a service its unit; else "" */
void usage_name_outside(char name[USAGE_NAME], const struct owner *owner);

/**
 * usage_name_container() - the container's name; its id's first 12 digits, if it has
 * none here; without one as usage_name_outside()
 */
void usage_name_container(char name[USAGE_NAME], const struct owner *owner);

/** usage_name_pod() - "NAMESPACE/POD"; of an unnamed pod its UID; "" without one */
void usage_name_pod(char name[USAGE_NAME], const struct owner *owner);

/** usage_gone_text() - what is said of a process that is gone, in place of its command */
const char *usage_gone_text(void);

#define GPU_STATE_TEXT	160

/** gpu_state_format() - "41 C", "71 W", "P0"; "": it is not known */
void gpu_state_format(char text[GPU_STATE_TEXT], const struct gpu_state *state,
		      enum gpu_value value);

/**
 * gpu_state_format_two() - "71 W of 700 W", or as many of the two as are known
 * @between:	NULL: there is one alone
 */
void gpu_state_format_two(char text[GPU_STATE_TEXT], const struct gpu_state *state,
			  enum gpu_value one, const char *between, enum gpu_value other);

/** gpu_state_format_slow() - why clocks are held down, but for idleness; "": nothing does */
void gpu_state_format_slow(char text[GPU_STATE_TEXT], const struct gpu_state *state);

/* The choice of GPU processes by a command line. */
extern const struct command_option process_filter_options[];

/** filter_read() - take the filter from a command line. Return: as command_fail_usage() */
enum cli_exit filter_read(const struct command_call *call, struct usage_filter *filter);

/** filter_check() - is the GPU there that it names? Return: CLI_DONE, or as command_fail() */
enum cli_exit filter_check(const struct command_call *call, const struct usage_filter *filter,
			   const struct usage *usage);

/**
 * interval_read() - take the time from one reading to the next from an option
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

#endif /* MPU_CLI_VIEW_VIEW_H */
