/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of files, by which a Tegra says what a container with its GPU takes: lines
 * "lib, /usr/lib/libcuda.so", "dev, /dev/nvmap".
 */
#ifndef MPU_CONTAINER_PLAN_CSV_H
#define MPU_CONTAINER_PLAN_CSV_H

#include "container/plan/edits.h"
#include "lib/why.h"

/**
 * struct csv - what to read
 * @folder:	of the lists: those that end with ".csv"
 * @root:	before the paths in them: "" for this machine's own tree
 * @all:	all lists; else those that every container takes
 * @input:	what asked for it, for `explain`
 */
struct csv {
	const char *folder;
	const char *root;
	bool all;
	const char *input;
};

/**
 * csv_plan() - make edits of the lists
 *
 * What a line names and is not there, and a line that is none, is a sentence of
 * @edits.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int csv_plan(struct edits *edits, const struct csv *csv, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_PLAN_CSV_H */
