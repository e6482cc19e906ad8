/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests of cmocka's, each named by a sentence that says what holds.
 */
#ifndef MPU_TESTS_UNIT_UNIT_H
#define MPU_TESTS_UNIT_UNIT_H

#define named_test(sentence, test) named_test_with(sentence, test, NULL, NULL)

/* @begin, @end: what is done before and after the test; NULL: nothing */
#define named_test_with(sentence, test, begin, end) { sentence, test, begin, end, NULL }

#endif /* MPU_TESTS_UNIT_UNIT_H */
