// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: CDI.
 */
#include "tests/container/vectors.h"

const struct vector_suite suites_cdi[] = {
	{ NULL, NULL },
};
