// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: what a container asks for, selection and requirements.
 */
#include "tests/container/vectors.h"

const struct vector_suite suites_request[] = {
	{ NULL, NULL },
};
