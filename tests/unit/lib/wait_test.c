// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib/wait.c: when it gives up, and what it says once a second. No test waits for
 * a time to pass: the times are set instead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/clock.h"
#include "lib/wait.h"
#include "tests/unit/unit.h"

static void without_a_limit(void **state)
{
	struct wait wait = wait_begin(1, 0);
	int looks;

	(void)state;
	for (looks = 0; looks < 10; looks++)
		assert_true(wait_moment(&wait));
}

static void until_its_limit(void **state)
{
	struct wait wait = wait_begin(1, 10000);

	(void)state;
	assert_true(wait.until_ms <= clock_ms() + 10000);
	wait.until_ms = UINT64_MAX;
	assert_true(wait_moment(&wait));
	wait.until_ms = clock_ms();
	assert_false(wait_moment(&wait));
	assert_false(wait_moment(&wait));
}

/* The condition is looked at once more after the last moment of sleep. */
static void ends_by_itself(void **state)
{
	struct wait wait = wait_begin(1, 20);
	uint64_t began = clock_ms();

	(void)state;
	while (wait_moment(&wait))
		;
	assert_true(clock_ms() - began >= 19);
}

static void each_second_once(void **state)
{
	struct wait wait = wait_begin(1, 0);
	uint64_t now = clock_ms();

	(void)state;
	wait.second_ms = UINT64_MAX;
	assert_false(wait_second(&wait));
	wait.second_ms = now;
	assert_true(wait_second(&wait));
	assert_true(wait.second_ms >= now + 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		named_test("a wait without a limit does not end", without_a_limit),
		named_test("a wait ends at its limit, and stays ended", until_its_limit),
		named_test("a wait of 20 ms ends by itself, and not before", ends_by_itself),
		named_test("each second is reported once", each_second_once),
	};

	return cmocka_run_group_tests_name("wait", tests, NULL, NULL);
}
