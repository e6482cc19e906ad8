// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histories, in a hash table.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/view/top/history.h"

#define SIZE_MIN	64

/* The slot of @id, or the free one where it would be; the table is never full. */
static struct history *find_slot(const struct history_table *table, uint64_t id)
{
	size_t i = (size_t)id & (table->size - 1);

	while (table->slot[i].id && table->slot[i].id != id)
		i = (i + 1) & (table->size - 1);
	return &table->slot[i];
}

static bool is_old(const struct history_table *table, const struct history *history)
{
	return table->reading - history->seen >= HISTORY_SAMPLES;
}

/* Move what is not old to a table with room for twice as much. */
static int rebuild(struct history_table *table)
{
	struct history_table new = { .reading = table->reading, .size = SIZE_MIN };
	size_t i, living = 0;

	for (i = 0; i < table->size; i++)
		living += table->slot[i].id && !is_old(table, &table->slot[i]);
	while (new.size < 4 * living)
		new.size *= 2;
	new.slot = calloc(new.size, sizeof(*new.slot));
	if (!new.slot)
		return -ENOMEM;
	for (i = 0; i < table->size; i++)
		if (table->slot[i].id && !is_old(table, &table->slot[i]))
			*find_slot(&new, table->slot[i].id) = table->slot[i];
	new.used = living;
	free(table->slot);
	*table = new;
	return 0;
}

int history_begin(struct history_table *table)
{
	table->reading++;
	/* Now and then, for a machine whose containers come and go. */
	if (table->reading % HISTORY_SAMPLES == 1)
		return rebuild(table);
	return 0;
}

/* Samples of the readings from its last one to this one. */
static void fill_gap(struct history_table *table, struct history *history)
{
	uint64_t from = history->seen + 1;
	int value;

	if (is_old(table, history))
		from = table->reading > HISTORY_SAMPLES ?
		       table->reading - HISTORY_SAMPLES + 1 : 1;
	for (; from < table->reading; from++)
		for (value = 0; value < HISTORY_VALUES; value++)
			history->sample[value][from % HISTORY_SAMPLES] = 0;
}

int history_add(struct history_table *table, uint64_t id,
		const uint32_t value[HISTORY_VALUES])
{
	struct history *history;
	bool is_first;
	int i, ret;

	if (2 * table->used >= table->size) {
		ret = rebuild(table);
		if (ret)
			return ret;
	}
	history = find_slot(table, id);
	table->used += !history->id;
	history->id = id;
	is_first = history->seen != table->reading;
	if (is_first)
		fill_gap(table, history);
	history->seen = table->reading;
	for (i = 0; i < HISTORY_VALUES; i++) {
		uint32_t *sample = &history->sample[i][table->reading % HISTORY_SAMPLES];

		*sample = is_first ? value[i] : *sample + value[i];
	}
	return 0;
}

uint32_t history_get(const struct history_table *table, uint64_t id,
		     enum history_value value, unsigned int age)
{
	const struct history *history;
	uint64_t reading = table->reading - age;

	if (!table->size || age >= table->reading || age >= HISTORY_SAMPLES)
		return HISTORY_NONE;
	history = find_slot(table, id);
	if (!history->id || reading > history->seen ||
	    history->seen - reading >= HISTORY_SAMPLES)
		return HISTORY_NONE;
	return history->sample[value][reading % HISTORY_SAMPLES];
}

void history_free(struct history_table *table)
{
	free(table->slot);
	*table = (struct history_table){ 0 };
}
