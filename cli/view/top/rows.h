/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list that mpu top shows: which rows, in which order.
 */
#ifndef MPU_CLI_VIEW_TOP_ROWS_H
#define MPU_CLI_VIEW_TOP_ROWS_H

#include "cli/view/top/host_use.h"
#include "cli/view/top/search.h"
#include "host/gpu_usage.h"

/* The kinds of rows. */
enum rows_mode {
	ROWS_PROCESSES,
	ROWS_TREE,		/* GPUs, in them containers, in them processes */
	ROWS_CONTAINERS,
	ROWS_PODS,
	ROWS_USERS,
	ROWS_PARENTS,		/* the tree of processes and those that started them */
	ROWS_MODES,
};

/* The figures and names that rows can be sorted by. */
enum rows_sort {
	ROWS_BY_GPU, ROWS_BY_PID, ROWS_BY_USER, ROWS_BY_NAME, ROWS_BY_PROCESSES,
	ROWS_BY_SM, ROWS_BY_BANDWIDTH, ROWS_BY_MEMORY, ROWS_BY_ENCODER, ROWS_BY_DECODER,
	ROWS_BY_CPU, ROWS_BY_RAM, ROWS_BY_AGE, ROWS_BY_COMMAND, ROWS_SORTS,
};

#define ROWS_KEYS	3

struct rows_key {
	enum rows_sort sort;
	bool is_reversed;
};

/** struct rows_order - @n keys, one at least; each orders what is equal by those before */
struct rows_order {
	size_t n;
	struct rows_key key[ROWS_KEYS];
};

/** struct rows_ids - ids of rows */
struct rows_ids {
	uint64_t *id;
	size_t n;
};

/** rows_ids_have() - is it one of them? */
bool rows_ids_have(const struct rows_ids *ids, uint64_t id);

/** rows_ids_turn() - add an id, or take it away. Return: 0 or -ENOMEM. */
int rows_ids_turn(struct rows_ids *ids, uint64_t id);

/**
 * struct rows_view - what the user wants to see
 * @order:	for each mode its own
 * @text:	as search_matches() takes it
 * @filter:	only these processes
 * @folded:	rows of a tree whose inner rows are not shown
 * @host:	what processes take of the host
 */
struct rows_view {
	enum rows_mode mode;
	struct rows_order order[ROWS_MODES];
	char text[SEARCH_TEXT];
	struct usage_filter filter;
	struct rows_ids folded;
	struct host_uses *host;
};

/* ROW_PARENT: a process that has started others, and uses no GPU itself. */
enum row_kind { ROW_GPU, ROW_GROUP, ROW_PARENT, ROW_PROCESS };

/**
 * struct row - one row
 * @is_folded:	its inner rows are not shown
 * @depth:	in the tree
 * @id:		the same in the next reading
 * @history:	id of its history, 0 if it has none
 * @gpu:	index; USAGE_ALL_GPUS: a sum over all
 * @process:	of a group, one of its processes; NULL: a GPU that nobody uses
 * @sum:	of a GPU, a group or a parent, else NULL
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
 * @parents:	of ROWS_PARENTS
 */
struct rows {
	struct row *row;
	size_t n;
	struct usage matching;
	struct usage_sum *sums, *gpu_sums;
	struct parent *parents;
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

/** rows_make_parents() - make rows of @rows->matching for ROWS_PARENTS. Return: 0 or -ENOMEM. */
int rows_make_parents(struct rows *rows, const struct rows_view *view);

/** rows_compare() - order two rows as the user wants them */
int rows_compare(const struct row *a, const struct row *b, const struct rows_view *view);

/** rows_of_process() - make the row of a process */
struct row rows_of_process(const struct usage_process *process);

/** rows_sum_id() - the same number for the same GPU, container, pod or user */
uint64_t rows_sum_id(enum usage_by by, const struct usage_sum *sum);

/** rows_value() - what a row takes of an engine, hundredths of a percent of a GPU */
uint64_t rows_value(const struct row *row, enum rm_engine engine);

#endif /* MPU_CLI_VIEW_TOP_ROWS_H */
