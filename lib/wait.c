// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting for something that nobody announces: see wait.h.
 */
#include <time.h>

#include "lib/clock.h"
#include "lib/wait.h"

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
