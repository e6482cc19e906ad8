/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths as text.
 */
#ifndef MPU_LIB_PATH_H
#define MPU_LIB_PATH_H

#include <string.h>

/** path_name() - what stands behind the last slash; all of a path without one */
static inline const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif /* MPU_LIB_PATH_H */
