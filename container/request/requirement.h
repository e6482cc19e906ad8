/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requirement language: conditions on driver and GPU that images bring in
 * NVIDIA_REQUIRE_... ("cuda>=12.4 brand=tesla,driver>=535").
 */
#ifndef MPU_CONTAINER_REQUEST_REQUIREMENT_H
#define MPU_CONTAINER_REQUEST_REQUIREMENT_H

#include <stddef.h>

#include "container/request/selection.h"
#include "lib/strv.h"
#include "lib/why.h"
#include "nvidia/installation.h"

/**
 * struct requirement_facts - what conditions are about
 *
 * NULL: not known, and then a condition on it holds.
 */
struct requirement_facts {
	const char *driver, *cuda, *arch, *brand;
};

/**
 * requirement_check() - does an expression hold? An empty one does.
 *
 * Terms between spaces are alternatives, factors between commas must all hold.
 *
 * Return: 0; -ENOTSUP: it does not; -EINVAL: it is not an expression; with a sentence in
 * @why: "requirement error: unsatisfied condition: cuda>=12.4".
 */
int requirement_check(const char *expression, const struct requirement_facts *facts,
		      char why[WHY_SIZE]);

/**
 * requirement_check_all() - do all expressions hold, for each GPU that is selected?
 *
 * Return: as requirement_check().
 */
int requirement_check_all(const struct strv *expressions,
			  const struct installation *installation,
			  const struct selection *selection, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_REQUEST_REQUIREMENT_H */
