/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requirement language: conditions on driver and GPU that images bring in
 * NVIDIA_REQUIRE_... ("cuda>=12.4 brand=tesla,driver>=535").
 */
#ifndef MPU_CONTAINER_REQUIREMENT_H
#define MPU_CONTAINER_REQUIREMENT_H

#include "lib/why.h"

/**
 * struct requirement_facts - what conditions are about
 *
 * NULL: not known, and then a condition on it holds.
 */
struct requirement_facts {
	const char *driver, *cuda, *arch, *brand;
};

/**
 * requirement_check() - does an expression hold?
 *
 * Terms between spaces are alternatives, factors between commas must all hold;
 * both are read from the left, no further than needed.
 *
 * Return: 0; -ENOTSUP: it does not; -EINVAL: it is not an expression; with a
 * sentence in @why: "requirement error: unsatisfied condition: cuda>=12.4".
 */
int requirement_check(const char *expression,
		      const struct requirement_facts *facts,
		      char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_REQUIREMENT_H */
