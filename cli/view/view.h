/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands that show who uses the GPUs and what is translated, and what they share with
 * mpu top (cli/view/top).
 */
#ifndef MPU_CLI_VIEW_VIEW_H
#define MPU_CLI_VIEW_VIEW_H

#include "cli/command/command.h"
#include "host/host.h"

extern const struct command command_ps, command_metrics, command_controls, command_usage;

/** usage_name() - as owner_name(); of what is in no container its job and step, or its unit; or "" */
void usage_name(char name[OWNER_FULL], const struct owner *owner);

/** usage_gone_text() - what is said of a process that is gone, in place of its command */
const char *usage_gone_text(void);

/** usage_command() - its command, or why that is not known */
const char *usage_command(const struct host_process *process);

/* The figures of a process that uses a GPU: figures.c has their names and where they are read. */
enum figure {
	FIGURE_TIME, FIGURE_GPU, FIGURE_GPU_INSTANCE, FIGURE_COMPUTE_INSTANCE, FIGURE_PID,
	FIGURE_OWN_PID, FIGURE_UID, FIGURE_USER, FIGURE_KIND, FIGURE_CONTAINER, FIGURE_ID,
	FIGURE_POD, FIGURE_NAMESPACE, FIGURE_POD_UID, FIGURE_UNIT, FIGURE_JOB, FIGURE_STEP,
	FIGURE_USE, FIGURE_PROCESSES, FIGURE_MEMORY, FIGURE_MEMORY_PART, FIGURE_UTILISATION, FIGURE_SM,
	FIGURE_BANDWIDTH, FIGURE_ENCODER, FIGURE_DECODER, FIGURE_CPU, FIGURE_RAM,
	FIGURE_STARTED, FIGURE_NAME, FIGURE_COMMAND, FIGURE_GONE, FIGURE_IDLE, FIGURES,
};

enum figure_unit {
	FIGURE_PLAIN,
	FIGURE_BYTES,
	FIGURE_PERCENT,		/* hundredths of one */
	FIGURE_PERCENT_IF_ANY,	/* ... and in a list that is short of room 0 is not shown */
	FIGURE_CLOCK,		/* microseconds since 1970, of this day */
	FIGURE_SINCE,		/* ... of any */
	FIGURE_SECONDS,		/* below a minute they are not shown */
};

#define FIGURE_TEXT	(OWNER_FULL + 256)

/**
 * struct figure_of - the process that is asked for its figures, or a sum
 * @process:	of a sum, one of its processes; NULL: a GPU that nobody uses
 * @sum:	NULL: of the process alone
 */
struct figure_of {
	const struct usage *usage;
	const struct usage_process *process;
	const struct usage_sum *sum;
};

struct figure_number {
	bool is_known;
	uint64_t n;
};

/**
 * struct table_column - a column
 * @title:	above it; in small letters, "_" for a blank and without "%" it is the
 *		column's name
 * @right:	its cells are numbers: their ends stand below each other
 * @rank:	where there is no room for all, the one of the highest rank is left out
 *		first; 0: never
 * @is_extra:	in CSV, and where it is asked for, alone
 */
struct table_column {
	const char *title;
	bool right;
	unsigned int rank;
	bool is_extra;
};

/**
 * struct figure_forms - a figure in all its forms; without a name it is not in that form
 * @help:	a sentence, for docs/figures.md and of the metric
 * @column:	of mpu ps and its CSV, and by its name in small letters of --columns and --sort
 * @member:	of JSON
 * @metric:	of mpu metrics --processes
 * @top:	of mpu top: the title of the column, its width (0: a part of what the others
 *		leave), and the key to sort by
 * @falls:	sorted by it the largest comes first
 * @adds_up:	sums of several have it
 * @changes:	while the process lives: host_uses_get() reads it, for each at each reading
 * @number:	how it is read; or
 * @text:	... where it is none
 * @show:	as mpu ps shows it, where that is not the number or the text itself
 * @describe:	as JSON has it, likewise
 */
struct figure_forms {
	struct table_column column;
	const char *help, *member, *metric;
	struct { const char *title; int width; const char *key; } top;
	bool falls, adds_up;
	enum figure_unit unit;
	bool changes;
	struct figure_number (*number)(const struct figure_of *of);
	const char *(*text)(const struct figure_of *of);
	const char *(*show)(const struct figure_of *of, char text[FIGURE_TEXT]);
	struct json_object *(*describe)(const struct figure_of *of);
};

extern const struct figure_forms figures[FIGURES];

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

/* The choice of GPU processes by a command line. */
extern const struct command_option process_filter_options[];

/** usage_offer() - as the member of struct command: GPUs, and who uses them now */
void usage_offer(const struct command_call *call, const char *option, struct strv *words);

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
enum cli_exit interval_read(const struct command_call *call, const char *option, double *seconds);

/** interval_parse() - take it from a text; false: it is no time from 0.1 to 3600 seconds */
bool interval_parse(const char *text, double *seconds);

/** duration_parse() - take seconds from 90s, 30m, 2h, 3d, 1w; false: it is no such time */
bool duration_parse(const char *text, double *seconds);

/** duration_format() - "45m", "3h", "2d"; "" below a minute */
void duration_format(char text[24], uint64_t seconds);

/** interval_sleep() - wait for it, whatever signals come */
void interval_sleep(double seconds);

#endif /* MPU_CLI_VIEW_VIEW_H */
