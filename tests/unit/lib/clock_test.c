// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib/clock.c: when it gives up, and what it says once a second. No test waits for
 * a time to pass: the times are set instead.
 */
#include "lib/clock.h"
#include "tests/unit/unit.h"

TEST("a wait without a limit does not end")
{
	struct wait wait = wait_begin(1, 0);
	int looks;

	for (looks = 0; looks < 10; looks++)
		assert_true(wait_moment(&wait));
}

TEST("a wait ends at its limit, and stays ended")
{
	struct wait wait = wait_begin(1, 10000);

	assert_true(wait.until_ms <= clock_ms() + 10000);
	wait.until_ms = UINT64_MAX;
	assert_true(wait_moment(&wait));
	wait.until_ms = clock_ms();
	assert_false(wait_moment(&wait));
	assert_false(wait_moment(&wait));
}

/* The condition is looked at once more after the last moment of sleep. */
TEST("a wait of 20 ms ends by itself, and not before")
{
	struct wait wait = wait_begin(1, 20);
	uint64_t began = clock_ms();

	while (wait_moment(&wait))
		;
	assert_true(clock_ms() - began >= 19);
}

TEST("each second is reported once")
{
	struct wait wait = wait_begin(1, 0);
	uint64_t now = clock_ms();

	wait.second_ms = UINT64_MAX;
	assert_false(wait_second(&wait));
	wait.second_ms = now;
	assert_true(wait_second(&wait));
	assert_true(wait.second_ms >= now + 1000);
}
