/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests that root alone can run.
 */
#ifndef MPU_TESTS_UNIT_ROOT_H
#define MPU_TESTS_UNIT_ROOT_H

#include <stdbool.h>

/** have_root() - tell whether this is root; if not, report this program as skipped */
bool have_root(void);

#endif /* MPU_TESTS_UNIT_ROOT_H */
