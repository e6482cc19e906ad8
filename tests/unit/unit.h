/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unit tests: each is a sentence that says what holds, and its code. cmocka runs them in
 * the order of the file. What nearly all of them want of the C library comes with it.
 */
#ifndef MPU_TESTS_UNIT_UNIT_H
#define MPU_TESTS_UNIT_UNIT_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TEST(sentence)			TEST_WITH(sentence, NULL, NULL)

/* @before, @after: int function(void), run around this test; NULL: nothing */
#define TEST_WITH(sentence, before, after) UNIT_TEST(__COUNTER__, sentence, before, after)

/* Functions that are run around each TEST that stands below. */
#define TEST_EACH(before, after)	UNIT_CALL(__COUNTER__, unit_each(before, after))
/* Functions that are run before the first test and after the last. */
#define TEST_ALL(before, after)		UNIT_CALL(__COUNTER__, unit_all(before, after))

struct unit_test {
	const char *sentence;
	void (*run)(void);
	int (*before)(void), (*after)(void);
};

/* Called by constructors. @test is static. */
void unit_add(struct unit_test *test);
void unit_each(int (*before)(void), int (*after)(void));
void unit_all(int (*before)(void), int (*after)(void));

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

/* Goes through the rows of a table. */
#define each_row(row, table) \
	for (__typeof__(&(table)[0]) row = (table); row < (table) + COUNT(table); row++)

/*
 * Each line of @wanted is one of @found, or the beginning of one where it ends with "..";
 * behind "!" it is none. @about: what the test has asked.
 */
void unit_lines(const char *about, const char *found, const char *wanted);

/* Runs all tests; the number of those that failed. A program without a main() gets one. */
int unit_run(void);

#define UNIT_TEST(n, ...)	UNIT_TEST_(n, __VA_ARGS__)
#define UNIT_TEST_(n, sentence, before, after) \
	static void test_##n(void); \
	UNIT_CALL_(n, static struct unit_test row = { sentence, test_##n, before, after }; \
		      unit_add(&row)) \
	static void test_##n(void)

#define UNIT_CALL(n, ...)	UNIT_CALL_(n, __VA_ARGS__)
#define UNIT_CALL_(n, ...) \
	static void __attribute__((constructor)) unit_call_##n(void) { __VA_ARGS__; }

#endif /* MPU_TESTS_UNIT_UNIT_H */
