/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzz target, and what random.c takes to run it without libFuzzer.
 */
#ifndef MPU_TESTS_CONTAINER_RANDOM_H
#define MPU_TESTS_CONTAINER_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The target of libFuzzer: aborts if something is wrong with what the code makes of
 * @data.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Texts that the code takes, to be changed at random; NULL ends them. */
extern const char *const random_seeds[];

/*
 * The number of inputs that the code has taken so far: a test that takes none is none. Weak, as
 * a target is linked with random.c, or with libFuzzer alone.
 */
unsigned int random_taken __attribute__((weak));

#define require(holds) \
	do { \
		if (!(holds)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds); \
			abort(); \
		} \
	} while (0)

/* Returns the input as a text of its own, for the sanitizer. */
static inline char *random_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif /* MPU_TESTS_CONTAINER_RANDOM_H */
