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

void tree_make(const char *root, const char *lines,
	       void (*other)(const char *word, const char *path, const char *a, const char *b))
{
	for (; *lines; lines += strcspn(lines, "\n"), lines += !!*lines) {
		char line[512], word[16], path[128], a[128] = "", b[128] = "";

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(lines, "\n"), lines);
		assert_true(sscanf(line, "%15s %127s %127s %127s", word, path, a, b) > 1);
		if (!strcmp(word, "folder"))
			assert_int_equal(mkdir(tree_path(root, path), 0755), 0);
		else if (!strcmp(word, "file"))
			tree_write(root, path, "", 0);
		else if (!strcmp(word, "pipe"))
			assert_int_equal(mkfifo(tree_path(root, path), 0644), 0);
		else if (!strcmp(word, "link"))
			assert_int_equal(symlink(a, tree_path(root, path)), 0);
		else if (!strcmp(word, "gone"))
			assert_int_equal(remove(tree_path(root, path)), 0);
		else
			other(word, path, a, b);
	}
}

int tree_remove(const char *root)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -r '%s'", root);
	return system(command);
}
