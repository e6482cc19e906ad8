/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capabilities of the calling thread, as bits by CAP_... of linux/capability.h.
 */
#ifndef MPU_LIB_CAPS_H
#define MPU_LIB_CAPS_H

#include <stdbool.h>
#include <stdint.h>

/** caps_get() - Return: 0 or negative errno */
int caps_get(uint64_t *effective);

/** caps_set() - likewise; those that are not permitted are left out, and permitted all stay */
int caps_set(uint64_t effective);

/**
 * caps_limit() - give up for good all but some
 * @permitted:	what may be made effective from now on
 * @bounding:	what a program may get that is run from now on
 *
 * None is inheritable then. Return: 0, also if it has not all of them, or negative errno.
 */
int caps_limit(uint64_t permitted, uint64_t bounding);

bool caps_has(unsigned int cap);

#endif /* MPU_LIB_CAPS_H */
