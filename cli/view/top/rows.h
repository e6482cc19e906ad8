/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list that mpu top shows: which rows, in which order.
 */
#ifndef MPU_CLI_VIEW_TOP_ROWS_H
#define MPU_CLI_VIEW_TOP_ROWS_H

#include "host/gpu_usage.h"

/* The kinds of rows. */
enum rows_mode {
	ROWS_PROCESSES,
	ROWS_TREE,		/* GPUs, in them containers, in them processes */
	ROWS_CONTAINERS,
	ROWS_PODS,
	ROWS_USERS,
	ROWS_MODES,
};

/* The orders of rows. */
enum rows_sort {
	ROWS_BY_GPU, ROWS_BY_PID, ROWS_BY_USER, ROWS_BY_NAME, ROWS_BY_PROCESSES,
	ROWS_BY_SM, ROWS_BY_MEMORY, ROWS_BY_ENCODER, ROWS_BY_DECODER, ROWS_BY_AGE,
	ROWS_BY_COMMAND, ROWS_SORTS,
};

#define ROWS_TEXT	64

/**
 * struct rows_view - what the user wants to see
 * @sort:	for each mode its own, as is @is_reversed
 * @text:	only processes that have this in a name, whatever its case
 * @filter:	only these processes
 * @folded:	ids of rows of the tree whose inner rows are not shown
 */
struct rows_view {
	enum rows_mode mode;
	enum rows_sort sort[ROWS_MODES];
	bool is_reversed[ROWS_MODES];
	char text[ROWS_TEXT];
	struct usage_filter filter;
	uint64_t *folded;
	size_t n_folded;
};

enum row_kind { ROW_GPU, ROW_GROUP, ROW_PROCESS };

/**
 * struct row - one row
 * @is_folded:	its inner rows are not shown
 * @depth:	in the tree
 * @id:		the same in the next reading
 * @history:	id of its history, 0 if it has none
 * @gpu:	index; USAGE_ALL_GPUS: a sum over all
 * @process:	of a group, one of its processes; NULL: a GPU that nobody uses
 * @sum:	of a GPU or a group, else NULL
 */
struct row {
	enum row_kind kind;
	bool is_folded;
	unsigned int depth;
	uint64_t id;
	uint64_t history;
	size_t gpu;
	const struct usage_process *process;
	const struct usage_sum *sum;
};

/**
 * struct rows - all rows
 * @matching:	the reading, with the processes alone that the user wants to see
 */
struct rows {
	struct row *row;
	size_t n;
	struct usage matching;
	struct usage_sum *sums, *gpu_sums;
};

/**
 * rows_make() - put the list together
 * @rows:	0, or of a call before; valid as long as @usage
 *
 * Return: 0 or -ENOMEM.
 */
int rows_make(struct rows *rows, const struct usage *usage,
	      const struct rows_view *view);

void rows_free(struct rows *rows);

/** rows_fold() - fold a row of the tree, or unfold it. Return: 0 or -ENOMEM. */
int rows_fold(struct rows_view *view, uint64_t id);

/** rows_sum_id() - the same number for the same GPU, container, pod or user */
uint64_t rows_sum_id(enum usage_by by, const struct usage_sum *sum);

/** rows_value() - what a row takes of an engine, hundredths of a percent of a GPU */
uint64_t rows_value(const struct row *row, enum rm_engine engine);

#endif /* MPU_CLI_VIEW_TOP_ROWS_H */
