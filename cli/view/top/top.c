// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of mpu top, from one reading to the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/view/top/internal.h"
#include "lib/hash.h"

const char *const rows_mode_names[ROWS_MODES] = {
	[ROWS_PROCESSES] = "processes", [ROWS_TREE] = "tree",
	[ROWS_CONTAINERS] = "containers", [ROWS_PODS] = "pods", [ROWS_USERS] = "users",
};

void top_begin(struct top *top, double interval)
{
	int mode;

	*top = (struct top){ .interval = interval, .page = 1, .has_mouse = true,
			     .reader = host_reader_open(true) };
	for (mode = 0; mode < ROWS_MODES; mode++)
		top->view.order[mode] = (struct rows_order){ FIGURE_SM, false };
}

/* --- Histories --- */

static void remember_gpus(struct top *top, const struct usage *usage)
{
	size_t i;

	for (i = 0; i < usage->n_gpus; i++) {
		const struct gpu_processes *gpu = &usage->gpus[i];
		const uint32_t value[] = {
			[HISTORY_SM] = gpu->has_utilisation ?
				gpu->utilisation[RM_ENGINE_SM] : HISTORY_NONE,
			[HISTORY_MEMORY] = gpu->has_memory ?
				(uint32_t)(gpu->memory_used >> 20) : HISTORY_NONE,
		};

		history_add(&top->history, usage_find_id(USAGE_BY_GPU, i, NULL), value);
	}
}

/*
 * Remembers a reading for all things that a process is a part of; not by usage_sum(),
 * which sorts.
 */
static void remember_process(struct top *top, const struct usage_process *process)
{
	static const struct { enum usage_by by; bool each_gpu; } sums[] = {
		{ USAGE_BY_CONTAINER, true }, { USAGE_BY_CONTAINER, false },
		{ USAGE_BY_POD, false }, { USAGE_BY_USER, false },
	};
	const uint32_t value[] = {
		[HISTORY_SM] = process->utilisation[RM_ENGINE_SM],
		[HISTORY_MEMORY] = (uint32_t)(process->memory >> 20),
	};
	size_t i;

	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		history_add(&top->history, usage_find_id(sums[i].by, sums[i].each_gpu ?
			    process->gpu : USAGE_ALL_GPUS, process), value);
}

/* A container's processes mostly have neighbouring PIDs: they are added up first. */
static void remember_processes(struct top *top, const struct usage *usage)
{
	const struct usage_process *one = usage->processes, *end = one + usage->n_processes;
	struct usage_process sum;

	while (one < end) {
		sum = *one++;
		for (; one < end && usage_is_alike(&sum, one); one++) {
			sum.utilisation[RM_ENGINE_SM] += one->utilisation[RM_ENGINE_SM];
			sum.memory += one->memory;
		}
		remember_process(top, &sum);
	}
}

/* How high histories of memory are, MiB: that of a GPU, or of the largest; not 0 */
uint32_t top_memory_scale(const struct top *top, size_t gpu)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < top->usage->n_gpus; i++) {
		const struct gpu_processes *one = &top->usage->gpus[i];

		if ((gpu == USAGE_ALL_GPUS || gpu == i) && one->memory_total > most)
			most = one->memory_total;
	}
	return most >> 20 ? (uint32_t)(most >> 20) : 1;
}

/* --- Selection --- */

static void note_selected(struct top *top)
{
	top->selected_id = top->rows.n ? top->rows.row[top->selected].id : 0;
}

/* The row that was selected may stand elsewhere now, or be gone. */
static void find_selected(struct top *top)
{
	size_t i;

	for (i = 0; i < top->rows.n; i++)
		if (top->rows.row[i].id == top->selected_id) {
			top->selected = i;
			return;
		}
	if (top->selected >= top->rows.n)
		top->selected = top->rows.n ? top->rows.n - 1 : 0;
	note_selected(top);
}

void top_select(struct top *top, long rows)
{
	long last = (long)top->rows.n - 1, to = (long)top->selected + rows;

	top->selected = to < 0 || last < 0 ? 0 : (size_t)(to > last ? last : to);
	note_selected(top);
}

void top_update(struct top *top)
{
	top->view.usage = top->usage;
	if (top->usage)
		rows_make(&top->rows, top->usage, &top->view);
	else
		rows_free(&top->rows);
	find_selected(top);
}

/* --- Tags --- */

/* Returns the same for each row of a process, and not for another with its PID later. */
uint64_t top_tag_id(const struct host_process *process)
{
	return hash_word(hash_word(HASH_BEGIN, (uint64_t)process->pid), process->started_us);
}

/* Keeps the tags of processes that are there. */
static void sweep_tags(struct top *top)
{
	size_t tag, i, kept = 0;

	for (tag = 0; tag < top->tags.n; tag++) {
		for (i = 0; i < top->usage->n_processes; i++)
			if (top_tag_id(top->usage->processes[i].process) == top->tags.id[tag])
				break;
		if (i < top->usage->n_processes)
			top->tags.id[kept++] = top->tags.id[tag];
	}
	top->tags.n = kept;
}

void top_take(struct top *top, const struct usage *usage)
{
	history_begin(&top->history);
	remember_gpus(top, usage);
	remember_processes(top, usage);
	top->usage = usage;
	sweep_tags(top);
	top_update(top);
}

void top_lose(struct top *top, const char *why)
{
	uint64_t selected = top->selected_id;

	snprintf(top->why, sizeof(top->why), "%s", why);
	top->usage = NULL;
	rows_free(&top->rows);
	top->selected_id = selected;	/* it may come back */
}

/* Puts a character to the end, or takes one off it; names are ASCII mostly. */
void top_edit(char input[SEARCH_TEXT], unsigned int key)
{
	size_t n = strlen(input);

	if ((key == TOP_KEY_BACKSPACE || key == 0x7f || key == '\b') && n)
		input[n - 1] = '\0';
	else if (key == ('U' & 0x1f))
		input[0] = '\0';
	else if (key >= ' ' && key < 0x7f && n + 1 < SEARCH_TEXT)
		snprintf(input + n, SEARCH_TEXT - n, "%c", (int)key);
}

void top_free(struct top *top)
{
	rows_free(&top->rows);
	recent_free(&top->history);
	free(top->view.folded.id);
	free(top->tags.id);
	while (top->n_targets)
		target_release(&top->targets[--top->n_targets]);
	free(top->targets);
	host_reader_close(top->reader);
}
