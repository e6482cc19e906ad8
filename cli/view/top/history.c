// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histories of things that come and go: see history.h.
 */
#include <errno.h>
#include <stdbool.h>

#include "cli/view/top/history.h"

int history_begin(struct history_table *table)
{
	struct recent *all = &table->all;

	recent_begin(all, sizeof(struct history), HISTORY_SAMPLES);
	/* Now and then, for a machine whose containers come and go. */
	return all->reading % HISTORY_SAMPLES == 1 ? recent_clean(all) : 0;
}

/* Samples of the readings from its last one to this one. */
static void fill_gap(const struct recent *all, struct history *history)
{
	uint64_t from = history->thing.seen + 1;
	int value;

	if (recent_is_old(all, &history->thing))
		from = all->reading > HISTORY_SAMPLES ? all->reading - HISTORY_SAMPLES + 1 : 1;
	for (; from < all->reading; from++)
		for (value = 0; value < HISTORY_VALUES; value++)
			history->sample[value][from % HISTORY_SAMPLES] = 0;
}

int history_add(struct history_table *table, uint64_t id,
		const uint32_t value[HISTORY_VALUES])
{
	struct recent *all = &table->all;
	struct history *history = recent_add(all, id);
	bool is_first;
	int i;

	if (!history)
		return -ENOMEM;
	is_first = history->thing.seen != all->reading;
	if (is_first)
		fill_gap(all, history);
	history->thing.seen = all->reading;
	for (i = 0; i < HISTORY_VALUES; i++) {
		uint32_t *sample = &history->sample[i][all->reading % HISTORY_SAMPLES];

		*sample = is_first ? value[i] : *sample + value[i];
	}
	return 0;
}

uint32_t history_get(const struct history_table *table, uint64_t id,
		     enum history_value value, unsigned int age)
{
	const struct history *history = recent_find(&table->all, id);
	uint64_t reading = table->all.reading - age;

	if (!history || age >= table->all.reading || age >= HISTORY_SAMPLES ||
	    reading > history->thing.seen || history->thing.seen - reading >= HISTORY_SAMPLES)
		return HISTORY_NONE;
	return history->sample[value][reading % HISTORY_SAMPLES];
}

void history_free(struct history_table *table)
{
	recent_free(&table->all);
}
