// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histories of GPUs, containers, pods and users, one sample for each reading.
 */
#include "cli/view/top/internal.h"

/* @sample: by number of the reading modulo HISTORY_SAMPLES */
struct history {
	struct recent_thing thing;
	uint32_t sample[HISTORY_VALUES][HISTORY_SAMPLES];
};

/* Things that were in none of the last HISTORY_SAMPLES readings are forgotten. */
void history_begin(struct recent *all)
{
	recent_begin(all, sizeof(struct history), HISTORY_SAMPLES);
	/* Now and then, for a machine whose containers come and go. */
	if (all->reading % HISTORY_SAMPLES == 1)
		recent_clean(all);
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

/*
 * Adds to what the reading under way says of a thing. Where it was not in the readings before, it
 * has samples of 0: it took nothing.
 */
void history_add(struct recent *all, uint64_t id, const uint32_t value[HISTORY_VALUES])
{
	struct history *history = recent_add(all, id);
	bool is_first = history->thing.seen != all->reading;
	int i;

	if (is_first)
		fill_gap(all, history);
	history->thing.seen = all->reading;
	for (i = 0; i < HISTORY_VALUES; i++) {
		uint32_t *sample = &history->sample[i][all->reading % HISTORY_SAMPLES];

		*sample = is_first ? value[i] : *sample + value[i];
	}
}

/* @age: 0: the sample of the last reading, 1: of the one before */
uint32_t history_get(const struct recent *all, uint64_t id, enum history_value value,
		     unsigned int age)
{
	const struct history *history = recent_find(all, id);
	uint64_t reading = all->reading - age;

	if (!history || age >= all->reading || age >= HISTORY_SAMPLES ||
	    reading > history->thing.seen || history->thing.seen - reading >= HISTORY_SAMPLES)
		return HISTORY_NONE;
	return history->sample[value][reading % HISTORY_SAMPLES];
}
