// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows: processes that match, sums of them, and the tree, sorted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/view/top/rows.h"
#include "lib/hash.h"

/* --- Identity --- */

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

/* --- Order --- */

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
			   struct host_uses *host)
{
	const struct host_use *use = row->kind < ROW_PARENT ? NULL :
				     host_uses_get(host, row->process->process->pid);

	return !use ? 0 : sort == ROWS_BY_CPU ? use->cpu : use->memory;
}

static uint64_t number_of(const struct row *row, enum rows_sort sort, struct host_uses *host)
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
			  struct host_uses *host)
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

static bool has_filter(const struct usage_filter *filter)
{
	return filter->gpu || filter->container || filter->pod || filter->namespace ||
	       filter->user || filter->pid;
}

/* Leave in @rows->matching the processes that the user wants to see. */
static int match(struct rows *rows, const struct usage *usage,
		 const struct rows_view *view)
{
	bool filters = has_filter(&view->filter);
	struct usage *matching = &rows->matching;
	size_t i;

	*matching = *usage;
	matching->n_processes = 0;
	matching->processes = calloc(usage->n_processes + 1,
				     sizeof(*matching->processes));
	if (!matching->processes)
		return -ENOMEM;
	for (i = 0; i < usage->n_processes; i++) {
		const struct usage_process *one = &usage->processes[i];

		if (filters && !usage_matches(usage, one, &view->filter))
			continue;
		if (!search_matches(usage, one, view->text))
			continue;
		matching->processes[matching->n_processes++] = *one;
	}
	return 0;
}

struct row rows_of_process(const struct usage_process *process)
{
	return (struct row){
		.kind = ROW_PROCESS, .id = process_id(process), .gpu = process->gpu,
		.process = process,
	};
}

static struct row row_of_sum(enum usage_by by, const struct usage_sum *sum)
{
	return (struct row){
		.kind = by == USAGE_BY_GPU ? ROW_GPU : ROW_GROUP,
		.id = rows_sum_id(by, sum), .history = rows_sum_id(by, sum),
		.gpu = sum->gpu, .process = sum->example, .sum = sum,
	};
}

static int make_processes(struct rows *rows)
{
	const struct usage *matching = &rows->matching;
	size_t i;

	rows->row = calloc(matching->n_processes + 1, sizeof(*rows->row));
	if (!rows->row)
		return -ENOMEM;
	for (i = 0; i < matching->n_processes; i++)
		rows->row[i] = rows_of_process(&matching->processes[i]);
	rows->n = matching->n_processes;
	return 0;
}

static int make_sums(struct rows *rows, enum usage_by by, bool each_gpu)
{
	size_t i, n;
	int ret = usage_sum(&rows->matching, by, each_gpu, &rows->sums, &n);

	if (ret)
		return ret;
	rows->row = calloc(n + 1, sizeof(*rows->row));
	if (!rows->row)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		rows->row[i] = row_of_sum(by, &rows->sums[i]);
	rows->n = n;
	return 0;
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

int rows_ids_turn(struct rows_ids *ids, uint64_t id)
{
	uint64_t *grown;
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (ids->id[i] == id) {
			ids->id[i] = ids->id[--ids->n];
			return 0;
		}
	grown = reallocarray(ids->id, ids->n + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	ids->id = grown;
	ids->id[ids->n++] = id;
	return 0;
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

	found = bsearch(&key, tree->by_id, tree->groups.n, sizeof(*tree->by_id),
			compare_groups);
	return found ? (size_t)(*found - tree->groups.row) : 0;
}

static int sort_groups(struct tree *tree, const struct rows_view *view)
{
	struct rows *groups = &tree->groups;
	size_t i;

	tree->by_id = calloc(groups->n + 1, sizeof(*tree->by_id));
	if (!tree->by_id)
		return -ENOMEM;
	if (groups->n)
		qsort_r(groups->row, groups->n, sizeof(*groups->row),
			compare_group_rows, (void *)view);
	for (i = 0; i < groups->n; i++)
		tree->by_id[i] = &groups->row[i];
	qsort(tree->by_id, groups->n, sizeof(*tree->by_id), compare_groups);
	return 0;
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

static int fill_tree(struct tree *tree, const struct usage *matching,
		     const struct rows_view *view)
{
	size_t i;

	tree->in = calloc(matching->n_processes + 1, sizeof(*tree->in));
	tree->begin = calloc(tree->groups.n + 2, sizeof(*tree->begin));
	tree->process = calloc(matching->n_processes + 1, sizeof(*tree->process));
	if (!tree->in || !tree->begin || !tree->process)
		return -ENOMEM;
	find_groups(tree, matching);
	for (i = 0; i < matching->n_processes; i++)
		tree->process[tree->begin[tree->in[i] + 1]++] =
			rows_of_process(&matching->processes[i]);
	for (i = 0; i < tree->groups.n; i++)
		sort_rows(&tree->process[tree->begin[i]],
			  tree->begin[i + 1] - tree->begin[i], view);
	return 0;
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
		bool shows = !add_row(rows, row_of_sum(USAGE_BY_GPU, sum), 0,
				      view)->is_folded;

		for (; g < tree->groups.n && tree->groups.row[g].gpu == sum->gpu; g++) {
			bool shows_processes = shows &&
				!add_row(rows, tree->groups.row[g], 1, view)->is_folded;

			for (p = tree->begin[g]; shows_processes && p < tree->begin[g + 1]; p++)
				add_row(rows, tree->process[p], 2, view);
		}
	}
}

static int make_tree(struct rows *rows, const struct rows_view *view)
{
	struct tree tree = { .groups.matching = rows->matching };
	size_t n_gpus;
	int ret = usage_sum(&rows->matching, USAGE_BY_GPU, true, &rows->gpu_sums,
			    &n_gpus);

	if (!ret)
		ret = make_sums(&tree.groups, USAGE_BY_CONTAINER, true);
	rows->sums = tree.groups.sums;
	if (!ret)
		ret = sort_groups(&tree, view);
	if (!ret)
		ret = fill_tree(&tree, &rows->matching, view);
	if (!ret) {
		rows->row = calloc(n_gpus + tree.groups.n +
				   rows->matching.n_processes + 1, sizeof(*rows->row));
		ret = rows->row ? 0 : -ENOMEM;
	}
	if (!ret)
		merge_tree(rows, &tree, n_gpus, view);
	free(tree.groups.row);
	free(tree.by_id);
	free(tree.in);
	free(tree.begin);
	free(tree.process);
	return ret;
}

int rows_make(struct rows *rows, const struct usage *usage,
	      const struct rows_view *view)
{
	static const enum usage_by by[ROWS_MODES] = {
		[ROWS_CONTAINERS] = USAGE_BY_CONTAINER, [ROWS_PODS] = USAGE_BY_POD,
		[ROWS_USERS] = USAGE_BY_USER,
	};
	int ret;

	rows_free(rows);
	ret = match(rows, usage, view);
	if (!ret && view->mode == ROWS_TREE)
		return make_tree(rows, view);
	if (!ret && view->mode == ROWS_PARENTS)
		return rows_make_parents(rows, view);
	if (!ret && view->mode == ROWS_PROCESSES)
		ret = make_processes(rows);
	else if (!ret)
		ret = make_sums(rows, by[view->mode], false);
	if (!ret)
		sort_rows(rows->row, rows->n, view);
	return ret;
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
