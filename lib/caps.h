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

/** caps_has() - is this one effective? */
bool caps_has(unsigned int cap);

#endif /* MPU_LIB_CAPS_H */
