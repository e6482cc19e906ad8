/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capabilities of the calling thread, as bits by CAP_... of
 * linux/capability.h.
 */
#ifndef MPU_LIB_CAPS_H
#define MPU_LIB_CAPS_H

#include <stdbool.h>
#include <stdint.h>

/** caps_get() - those that are effective; 0 or negative errno */
int caps_get(uint64_t *effective);

/**
 * caps_set() - make these effective, as far as they are permitted, and no others
 *
 * All that are permitted stay so: a later call may take them back.
 *
 * Return: 0 or negative errno.
 */
int caps_set(uint64_t effective);

/**
 * caps_limit() - give up for good all but some
 * @permitted:	what may be made effective from now on
 * @bounding:	what a program may get that is run from now on
 *
 * None is inheritable then. Bits of which this process has none are no error.
 *
 * Return: 0 or negative errno.
 */
int caps_limit(uint64_t permitted, uint64_t bounding);

/** caps_has() - is this one effective? */
bool caps_has(unsigned int cap);

#endif /* MPU_LIB_CAPS_H */
