/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How GPUs are, as people read it.
 */
#ifndef MPU_CLI_VIEW_GPU_STATE_TEXT_H
#define MPU_CLI_VIEW_GPU_STATE_TEXT_H

#include "cli/view/table.h"
#include "host/gpu_usage.h"

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

extern const struct table_kind usage_gpus_table;

/** usage_print_gpus() - print a line for each GPU that is meant. Return: false: no memory. */
bool usage_print_gpus(const struct usage *usage, const char *wanted,
		      const struct table_view *view);

#endif /* MPU_CLI_VIEW_GPU_STATE_TEXT_H */
