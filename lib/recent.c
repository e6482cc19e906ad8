// SPDX-License-Identifier: GPL-2.0-only
/*
 * Things by number: see recent.h.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/recent.h"
#include "lib/xalloc.h"

#define SIZE_MIN	64

static struct recent_thing *thing_at(const struct recent *recent, size_t i)
{
	return (void *)(recent->slot + i * recent->thing_size);
}

/* Returns the slot of @id, or the free one where it would be; the table is never full. */
static struct recent_thing *find_slot(const struct recent *recent, uint64_t id)
{
	size_t i = (size_t)id & (recent->size - 1);

	while (thing_at(recent, i)->id && thing_at(recent, i)->id != id)
		i = (i + 1) & (recent->size - 1);
	return thing_at(recent, i);
}

void recent_begin(struct recent *recent, size_t thing_size, uint64_t keep)
{
	recent->thing_size = thing_size;
	recent->keep = keep;
	recent->reading++;
}

bool recent_is_old(const struct recent *recent, const struct recent_thing *thing)
{
	return recent->reading - thing->seen >= recent->keep;
}

void *recent_find(const struct recent *recent, uint64_t id)
{
	struct recent_thing *thing = recent->size ? find_slot(recent, id) : NULL;

	return thing && thing->id ? thing : NULL;
}

/* Moves what is not old to a table with room for twice as much. */
void recent_clean(struct recent *recent)
{
	struct recent new = *recent;
	struct recent_thing *thing;
	size_t i;

	new.used = 0;
	new.size = SIZE_MIN;
	for (i = 0; i < recent->size; i++) {
		thing = thing_at(recent, i);
		new.used += thing->id && !recent_is_old(recent, thing);
	}
	while (new.size < 4 * new.used)
		new.size *= 2;
	new.slot = xcalloc(new.size, new.thing_size);
	for (i = 0; i < recent->size; i++) {
		thing = thing_at(recent, i);
		if (thing->id && !recent_is_old(recent, thing))
			memcpy(find_slot(&new, thing->id), thing, new.thing_size);
	}
	free(recent->slot);
	*recent = new;
}

void *recent_add(struct recent *recent, uint64_t id)
{
	struct recent_thing *thing;

	if (2 * recent->used >= recent->size)
		recent_clean(recent);
	thing = find_slot(recent, id);
	recent->used += !thing->id;
	thing->id = id;
	return thing;
}

void recent_free(struct recent *recent)
{
	free(recent->slot);
	*recent = (struct recent){ 0 };
}
