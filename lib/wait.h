/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiting for something that nobody announces: look, sleep a moment, look again.
 *
 *	struct wait wait = wait_begin(20, 1000);
 *
 *	while (!it_is_there() && wait_moment(&wait))
 *		;
 */
#ifndef MPU_LIB_WAIT_H
#define MPU_LIB_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct wait - a wait that has begun
 * @moment_ms:	between two looks
 * @until_ms:	when to give up, on the clock of clock_ms(); 0: never
 * @second_ms:	when wait_second() says yes next
 */
struct wait {
	unsigned int moment_ms;
	uint64_t until_ms;
	uint64_t second_ms;
};

/**
 * wait_begin() - start to wait
 * @limit_ms:	for how long, 0: as long as it takes
 */
struct wait wait_begin(unsigned int moment_ms, unsigned int limit_ms);

/**
 * wait_moment() - sleep until the next look; a signal makes it a short one
 * Return: false, without having slept: the time is up.
 */
bool wait_moment(const struct wait *wait);

/** wait_second() - has a second passed since it said so last, or since the begin? */
bool wait_second(struct wait *wait);

#endif /* MPU_LIB_WAIT_H */
