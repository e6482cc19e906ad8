// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clocks: see clock.h.
 */
#include <time.h>

#include "lib/clock.h"

/* A process may lose its CPU between two readings of a clock: the closest pair counts. */
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

#define SECOND_MS	1000

struct wait wait_begin(unsigned int moment_ms, unsigned int limit_ms)
{
	uint64_t now = clock_ms();

	return (struct wait){
		.moment_ms = moment_ms,
		.until_ms = limit_ms ? now + limit_ms : 0,
		.second_ms = now + SECOND_MS,
	};
}

bool wait_moment(const struct wait *wait)
{
	struct timespec moment = {
		.tv_sec = wait->moment_ms / 1000,
		.tv_nsec = wait->moment_ms % 1000 * 1000000L,
	};

	if (wait->until_ms && clock_ms() >= wait->until_ms)
		return false;
	nanosleep(&moment, NULL);
	return true;
}

bool wait_second(struct wait *wait)
{
	uint64_t now = clock_ms();

	if (now < wait->second_ms)
		return false;
	wait->second_ms = now + SECOND_MS;
	return true;
}
