/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the sources of fakegsp.ko share.
 */
#ifndef MPU_TESTS_DRIVER_GSP_H
#define MPU_TESTS_DRIVER_GSP_H

#include "sim/sim.h"

/* The driver's own os_memcpy_from_user() and os_memcpy_to_user(). */
extern u32 (*nvidia_copy_in)(void *to, const void *from, u32 n);
extern u32 (*nvidia_copy_out)(void *to, const void *from, u32 n);

#endif /* MPU_TESTS_DRIVER_GSP_H */
