/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clocks that processes and the driver's records are dated by, and those
 * that time is measured with.
 */
#ifndef MPU_LIB_CLOCK_H
#define MPU_LIB_CLOCK_H

#include <stdint.h>

/**
 * clock_epoch() - when the machine started, by its clock of today
 *
 * The difference between CLOCK_REALTIME and CLOCK_BOOTTIME, by which the kernel dates
 * processes: it changes only when somebody sets the clock.
 *
 * Return: nanoseconds since the epoch; rather a little too early. On a machine that
 * has not been told the time it is about 0, and may be a little less, which wraps.
 */
uint64_t clock_epoch(void);

/** clock_ns() - nanoseconds, on a clock that nobody can set */
uint64_t clock_ns(void);

/** clock_ms() - milliseconds on that clock */
uint64_t clock_ms(void);

/** clock_thread_ns() - CPU time that this thread has used, in nanoseconds */
uint64_t clock_thread_ns(void);

#endif /* MPU_LIB_CLOCK_H */
