// SPDX-License-Identifier: GPL-2.0-only
/*
 * A row: its identity, and its place among others.
 */
#include <string.h>

#include "cli/view/top/internal.h"
#include "lib/hash.h"
#include "lib/xalloc.h"

/* --- Identity --- */

/* Returns the same number for the same GPU, container, pod or user. */
uint64_t rows_sum_id(enum usage_by by, const struct usage_sum *sum)
{
	return usage_find_id(by, sum->gpu, sum->example);
}

static uint64_t process_id(const struct usage_process *process)
{
	uint64_t hash = hash_word(HASH_BEGIN, process->gpu);

	hash = hash_word(hash, process->gpu_instance);
	hash = hash_word(hash, process->compute_instance);
	hash = hash_word(hash, (uint64_t)process->process->pid);
	return hash ? hash : 1;		/* 0 is no id */
}

struct row rows_of_process(const struct usage_process *process)
{
	return (struct row){
		.kind = ROW_PROCESS, .id = process_id(process), .gpu = process->gpu,
		.process = process,
	};
}

/* --- Order --- */

/* Returns what a row takes of an engine, hundredths of a percent of a GPU. */
uint64_t rows_value(const struct row *row, enum rm_engine engine)
{
	return row->sum ? row->sum->utilisation[engine] :
	       row->process->utilisation[engine];
}

static int compare_names(const struct owner *a, const struct owner *b)
{
	int order = strcmp(a->namespace, b->namespace);

	if (!order)
		order = strcmp(a->pod, b->pod);
	if (!order)
		order = strcmp(a->container, b->container);
	if (!order)
		order = strcmp(a->unit, b->unit);
	if (!order)
		order = strcmp(a->job, b->job);
	return order ? order : strcmp(a->id, b->id);
}

static uint64_t host_value(const struct row *row, enum rows_sort sort,
			   struct recent *host)
{
	const struct host_use *use = row->kind < ROW_PARENT ? NULL :
				     host_uses_get(host, row->process->process->pid);

	return !use ? 0 : sort == ROWS_BY_CPU ? use->cpu : use->memory;
}

static uint64_t number_of(const struct row *row, enum rows_sort sort, struct recent *host)
{
	switch (sort) {
	case ROWS_BY_SM:
		return rows_value(row, RM_ENGINE_SM);
	case ROWS_BY_BANDWIDTH:
		return rows_value(row, RM_ENGINE_MEMORY);
	case ROWS_BY_ENCODER:
		return rows_value(row, RM_ENGINE_ENCODER);
	case ROWS_BY_DECODER:
		return rows_value(row, RM_ENGINE_DECODER);
	case ROWS_BY_MEMORY:
		return row->sum ? row->sum->memory : row->process->memory;
	case ROWS_BY_PROCESSES:
		return row->sum ? row->sum->processes : 1;
	case ROWS_BY_GPU:
		return row->gpu;
	case ROWS_BY_CPU:
	case ROWS_BY_RAM:
		return host_value(row, sort, host);
	case ROWS_BY_PID:
		return (uint64_t)row->process->process->pid;
	default:	/* how old, the oldest last, as of one whose age is not known */
		return row->process->process->started_us;
	}
}

static int compare_values(const struct row *a, const struct row *b, enum rows_sort sort,
			  struct recent *host)
{
	const struct host_process *x = a->process->process, *y = b->process->process;
	uint64_t m, n;

	if (sort == ROWS_BY_NAME)
		return compare_names(x->owner, y->owner);
	if (sort == ROWS_BY_USER)
		return strcmp(x->user, y->user);
	if (sort == ROWS_BY_COMMAND)
		return strcmp(x->command, y->command);
	m = number_of(a, sort, host);
	n = number_of(b, sort, host);
	return (m > n) - (m < n);
}

/* The largest first, of what grows and shrinks. */
static bool is_falling(enum rows_sort sort)
{
	return sort >= ROWS_BY_PROCESSES && sort <= ROWS_BY_AGE;
}

/* Rows that are equal stand as the driver lists them: they must not jump about. */
int rows_compare(const struct row *a, const struct row *b, const struct rows_view *view)
{
	const struct rows_order *by = &view->order[view->mode];
	int order = 0;
	size_t i;

	for (i = 0; !order && i < by->n; i++) {
		order = compare_values(a, b, by->key[i].sort, view->host);
		if (is_falling(by->key[i].sort) != by->key[i].is_reversed)
			order = -order;
	}
	if (!order)
		order = (a->gpu > b->gpu) - (a->gpu < b->gpu);
	if (!order)
		order = compare_values(a, b, ROWS_BY_PID, NULL);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* --- Ids --- */

bool rows_ids_have(const struct rows_ids *ids, uint64_t id)
{
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (ids->id[i] == id)
			return true;
	return false;
}

/* Adds an id, or takes it away. */
void rows_ids_turn(struct rows_ids *ids, uint64_t id)
{
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (ids->id[i] == id) {
			ids->id[i] = ids->id[--ids->n];
			return;
		}
	ids->id = xreallocarray(ids->id, ids->n + 1, sizeof(*ids->id));
	ids->id[ids->n++] = id;
}
