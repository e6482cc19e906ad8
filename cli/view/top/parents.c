// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of processes and those that started them: GPU processes, and above each its
 * parents, with the sums of what is below them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/view/top/internal.h"
#include "lib/hash.h"
#include "lib/xalloc.h"

#define DEPTH	32	/* more parents are not looked for */
#define NOBODY	SIZE_MAX

/**
 * struct parent - a process of the tree, of either kind
 * @above:	index of its parent, NOBODY if it has none here
 * @order:	where those begin that it has started, by @sorted; @children: how many
 * @row:	its first one, by which it is sorted
 * @process, @on, @sum: of one that uses no GPU itself
 */
struct parent {
	pid_t pid;
	size_t above, order, children;
	const struct usage_process *first;
	size_t n_first;
	struct row row;
	struct host_process process;
	struct usage_process on;
	struct usage_sum sum;
};

/**
 * struct place - by a PID, where its parent is
 * @number:	its index plus 1
 */
struct place {
	struct recent_thing thing;
	size_t number;
};

/**
 * struct family - the tree as it is made
 * @places:	struct place, of all
 * @sorted:	indexes: children of one parent side by side, as they are to stand
 */
struct family {
	struct rows *rows;
	const struct rows_view *view;
	struct parent *parent;
	size_t n, room, *sorted;
	struct recent places;
};

static const struct owner nobody = { .kind = OWNER_NONE, .uid = (uid_t)-1 };

/* Returns the index of a process, added if it is new. Nothing points at one before all are there. */
static size_t add(struct family *family, pid_t pid)
{
	struct place *place = recent_add(&family->places, (uint64_t)pid);

	if (!place->number && family->n == family->room) {
		family->room = family->room ? 2 * family->room : 64;
		family->parent = xreallocarray(family->parent, family->room,
					       sizeof(*family->parent));
	}
	if (!place->number) {
		family->parent[family->n] = (struct parent){ .pid = pid, .above = NOBODY };
		place->number = ++family->n;
	}
	return place->number - 1;
}

static void add_to_sum(struct usage_sum *sum, const struct usage_process *process, bool is_first)
{
	int engine;

	sum->processes += is_first;
	sum->memory += process->memory;
	for (engine = 0; engine < RM_ENGINES; engine++)
		sum->utilisation[engine] += process->utilisation[engine];
}

/* Return: the index of the parent; NOBODY: it has none. */
static size_t find_above(struct family *family, size_t at)
{
	const struct host_use *use;
	size_t above = family->parent[at].above;

	if (above != NOBODY)
		return above;
	use = host_uses_get(family->view->usage->uses, family->parent[at].pid);
	if (!use->is_there || use->stat.parent <= 0)
		return NOBODY;
	above = add(family, use->stat.parent);
	family->parent[at].above = above;
	return above;
}

/* Adds a GPU process, once for each GPU, and its parents. */
static void add_process(struct family *family, const struct usage_process *process)
{
	size_t at = add(family, process->process->pid);
	bool is_first;
	int depth;

	is_first = !family->parent[at].n_first;
	if (is_first)
		family->parent[at].first = process;
	family->parent[at].n_first++;
	for (depth = 0; depth < DEPTH; depth++) {
		at = find_above(family, at);
		if (at == NOBODY)
			return;
		add_to_sum(&family->parent[at].sum, process, is_first);
	}
}

/* All are where they stay. */
static void make_row(struct family *family, struct parent *parent)
{
	const struct host_use *use;
	uint64_t id;

	if (parent->first) {
		parent->row = rows_of_process(parent->first);
		return;
	}
	use = host_uses_get(family->view->usage->uses, parent->pid);
	parent->process = (struct host_process){ .pid = parent->pid, .own_pid = parent->pid,
						 .uid = (uid_t)-1, .owner = &nobody };
	snprintf(parent->process.name, sizeof(parent->process.name), "%.15s", use->stat.name);
	snprintf(parent->process.command, sizeof(parent->process.command), "%s",
		 parent->process.name);
	parent->on = (struct usage_process){ .gpu = USAGE_ALL_GPUS, .process = &parent->process };
	parent->sum.gpu = USAGE_ALL_GPUS;
	parent->sum.example = &parent->on;
	id = hash_word(hash_word(HASH_BEGIN, ROW_PARENT), (uint64_t)parent->pid);
	parent->row = (struct row){
		.kind = ROW_PARENT, .id = id ? id : 1, .gpu = USAGE_ALL_GPUS,
		.process = &parent->on, .sum = &parent->sum,
	};
}

static int compare_parents(const void *a, const void *b, void *arg)
{
	const struct family *family = arg;
	const struct parent *x = &family->parent[*(const size_t *)a];
	const struct parent *y = &family->parent[*(const size_t *)b];

	if (x->above != y->above)
		return x->above > y->above ? 1 : -1;
	return rows_compare(&x->row, &y->row, family->view);
}

static void sort(struct family *family)
{
	size_t i;

	for (i = 0; i < family->n; i++) {
		make_row(family, &family->parent[i]);
		family->sorted[i] = i;
	}
	qsort_r(family->sorted, family->n, sizeof(*family->sorted), compare_parents, family);
	for (i = family->n; i-- > 0;) {
		size_t above = family->parent[family->sorted[i]].above;

		if (above == NOBODY)
			continue;
		family->parent[above].order = i;
		family->parent[above].children++;
	}
}

/* Puts a process, and what it has started, at the end of the list. */
static void show(struct family *family, const struct parent *parent, unsigned int depth)
{
	const struct usage_process *one = parent->first;
	struct rows *rows = family->rows;
	size_t i;

	rows->row[rows->n] = parent->row;
	rows->row[rows->n].is_folded = rows_ids_have(&family->view->folded, parent->row.id);
	rows->row[rows->n++].depth = depth;
	/* The driver lists by GPU: those of other GPUs stand further on. */
	for (i = 1; i < parent->n_first; i++) {
		do
			one++;
		while (one->process != parent->first->process);
		rows->row[rows->n] = rows_of_process(one);
		rows->row[rows->n++].depth = depth;
	}
	if (rows->row[rows->n - 1].is_folded || depth >= 2 * DEPTH)
		return;
	for (i = 0; i < parent->children; i++)
		show(family, &family->parent[family->sorted[parent->order + i]], depth + 1);
}

void rows_make_parents(struct rows *rows, const struct rows_view *view)
{
	struct family family = { .rows = rows, .view = view };
	size_t i;

	recent_begin(&family.places, sizeof(struct place), UINT64_MAX);
	for (i = 0; i < rows->matching.n_processes; i++)
		add_process(&family, &rows->matching.processes[i]);
	rows->parents = family.parent;
	family.sorted = xcalloc(family.n + 1, sizeof(*family.sorted));
	rows->row = xcalloc(family.n + rows->matching.n_processes + 1, sizeof(*rows->row));
	sort(&family);
	for (i = 0; i < family.n; i++)
		if (family.parent[family.sorted[i]].above == NOBODY)
			show(&family, &family.parent[family.sorted[i]], 0);
	recent_free(&family.places);
	free(family.sorted);
}
