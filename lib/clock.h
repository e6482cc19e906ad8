/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clocks that processes and the driver's records are dated by, those that time is
 * measured with, and waits for something that nobody announces: look, sleep a moment,
 * look again.
 *
 *	struct wait wait = wait_begin(20, 1000);
 *
 *	while (!it_is_there() && wait_moment(&wait))
 *		;
 */
#ifndef MPU_LIB_CLOCK_H
#define MPU_LIB_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/**
 * clock_epoch() - when the machine started, by its clock of today: CLOCK_REALTIME less
 * CLOCK_BOOTTIME, by which the kernel dates processes
 *
 * Return: nanoseconds since the epoch; rather a little too early. On a machine that
 * has not been told the time it is about 0, and may be a little less, which wraps.
 */
uint64_t clock_epoch(void);

/* CLOCK_MONOTONIC, which nobody can set. */
uint64_t clock_ns(void);
uint64_t clock_ms(void);

/** clock_thread_ns() - CPU time that this thread has used */
uint64_t clock_thread_ns(void);

/**
 * struct wait - a wait that has begun
 * @moment_ms:	between two looks
 * @until_ms:	when to give up, by clock_ms(); 0: never
 * @second_ms:	when wait_second() says yes next
 */
struct wait {
	unsigned int moment_ms;
	uint64_t until_ms, second_ms;
};

/** wait_begin() - start to wait for at most @limit_ms; 0: as long as it takes */
struct wait wait_begin(unsigned int moment_ms, unsigned int limit_ms);

/**
 * wait_moment() - sleep until the next look; a signal makes it a short one
 * Return: false, without having slept: the time is up.
 */
bool wait_moment(const struct wait *wait);

/** wait_second() - has a second passed since it said so last, or since the begin? */
bool wait_second(struct wait *wait);

#endif /* MPU_LIB_CLOCK_H */
