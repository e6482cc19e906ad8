// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of container/request/mode.c.
 */
#include "container/request/internal.h"
#include "tests/unit/unit.h"

TEST("a mode is found by its whole name alone")
{
	int mode;

	for (mode = 0; mode < MODE_COUNT; mode++)
		assert_int_equal(mode_find(mode_names[mode]), mode);
	assert_int_equal(mode_find(""), MODE_COUNT);
	assert_int_equal(mode_find("cd"), MODE_COUNT);
	assert_int_equal(mode_find("auto"), MODE_COUNT);
}

TEST("auto stands for cdi or for what the caller prefers, and nothing else does")
{
	assert_string_equal(mode_resolve("auto", true, "x"), "cdi");
	assert_string_equal(mode_resolve("auto", false, "x"), "x");
	assert_string_equal(mode_resolve("legacy", true, "x"), "legacy");
}
