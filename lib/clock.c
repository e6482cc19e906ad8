// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clocks: see clock.h.
 */
#include <time.h>

#include "lib/clock.h"

/*
 * A process may lose its CPU between two readings of a clock, so the pair with
 * the shortest time between counts.
 */
#define TRIES 5

static uint64_t now(clockid_t clock)
{
	struct timespec time = { 0, 0 };

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t clock_epoch(void)
{
	uint64_t real, epoch, latest = 0;
	int i;

	for (i = 0; i < TRIES; i++) {
		real = now(CLOCK_REALTIME);
		epoch = real - now(CLOCK_BOOTTIME);
		if (epoch > latest)
			latest = epoch;
	}
	return latest;
}

uint64_t clock_ns(void)
{
	return now(CLOCK_MONOTONIC);
}

uint64_t clock_ms(void)
{
	return clock_ns() / 1000000;
}

uint64_t clock_thread_ns(void)
{
	return now(CLOCK_THREAD_CPUTIME_ID);
}
