// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the runtime wrapper.
 */
#include "tests/container/vectors.h"

const struct vector_suite suites_runtime[] = {
	{ NULL, NULL },
};
