/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory between guard bytes, which show that a driver or an engine wrote beside what
 * it was given.
 */
#ifndef MPU_TESTS_CONFORMANCE_GUARD_H
#define MPU_TESTS_CONFORMANCE_GUARD_H

#include <stdbool.h>

#include "tests/conformance/entry_path.h"

/** struct guarded - fields are its own but @at, @size bytes to be used */
struct guarded {
	u8 *at;
	u32 size;
	enum entry_path path;
	void *memory;
};

/**
 * guarded_alloc() - such memory, for what a call by this way points at
 * @skew:	how far from an aligned address
 *
 * Return: false if there is no more.
 */
bool guarded_alloc(struct guarded *g, enum entry_path path, u32 size, u32 skew);
bool guarded_holds(const struct guarded *g);
void guarded_free(struct guarded *g);

#endif /* MPU_TESTS_CONFORMANCE_GUARD_H */
