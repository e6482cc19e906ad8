// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows: processes that match, sums of them, and the tree, sorted.
 */
#include <stdlib.h>

#include "cli/view/top/internal.h"
#include "lib/xalloc.h"

static int compare_rows(const void *a, const void *b, void *view)
{
	return rows_compare(a, b, view);
}

static void sort_rows(struct row *row, size_t n, const struct rows_view *view)
{
	if (n)
		qsort_r(row, n, sizeof(*row), compare_rows, (void *)view);
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

static struct row row_of_sum(enum usage_by by, const struct usage_sum *sum)
{
	return (struct row){
		.kind = by == USAGE_BY_GPU ? ROW_GPU : ROW_GROUP,
		.id = usage_find_id(by, sum->gpu, sum->example),
		.history = usage_find_id(by, sum->gpu, sum->example),
		.gpu = sum->gpu, .process = sum->example, .sum = sum,
	};
}

static void make_processes(struct rows *rows)
{
	const struct usage *matching = &rows->matching;
	size_t i;

	rows->row = xcalloc(matching->n_processes + 1, sizeof(*rows->row));
	for (i = 0; i < matching->n_processes; i++)
		rows->row[i] = rows_of_process(&matching->processes[i]);
	rows->n = matching->n_processes;
}

static void make_sums(struct rows *rows, enum usage_by by, bool each_gpu)
{
	size_t i;

	rows->sums = usage_sum(&rows->matching, by, each_gpu, &rows->n);
	rows->row = xcalloc(rows->n + 1, sizeof(*rows->row));
	for (i = 0; i < rows->n; i++)
		rows->row[i] = row_of_sum(by, &rows->sums[i]);
}

/* --- The tree --- */

static int compare_groups(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

/**
 * struct tree - what the tree is made from
 * @group:	containers on each GPU, as they are to stand
 * @by_id:	the same, by id
 * @in:		of each process, the index of its group
 * @begin:	of each group, where its processes begin; then where the last one's end
 * @process:	processes, group by group, as they are to stand
 */
struct tree {
	struct rows groups;
	const struct row **by_id;
	size_t *in;
	size_t *begin;
	struct row *process;
};

static int compare_group_rows(const void *a, const void *b, void *arg)
{
	const struct row *x = a, *y = b;

	if (x->gpu != y->gpu)
		return x->gpu > y->gpu ? 1 : -1;
	return compare_rows(x, y, arg);
}

/* The group that a process stands below; every process is in one. */
static size_t group_of(const struct tree *tree, const struct usage_process *process)
{
	const struct row wanted = {
		.id = usage_find_id(USAGE_BY_CONTAINER, process->gpu, process),
	};
	const struct row *key = &wanted, **found;

	found = bsearch(&key, tree->by_id, tree->groups.n, sizeof(*tree->by_id), compare_groups);
	return found ? (size_t)(*found - tree->groups.row) : 0;
}

static void sort_groups(struct tree *tree, const struct rows_view *view)
{
	struct rows *groups = &tree->groups;
	size_t i;

	tree->by_id = xcalloc(groups->n + 1, sizeof(*tree->by_id));
	if (groups->n)
		qsort_r(groups->row, groups->n, sizeof(*groups->row),
			compare_group_rows, (void *)view);
	for (i = 0; i < groups->n; i++)
		tree->by_id[i] = &groups->row[i];
	qsort(tree->by_id, groups->n, sizeof(*tree->by_id), compare_groups);
}

/* Find the group of each process, and where the processes of each group begin. */
static void find_groups(struct tree *tree, const struct usage *matching)
{
	const struct usage_process *process = matching->processes;
	size_t i;

	for (i = 0; i < matching->n_processes; i++) {
		tree->in[i] = i && usage_is_alike(&process[i - 1], &process[i]) ?
			      tree->in[i - 1] : group_of(tree, &process[i]);
		/* Two further on: it is counted up to its end when they are placed. */
		tree->begin[tree->in[i] + 2]++;
	}
	for (i = 1; i < tree->groups.n; i++)
		tree->begin[i + 1] += tree->begin[i];
}

static void fill_tree(struct tree *tree, const struct usage *matching, const struct rows_view *view)
{
	size_t i;

	tree->in = xcalloc(matching->n_processes + 1, sizeof(*tree->in));
	tree->begin = xcalloc(tree->groups.n + 2, sizeof(*tree->begin));
	tree->process = xcalloc(matching->n_processes + 1, sizeof(*tree->process));
	find_groups(tree, matching);
	for (i = 0; i < matching->n_processes; i++)
		tree->process[tree->begin[tree->in[i] + 1]++] =
			rows_of_process(&matching->processes[i]);
	for (i = 0; i < tree->groups.n; i++)
		sort_rows(&tree->process[tree->begin[i]],
			  tree->begin[i + 1] - tree->begin[i], view);
}

static struct row *add_row(struct rows *rows, struct row row, unsigned int depth,
			   const struct rows_view *view)
{
	struct row *added = &rows->row[rows->n++];

	*added = row;
	added->depth = depth;
	added->is_folded = row.kind != ROW_PROCESS && rows_ids_have(&view->folded, row.id);
	return added;
}

/* Put GPUs, groups and processes into one another. */
static void merge_tree(struct rows *rows, const struct tree *tree, size_t n_gpus,
		       const struct rows_view *view)
{
	size_t gpu, g = 0, p;

	for (gpu = 0; gpu < n_gpus; gpu++) {
		const struct usage_sum *sum = &rows->gpu_sums[gpu];
		bool shows = !add_row(rows, row_of_sum(USAGE_BY_GPU, sum), 0, view)->is_folded;

		for (; g < tree->groups.n && tree->groups.row[g].gpu == sum->gpu; g++) {
			bool shows_processes = shows &&
				!add_row(rows, tree->groups.row[g], 1, view)->is_folded;

			for (p = tree->begin[g]; shows_processes && p < tree->begin[g + 1]; p++)
				add_row(rows, tree->process[p], 2, view);
		}
	}
}

static void make_tree(struct rows *rows, const struct rows_view *view)
{
	struct tree tree = { .groups.matching = rows->matching };
	size_t n_gpus;

	rows->gpu_sums = usage_sum(&rows->matching, USAGE_BY_GPU, true, &n_gpus);
	make_sums(&tree.groups, USAGE_BY_CONTAINER, true);
	rows->sums = tree.groups.sums;
	sort_groups(&tree, view);
	fill_tree(&tree, &rows->matching, view);
	rows->row = xcalloc(n_gpus + tree.groups.n + rows->matching.n_processes + 1,
			    sizeof(*rows->row));
	merge_tree(rows, &tree, n_gpus, view);
	free(tree.groups.row);
	free(tree.by_id);
	free(tree.in);
	free(tree.begin);
	free(tree.process);
}

/* @rows: 0, or of a call before; valid as long as @usage */
void rows_make(struct rows *rows, const struct usage *usage, const struct rows_view *view)
{
	static const enum usage_by by[ROWS_MODES] = {
		[ROWS_CONTAINERS] = USAGE_BY_CONTAINER, [ROWS_PODS] = USAGE_BY_POD,
		[ROWS_USERS] = USAGE_BY_USER,
	};

	rows_free(rows);
	match(rows, usage, view);
	if (view->mode == ROWS_TREE) {
		make_tree(rows, view);
		return;
	}
	if (view->mode == ROWS_PARENTS) {
		rows_make_parents(rows, view);
		return;
	}
	if (view->mode == ROWS_PROCESSES)
		make_processes(rows);
	else
		make_sums(rows, by[view->mode], false);
	sort_rows(rows->row, rows->n, view);
}

void rows_free(struct rows *rows)
{
	free(rows->row);
	free(rows->sums);
	free(rows->gpu_sums);
	free(rows->parents);
	free(rows->matching.processes);
	*rows = (struct rows){ 0 };
}
