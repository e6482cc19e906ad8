// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that register themselves, as cmocka wants them.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/unit.h"

static struct CMUnitTest tests[64];
static size_t n_tests;
static int (*before_each)(void), (*after_each)(void);
static int (*before_all)(void), (*after_all)(void);

static int before(void **state)
{
	const struct unit_test *test = *state;

	return test->before ? test->before() : 0;
}

static void run(void **state)
{
	const struct unit_test *test = *state;

	test->run();
}

static int after(void **state)
{
	const struct unit_test *test = *state;

	return test->after ? test->after() : 0;
}

static int begin(void **state)
{
	return before_all ? before_all() : 0;
}

static int end(void **state)
{
	return after_all ? after_all() : 0;
}

void unit_add(struct unit_test *test)
{
	test->before = test->before ?: before_each;
	test->after = test->after ?: after_each;
	assert(n_tests < sizeof(tests) / sizeof(*tests));
	tests[n_tests++] = (struct CMUnitTest){ test->sentence, run, before, after, test };
}

void unit_each(int (*first)(void), int (*last)(void))
{
	before_each = first;
	after_each = last;
}

void unit_all(int (*first)(void), int (*last)(void))
{
	before_all = first;
	after_all = last;
}

void unit_lines(const char *about, const char *found, const char *wanted)
{
	const char *line, *at;
	size_t len, end;
	bool begins;

	for (; *wanted; wanted += end + !!wanted[end]) {
		line = wanted + (*wanted == '!');
		end = strcspn(wanted, "\n");
		len = end - (size_t)(line - wanted);
		begins = len > 2 && !strncmp(line + len - 2, "..", 2);
		len -= begins ? 2 : 0;
		for (at = found; *at; at += strcspn(at, "\n"), at += !!*at)
			if (!strncmp(at, line, len) && (begins || strchr("\n", at[len])))
				break;
		if (!*at != (*wanted == '!'))
			fail_msg("%s: '%.*s' of: %s", about, (int)end, wanted, found);
	}
}

int unit_run(void)
{
	umask(022);	/* files that others may write are refused */
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("tests", tests, n_tests, begin, end);
}

__attribute__((weak)) int main(void)
{
	return unit_run();
}
