// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files that containerd reads: see containerd_files.h.
 */
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "container/setup/containerd_files.h"
#include "lib/host.h"
#include "lib/text_file.h"
#include "lib/toml_edit.h"

/*
 * Add the imports of a file, as absolute paths; one that cannot be read has none. Where a
 * pattern that is relative leads depends on the version of containerd: it is left out.
 */
static int read_imports(const char *path, struct words *imports)
{
	static const char *const key[] = { "imports", NULL };
	const char *slash = strrchr(path, '/');
	char below[PATH_MAX], why[WHY_SIZE];
	struct json_object *root = NULL, *list;
	struct text_file file = { 0 };
	size_t i;
	int ret = 0;

	if (!host_path(below, sizeof(below), "%s", path) &&
	    !text_file_read(below, &file, why) &&
	    !notation_toml.parse(file.text, &root, why)) {
		list = toml_find(root, key);
		for (i = 0; json_object_is_type(list, json_type_array) && !ret &&
		     i < json_object_array_length(list); i++) {
			const char *one = json_object_get_string(
				json_object_array_get_idx(list, i));

			if (*one == '/')
				ret = words_add(imports, one);
			else if (!strchr(one, '*'))
				ret = words_add_format(imports, "%.*s/%s",
					slash ? (int)(slash - path) : 0, path, one);
		}
	}
	json_object_put(root);
	text_file_free(&file);
	return ret;
}

/* Add the files that a pattern leads to, in the order in which they are read. */
static int add_matches(const char *pattern, struct words *files)
{
	char below[PATH_MAX], root[PATH_MAX];
	struct words found = { 0 };
	glob_t matches = { 0 };
	size_t i;
	int ret = host_path(below, sizeof(below), "%s", pattern) ||
		  host_path(root, sizeof(root), "%s", "") ? -ENAMETOOLONG : 0;

	if (!strchr(pattern, '*'))
		return words_add(files, pattern);
	if (!ret)
		glob(below, GLOB_NOSORT | GLOB_PERIOD, NULL, &matches);
	for (i = 0; !ret && i < matches.gl_pathc; i++)
		ret = words_add(&found, matches.gl_pathv[i] + strlen(root));
	globfree(&matches);
	words_sort(&found);
	for (i = 0; !ret && i < found.n; i++)
		if (!words_have(files, found.word[i]))
			ret = words_add(files, found.word[i]);
	words_free(&found);
	return ret;
}

/* Add the files that a file imports. */
static int add_imports(const char *path, struct words *files)
{
	struct words imports = { 0 };
	size_t i;
	int ret = read_imports(path, &imports);

	for (i = 0; !ret && i < imports.n; i++)
		ret = add_matches(imports.word[i], files);
	words_free(&imports);
	return ret;
}

int containerd_files(const char *main, struct words *list)
{
	int ret = words_add(list, main);
	size_t i;

	for (i = 0; !ret && i < list->n; i++)
		ret = add_imports(list->word[i], list);
	return ret;
}

/* Say where a file of ours is read last. @last: of the imports of @main */
static int name_own(const char *main, const char *last, char own[PATH_MAX])
{
	const char *slash = strrchr(strchr(last, '*') ? last : main, '/');
	int len = slash ? (int)(slash - (strchr(last, '*') ? last : main)) : 0;

	return snprintf(own, PATH_MAX, "%.*s%s/zz-mpu.toml", len,
			strchr(last, '*') ? last : main,
			strchr(last, '*') ? "" : "/conf.d") < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/*
 * Write a pattern that @own alone matches: containerd 1 does not start where a path that
 * is no pattern leads nowhere.
 */
static int name_import(const char *own, char import[PATH_MAX])
{
	size_t len = strlen(own), end = strlen(".toml");
	bool is_toml = len > end && !strcmp(own + len - end, ".toml");

	return snprintf(import, PATH_MAX, "%.*s%s", (int)(is_toml ? len - end : len), own,
			is_toml ? "*.toml" : "") < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int containerd_locate(const char *main, const char *drop_in, struct setup_place *place)
{
	struct words imports = { 0 };
	bool is_read = false;
	size_t i;
	int ret = read_imports(main, &imports);

	*place->import = '\0';
	if (ret)
		goto out;
	if (drop_in || !imports.n)
		snprintf(place->own, PATH_MAX, "%s", drop_in ? drop_in : main);
	else
		ret = name_own(main, imports.word[imports.n - 1], place->own);
	for (i = 0; i < imports.n; i++)
		is_read |= !fnmatch(imports.word[i], place->own, FNM_PATHNAME);
	if (!ret && !is_read && strcmp(place->own, main) != 0)
		ret = name_import(place->own, place->import);
out:
	words_free(&imports);
	return ret;
}
