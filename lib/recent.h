/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Things by number, in a hash table that forgets those which were in none of the last
 * readings.
 */
#ifndef MPU_LIB_RECENT_H
#define MPU_LIB_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct recent_thing - the beginning of each thing
 * @id:		which, not 0
 * @seen:	number of the last reading that it was in; whoever adds it says so
 */
struct recent_thing {
	uint64_t id;
	uint64_t seen;
};

/**
 * struct recent - all of them; zeroed, it is empty
 * @reading:	number of the reading under way, from 1 on
 * @keep:	readings after which a thing is old
 * @slot:	@size of them, a power of two; each at the first free place from its id on
 */
struct recent {
	uint64_t reading;
	size_t thing_size;
	uint64_t keep;
	size_t size, used;
	char *slot;
};

/** recent_begin() - a reading begins; of one table always with the same size and @keep */
void recent_begin(struct recent *recent, size_t thing_size, uint64_t keep);

/** recent_is_old() - was it in none of the last readings? */
bool recent_is_old(const struct recent *recent, const struct recent_thing *thing);

/** recent_find() - Return: a thing, valid until one is added; NULL: it is not there */
void *recent_find(const struct recent *recent, uint64_t id);

/** recent_add() - likewise, or add it, zeroed but for its id */
void *recent_add(struct recent *recent, uint64_t id);

/** recent_clean() - forget what is old, which adding does otherwise when room is short */
void recent_clean(struct recent *recent);

void recent_free(struct recent *recent);

#endif /* MPU_LIB_RECENT_H */
