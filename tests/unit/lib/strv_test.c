// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/strv.c: a list grows without being copied for each word.
 */
#include "lib/strv.h"
#include "tests/unit/unit.h"

static unsigned int copies;

void *__real_reallocarray(void *old, size_t n, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	copies++;
	return __real_reallocarray(old, n, size);
}

TEST("a list that grows is not copied for each word")
{
	struct strv words = { 0 };
	unsigned int i;

	for (i = 0; i < 50000; i++) {
		strv_add_format(&words, "%u", i);
		assert_null(words.word[words.n]);
	}
	assert_string_equal(words.word[49999], "49999");
	assert_in_range(copies, 1, 20);
	strv_free(&words);
}
