// SPDX-License-Identifier: GPL-2.0-only
/*
 * A row: its identity, and its place among others.
 */
#include <string.h>

#include "cli/view/top/internal.h"
#include "lib/hash.h"
#include "lib/xalloc.h"

/* --- Identity --- */

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

struct figure_of row_figures(const struct usage *usage, const struct row *row)
{
	return (struct figure_of){ usage, row->process, row->sum, row->kind < ROW_PARENT };
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

static int compare_values(const struct row *a, const struct row *b, enum figure sort,
			  const struct usage *usage)
{
	const struct figure_of x = row_figures(usage, a), y = row_figures(usage, b);
	char one[FIGURE_TEXT], other[FIGURE_TEXT];
	uint64_t m, n;

	if (!figures[sort].number)
		return strverscmp(row_text(usage, a, sort, one), row_text(usage, b, sort, other));
	m = figures[sort].number(&x).n;
	n = figures[sort].number(&y).n;
	return (m > n) - (m < n);
}

/* Rows that are equal stand as the driver lists them: they must not jump about. */
int rows_compare(const struct row *a, const struct row *b, const struct rows_view *view)
{
	const struct rows_order *by = &view->order[view->mode];
	int order = 0;
	size_t i;

	for (i = 0; !order && i < by->n; i++) {
		order = compare_values(a, b, by->key[i].sort, view->usage);
		if (figures[by->key[i].sort].falls != by->key[i].is_reversed)
			order = -order;
	}
	if (!order)
		order = (a->gpu > b->gpu) - (a->gpu < b->gpu);
	if (!order)
		order = compare_values(a, b, FIGURE_PID, view->usage);
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
