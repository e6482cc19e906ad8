// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the prestart hook and the settings.
 */
#include "tests/container/vectors.h"

const struct vector_suite suites_hook[] = {
	{ NULL, NULL },
};
