/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of files, by which a Tegra says what a container with its GPU takes: lines
 * "lib, /usr/lib/libcuda.so", "dev, /dev/nvmap".
 */
#ifndef MPU_CONTAINER_PLAN_CSV_H
#define MPU_CONTAINER_PLAN_CSV_H

#include "container/plan/edits.h"
#include "lib/why.h"
#include "nvidia/devices.h"

/**
 * struct csv - what to read
 * @folder:	of the lists: those that end with ".csv"
 * @root:	before the paths in them: "" for this machine's own tree
 * @all:	all lists; else those that every container takes
 * @input:	what asked for it, for `explain`
 * @files:	these lists, by their paths, instead of @folder's; NULL: @folder's
 * @ignored:	patterns of paths whose "sym" lines do not count; NULL: none
 * @gpus:	of this machine. A single GPU, or an unknown one, is GPU 0. With several,
 *		0 is the integrated one, and 1 a card
 * @devices:	GPUs that are asked for, by index or UUID, or "all"; NULL: all
 */
struct csv {
	const char *folder;
	const char *root;
	bool all;
	const char *input;
	const struct strv *files;
	const struct strv *ignored;
	const struct devices *gpus;
	const struct strv *devices;
};

/** csv_gpus() - Return: how many GPUs the lists are for: 1 or 2 */
size_t csv_gpus(const struct csv *csv);

/**
 * csv_plan() - make edits of the lists; nodes are a GPU's, or each GPU's: "0", "1"
 *
 * Files that a line names and that are missing, and wrong lines, become sentences of
 * @edits.
 *
 * Return: 0, or negative errno and a sentence in @why; -EINVAL: a GPU that is asked for
 * is not there.
 */
int csv_plan(struct edits *edits, const struct csv *csv, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_PLAN_CSV_H */
