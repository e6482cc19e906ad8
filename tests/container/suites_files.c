// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the driver's files and CUDA's forward compatibility.
 */
#include "tests/container/vectors.h"

const struct vector_suite suites_files[] = {
	{ NULL, NULL },
};
