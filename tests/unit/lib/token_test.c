// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/token.c: who is let in.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/token.h"

static char folder[] = "/tmp/token_test.XXXXXX";
static char path[64], other[64];

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Put another file in its place, as Kubernetes and editors do. */
static void replace_file(const char *text)
{
	write_file(other, text);
	assert_int_equal(rename(other, path), 0);
}

static void check_read(const char *text, int want)
{
	struct token token;
	char why[WHY_SIZE] = "";

	replace_file(text);
	assert_int_equal(token_read(&token, path, why), want);
	assert_int_equal(want == 0, why[0] == '\0');
	if (want) {
		assert_false(token_matches(&token, "Bearer "));
		assert_false(token_matches(&token, "Bearer a"));
	}
}

static void test_files(void **state)
{
	char text[TOKEN_SIZE + 1];
	struct token token;
	char why[WHY_SIZE];

	(void)state;
	check_read("a", 0);
	check_read(" \n\ta\r\n\n", 0);
	check_read("", -EINVAL);
	check_read(" \n", -EINVAL);
	check_read("two words", -EINVAL);
	check_read("two\nlines", -EINVAL);
	check_read("\xc3\xa9", -EINVAL);
	memset(text, 'x', TOKEN_SIZE);
	text[TOKEN_SIZE] = '\0';
	check_read(text, -EFBIG);
	text[TOKEN_SIZE - 1] = '\0';
	check_read(text, 0);
	assert_int_equal(token_read(&token, "/nonexistent", why), -ENOENT);
	assert_int_equal(token_read(&token, folder, why), -EINVAL);
}

static void test_matches(void **state)
{
	static char longer[2 * TOKEN_SIZE];
	char longest[TOKEN_SIZE];
	struct token token;
	char why[WHY_SIZE];

	(void)state;
	replace_file("secret\n");
	assert_int_equal(token_read(&token, path, why), 0);
	assert_true(token_matches(&token, "Bearer secret"));
	assert_true(token_matches(&token, "bEARER secret"));
	assert_false(token_matches(&token, NULL));
	assert_false(token_matches(&token, ""));
	assert_false(token_matches(&token, "secret"));
	assert_false(token_matches(&token, "Bearer"));
	assert_false(token_matches(&token, "Bearer "));
	assert_false(token_matches(&token, "Basic secret"));
	assert_false(token_matches(&token, "Bearer  secret"));
	assert_false(token_matches(&token, "Bearer secre"));
	assert_false(token_matches(&token, "Bearer secrets"));
	assert_false(token_matches(&token, "Bearer Secret"));
	/* One that begins with the right token, and is longer than any. */
	memset(longer, 'x', sizeof(longer) - 1);
	memcpy(longer, "Bearer ", 7);
	assert_false(token_matches(&token, longer));
	/* Of the longest token, too. */
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	replace_file(longest);
	longer[7 + sizeof(longest) - 1] = '\0';
	memset(longer + 7, 'x', sizeof(longest) - 1);
	assert_true(token_matches(&token, longer));
	longer[7 + sizeof(longest) - 1] = 'x';
	assert_false(token_matches(&token, longer));
}

static void test_changes(void **state)
{
	struct token token;
	char why[WHY_SIZE];

	(void)state;
	replace_file("one");
	assert_int_equal(token_read(&token, path, why), 0);
	replace_file("two");
	assert_false(token_matches(&token, "Bearer one"));
	assert_true(token_matches(&token, "Bearer two"));
	/* Nobody is let in by a file that is broken, or gone. */
	replace_file("");
	assert_false(token_matches(&token, "Bearer two"));
	assert_false(token_matches(&token, "Bearer "));
	assert_int_equal(unlink(path), 0);
	assert_false(token_matches(&token, "Bearer two"));
	replace_file("three");
	assert_true(token_matches(&token, "Bearer three"));
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/token", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_matches),
		cmocka_unit_test(test_changes),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
