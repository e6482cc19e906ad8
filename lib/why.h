/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reason of a failure, as a sentence: library code does not print, and an error
 * number does not say which file, line or word was wrong.
 */
#ifndef MPU_LIB_WHY_H
#define MPU_LIB_WHY_H

#include <limits.h>

/* Room for a sentence with a path in it. */
#define WHY_SIZE	(PATH_MAX + 512)

/** why_fail() - put a sentence into @why, clean. Return: @result. */
int why_fail(char why[WHY_SIZE], int result, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* MPU_LIB_WHY_H */
