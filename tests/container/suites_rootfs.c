// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: what is done inside of a container's root.
 */
#include "tests/container/vectors.h"

const struct vector_suite suites_rootfs[] = {
	{ NULL, NULL },
};
