/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clocks that processes and the driver's records are dated by.
 */
#ifndef MPU_LIB_CLOCK_H
#define MPU_LIB_CLOCK_H

#include <stdint.h>

/**
 * clock_epoch() - when the machine started, by its clock of today
 *
 * What CLOCK_REALTIME is ahead of CLOCK_BOOTTIME, on which the kernel dates
 * processes. It changes only when somebody sets the clock.
 *
 * Return: nanoseconds since the epoch; rather a little too early.
 */
uint64_t clock_epoch(void);

/** clock_ms() - milliseconds, on the clock that nobody sets */
uint64_t clock_ms(void);

#endif /* MPU_LIB_CLOCK_H */
