// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows: processes that match, sums of them, and the tree, sorted.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/view/top/internal.h"
#include "lib/hash.h"
#include "lib/xalloc.h"

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

/* --- Order --- */

struct figure_of row_figures(const struct usage *usage, const struct row *row)
{
	return (struct figure_of){ usage, row->process, row->sum };
}

/* Returns a figure that is a text, as the list shows it: by that rows are sorted. */
const char *row_text(const struct usage *usage, const struct row *row, enum figure figure,
		     char text[FIGURE_TEXT])
{
	const struct figure_of of = row_figures(usage, row);
	const char *found = figures[figure].show ? figures[figure].show(&of, text) :
			    figures[figure].text(&of);

	if (*found || row->kind != ROW_GROUP || figure == FIGURE_USER)
		return found;
	snprintf(text, FIGURE_TEXT, "user %s", row->process->process->user);
	return text;
}

static int compare_numbers(uint64_t m, uint64_t n)
{
	return (m > n) - (m < n);
}

static int compare_values(const struct row *a, const struct row *b, enum figure sort,
			  const struct usage *usage)
{
	const struct figure_of x = row_figures(usage, a), y = row_figures(usage, b);
	char one[FIGURE_TEXT], other[FIGURE_TEXT];

	if (!figures[sort].number)
		return strverscmp(row_text(usage, a, sort, one), row_text(usage, b, sort, other));
	return compare_numbers(figures[sort].number(&x).n, figures[sort].number(&y).n);
}

/* Rows that are equal stand as the driver lists them: they must not jump about. */
static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct rows_view *view = arg;
	const struct rows_order *by = &view->order[view->mode];
	const struct row *x = a, *y = b;
	int order = compare_values(x, y, by->sort, view->usage);

	if (figures[by->sort].falls != by->is_reversed)
		order = -order;
	if (!order)
		order = compare_numbers(x->gpu, y->gpu);
	if (!order)
		order = compare_values(x, y, FIGURE_PID, view->usage);
	return order ? order : compare_numbers(x->id, y->id);
}

/* A group comes before what stands in it, and its GPU before the group. */
static int compare_in_tree(const void *a, const void *b, void *view)
{
	const struct row *x = a, *y = b;
	int order = compare_numbers(x->gpu, y->gpu);

	if (!order)
		order = compare_numbers(x->group, y->group);
	if (!order)
		order = compare_numbers(x->kind, y->kind);
	return order ? order : compare_rows(x, y, view);
}

/* --- Which --- */

/* Leave in @rows->matching the processes that the user wants to see. */
static void match(struct rows *rows, const struct usage *usage, const struct rows_view *view)
{
	struct usage *matching = &rows->matching;
	size_t i;

	*matching = *usage;
	matching->n_processes = 0;
	matching->processes = xcalloc(usage->n_processes + 1, sizeof(*matching->processes));
	for (i = 0; i < usage->n_processes; i++) {
		const struct usage_process *one = &usage->processes[i];

		if (!usage_matches(usage, one, &view->filter))
			continue;
		if (view->mode == ROWS_PODS && !one->process->owner->pod_uid[0] &&
		    !one->process->owner->pod[0])
			continue;
		if (!search_matches(usage, one, view->text))
			continue;
		matching->processes[matching->n_processes++] = *one;
	}
}

static void add_processes(struct rows *rows)
{
	const struct usage *matching = &rows->matching;
	size_t i;

	for (i = 0; i < matching->n_processes; i++) {
		const struct usage_process *one = &matching->processes[i];
		uint64_t id = hash_word(HASH_BEGIN, one->gpu);

		id = hash_word(hash_word(id, one->gpu_instance), one->compute_instance);
		id = hash_word(id, (uint64_t)one->process->pid);
		rows->row[rows->n++] = (struct row){
			.kind = ROW_PROCESS, .id = id ? id : 1,		/* 0 is no id */
			.gpu = one->gpu, .process = one,
		};
	}
}

static void add_sums(struct rows *rows, enum usage_by by, const struct usage_sum *sums, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		rows->row[rows->n++] = (struct row){
			.kind = by == USAGE_BY_GPU ? ROW_GPU : ROW_GROUP,
			.id = usage_find_id(by, sums[i].gpu, sums[i].example),
			.gpu = sums[i].gpu, .process = sums[i].example, .sum = &sums[i],
		};
}

/* --- The tree --- */

/* The place of a group, by its id. */
struct place {
	struct recent_thing thing;
	size_t group;
};

/* Sorts the groups, which are all rows so far, and adds the processes, each with its group. */
static void place_processes(struct rows *rows, const struct rows_view *view)
{
	struct recent places = { 0 };
	struct place *place = NULL;
	size_t i, n = rows->n;

	qsort_r(rows->row, n, sizeof(*rows->row), compare_in_tree, (void *)view);
	recent_begin(&places, sizeof(*place), UINT64_MAX);
	for (i = 0; i < n; i++) {
		place = recent_add(&places, rows->row[i].id);
		place->group = rows->row[i].group = i;
	}
	add_processes(rows);
	for (i = n; i < rows->n; i++) {
		struct row *row = &rows->row[i];

		/* Mostly a process has the group of the row before it. */
		place = usage_is_alike(row[-1].process, row->process) ? place :
			recent_find(&places, usage_find_id(USAGE_BY_CONTAINER, row->gpu,
							   row->process));
		row->group = place->group;
	}
	recent_free(&places);
}

/* Takes away what is inside of rows that are folded. */
static void fold(struct rows *rows, const struct rows_view *view)
{
	enum row_kind shown = ROW_PROCESS;
	size_t i, n = rows->n;

	rows->n = 0;
	for (i = 0; i < n; i++) {
		struct row *row = &rows->row[i];

		if (row->kind > shown)
			continue;
		row->is_folded = rows_ids_have(&view->folded, row->id);
		shown = row->is_folded ? row->kind : ROW_PROCESS;
		rows->row[rows->n++] = *row;
	}
}

/* @rows: 0, or of a call before; valid as long as @usage */
void rows_make(struct rows *rows, const struct usage *usage, const struct rows_view *view)
{
	static const enum usage_by by[ROWS_MODES] = {
		[ROWS_TREE] = USAGE_BY_CONTAINER, [ROWS_CONTAINERS] = USAGE_BY_CONTAINER,
		[ROWS_PODS] = USAGE_BY_POD, [ROWS_USERS] = USAGE_BY_USER,
	};
	bool is_tree = view->mode == ROWS_TREE;
	size_t n = 0, n_gpus = 0;

	rows_free(rows);
	match(rows, usage, view);
	if (view->mode != ROWS_PROCESSES)
		rows->sums = usage_sum(&rows->matching, by[view->mode], is_tree, &n);
	if (is_tree)
		rows->gpu_sums = usage_sum(&rows->matching, USAGE_BY_GPU, true, &n_gpus);
	rows->row = xcalloc(n + n_gpus + rows->matching.n_processes + 1, sizeof(*rows->row));
	add_sums(rows, by[view->mode], rows->sums, n);
	if (is_tree)
		place_processes(rows, view);
	else if (view->mode == ROWS_PROCESSES)
		add_processes(rows);
	add_sums(rows, USAGE_BY_GPU, rows->gpu_sums, n_gpus);
	qsort_r(rows->row, rows->n, sizeof(*rows->row), is_tree ? compare_in_tree : compare_rows,
		(void *)view);
	if (is_tree)
		fold(rows, view);
}

void rows_free(struct rows *rows)
{
	free(rows->row);
	free(rows->sums);
	free(rows->gpu_sums);
	free(rows->matching.processes);
	*rows = (struct rows){ 0 };
}
