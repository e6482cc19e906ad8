// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the GPUs of this machine and their nodes.
 */
#include "tests/container/vectors.h"

const struct vector_suite suites_devices[] = {
	{ NULL, NULL },
};
