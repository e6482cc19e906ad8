/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths as text.
 */
#ifndef MPU_LIB_PATH_H
#define MPU_LIB_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/** path_name() - what stands behind the last slash; all of a path without one */
static inline const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static inline bool path_ends(const char *path, const char *end)
{
	size_t len = strlen(path), rest = strlen(end);

	return len >= rest && !strcmp(path + len - rest, end);
}

/** path_cut() - cut the last name off, and return it. NULL: it is none that leads to itself */
static inline const char *path_cut(char *path)
{
	size_t len = strlen(path);
	char *slash;

	while (len && path[len - 1] == '/')
		path[--len] = '\0';
	slash = strrchr(path, '/');
	if (!slash || !strcmp(slash, "/.") || !strcmp(slash, "/.."))
		return NULL;
	*slash = '\0';
	return slash + 1;
}

/**
 * path_clean() - a path from the root without "//", "." and "..", by its text alone: nothing of
 * it needs to exist. The root itself is "". Return: false: it is too long
 */
static inline bool path_clean(const char *path, char clean[PATH_MAX])
{
	size_t n = 0, len;

	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		len = strcspn(path, "/");
		if (len == 2 && !strncmp(path, "..", 2)) {
			while (n && clean[--n] != '/')
				;
		} else if (len != 1 || *path != '.') {
			if (n + len + 2 > PATH_MAX)
				return false;
			clean[n++] = '/';
			memcpy(clean + n, path, len);
			n += len;
		}
		path += len;
	}
	clean[n] = '\0';
	return true;
}

#endif /* MPU_LIB_PATH_H */
