/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A number made of words and texts, the same for the same ones: FNV-1a, with eight
 * bytes a step. Whoever chooses the texts can make two of them meet.
 */
#ifndef MPU_LIB_HASH_H
#define MPU_LIB_HASH_H

#include <stdint.h>
#include <string.h>

#define HASH_BEGIN	0xcbf29ce484222325ull
#define HASH_PRIME	0x100000001b3ull

/** hash_word() - @hash, of which the first is HASH_BEGIN, with one word more */
static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * HASH_PRIME;
	return hash ^ hash >> 32;	/* high bits count in the next step, too */
}

static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	size_t n = strlen(text);
	uint64_t word = 0;

	for (; n >= sizeof(word); n -= sizeof(word), text += sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = hash_word(hash, word);
	}
	word = 0;
	memcpy(&word, text, n);
	return hash_word(hash, word);
}

#endif /* MPU_LIB_HASH_H */
