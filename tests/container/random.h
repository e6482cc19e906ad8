/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzz target, and what random.c takes to run it without libFuzzer.
 */
#ifndef MPU_TESTS_CONTAINER_RANDOM_H
#define MPU_TESTS_CONTAINER_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/*
 * The target of libFuzzer: aborts if something is wrong with what the code makes of
 * @data.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Texts that the code takes, to be changed at random; NULL ends them. */
extern const char *const random_seeds[];

/*
 * The number of inputs that the code has taken so far: a test that takes none is none.
 */
extern unsigned int random_taken;

#endif /* MPU_TESTS_CONTAINER_RANDOM_H */
