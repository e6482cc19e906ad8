/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histories of GPUs, containers, pods and users, one sample for each reading.
 */
#ifndef MPU_CLI_VIEW_TOP_HISTORY_H
#define MPU_CLI_VIEW_TOP_HISTORY_H

#include <stdint.h>

#include "cli/view/top/recent.h"

#define HISTORY_SAMPLES	128
#define HISTORY_NONE	UINT32_MAX	/* a sample that nobody took */

/* The figures of a sample. */
enum history_value {
	HISTORY_SM,		/* hundredths of a percent of a GPU */
	HISTORY_MEMORY,		/* MiB */
	HISTORY_VALUES,
};

/**
 * struct history - of one thing
 * @sample:	by number of the reading modulo HISTORY_SAMPLES
 */
struct history {
	struct recent_thing thing;
	uint32_t sample[HISTORY_VALUES][HISTORY_SAMPLES];
};

/** struct history_table - all of them, struct history */
struct history_table {
	struct recent all;
};

/**
 * history_begin() - a reading begins
 *
 * Things that were in none of the last HISTORY_SAMPLES readings are forgotten.
 *
 * Return: 0 or -ENOMEM.
 */
int history_begin(struct history_table *table);

/**
 * history_add() - add to what the reading under way says of a thing
 * @id:		not 0
 * @value:	by enum history_value; HISTORY_NONE, of a thing that is added once: not known
 *
 * A thing that was not in the readings before has samples of 0 there: it took nothing.
 *
 * Return: 0 or -ENOMEM.
 */
int history_add(struct history_table *table, uint64_t id,
		const uint32_t value[HISTORY_VALUES]);

/**
 * history_get() - a sample
 * @age:	0: of the last reading, 1: of the one before
 *
 * Return: it, or HISTORY_NONE.
 */
uint32_t history_get(const struct history_table *table, uint64_t id,
		     enum history_value value, unsigned int age);

void history_free(struct history_table *table);

#endif /* MPU_CLI_VIEW_TOP_HISTORY_H */
