// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folders that stand for the root of a system: see tree.h.
 */
#include <limits.h>
#include <sys/stat.h>
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

const char *tree_path(const char *root, const char *path)
{
	static char name[PATH_MAX];
	char *slash;

	snprintf(name, sizeof(name), "%s%s", root, path);
	for (slash = name + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		assert_true(!mkdir(name, 0755) || errno == EEXIST);
		*slash = '/';
	}
	return name;
}

void tree_write(const char *root, const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(tree_path(root, path), "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

int tree_remove(const char *root)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -r '%s'", root);
	return system(command);
}
