/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The result of a case: it passes, unless it says otherwise here. The first reason that
 * it gives is the one that is printed.
 */
#ifndef MPU_TESTS_CONFORMANCE_REPORT_H
#define MPU_TESTS_CONFORMANCE_REPORT_H

#include <stdbool.h>

/*
 * check() fails the case, once, and leaves the function it stands in. A case
 * goes on after a helper has failed only if it asks for that.
 */
#define check(cond, ...) \
	do { \
		if (!(cond)) { \
			case_fail(__VA_ARGS__); \
			return; \
		} \
	} while (0)

/* Checks like check(), for helpers, and returns @ret. */
#define check_or(ret, cond, ...) \
	do { \
		if (!(cond)) { \
			case_fail(__VA_ARGS__); \
			return ret; \
		} \
	} while (0)

void case_fail(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
void case_skip(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
bool case_failed(void);

/** case_begin() - nothing is known against it */
void case_begin(void);

/**
 * case_must_fail() - turn the outcome round
 *
 * A case that fails without an engine has shown that it can fail; one that passes
 * proves nothing. A case that was skipped stays so.
 */
void case_must_fail(void);

/** case_end() - count the case and print its line; @ms is how long it took */
void case_end(const char *name, unsigned int ms);

/** report_total() - print how many ended how; false: some failed, or none passed */
bool report_total(void);

#endif /* MPU_TESTS_CONFORMANCE_REPORT_H */
