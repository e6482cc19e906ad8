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
#include "lib/path.h"
#include "lib/text_file.h"
#include "lib/toml_edit.h"

static int read_toml(const char *path, struct json_object **root)
{
	char below[PATH_MAX], why[WHY_SIZE];
	struct text_file file = { 0 };
	int ret = host_path(below, sizeof(below), "%s", path);

	*root = NULL;
	if (!ret)
		ret = text_file_read(below, &file, why);
	if (!ret)
		ret = notation_toml.parse(file.text, root, why);
	text_file_free(&file);
	return ret;
}

/*
 * Add the imports of a file, as absolute paths; one that cannot be read has none. Where a
 * pattern that is relative leads depends on the version of containerd: it is left out.
 */
static int read_imports(const char *path, struct strv *imports)
{
	static const char *const key[] = { "imports", NULL };
	int folder = (int)(path_name(path) - path), ret = 0;
	struct json_object *root, *list = NULL;
	const char *one;
	size_t i;

	if (!read_toml(path, &root))
		list = toml_find(root, key);
	for (i = 0; json_object_is_type(list, json_type_array) && !ret &&
	     i < json_object_array_length(list); i++) {
		one = json_object_get_string(json_object_array_get_idx(list, i));
		if (*one == '/')
			ret = strv_add(imports, one);
		else if (!strchr(one, '*'))
			ret = strv_add_format(imports, "%.*s%s", folder, path, one);
	}
	json_object_put(root);
	return ret;
}

/* Find the files that a pattern leads to, in the order in which they are read. */
static int find_matches(const char *pattern, struct strv *found)
{
	char below[PATH_MAX], root[PATH_MAX];
	glob_t matches = { 0 };
	size_t i;
	int ret = host_path(below, sizeof(below), "%s", pattern);

	if (!strchr(pattern, '*'))
		return strv_add(found, pattern);
	if (ret || host_path(root, sizeof(root), "%s", ""))
		return -ENAMETOOLONG;
	glob(below, GLOB_NOSORT | GLOB_PERIOD, NULL, &matches);
	for (i = 0; !ret && i < matches.gl_pathc; i++)
		ret = strv_add(found, matches.gl_pathv[i] + strlen(root));
	globfree(&matches);
	strv_sort(found);
	return ret;
}

/* Add the files that a pattern leads to, but for those that have been read. */
static int add_matches(const char *pattern, struct strv *files)
{
	struct strv found = { 0 };
	int ret = find_matches(pattern, &found);
	size_t i;

	for (i = 0; !ret && i < found.n; i++)
		if (!strv_have(files, found.word[i]))
			ret = strv_add(files, found.word[i]);
	strv_free(&found);
	return ret;
}

/* Add the files that a file imports. */
static int add_imports(const char *path, struct strv *files)
{
	struct strv imports = { 0 };
	size_t i;
	int ret = read_imports(path, &imports);

	for (i = 0; !ret && i < imports.n; i++)
		ret = add_matches(imports.word[i], files);
	strv_free(&imports);
	return ret;
}

int containerd_files(const char *main, struct strv *list)
{
	int ret = strv_add(list, main);
	size_t i;

	for (i = 0; !ret && i < list->n; i++)
		ret = add_imports(list->word[i], list);
	return ret;
}

/*
 * Say where a file of ours is read last: in the folder of which the last import of @main
 * takes all, or some, or else beside @main.
 */
static int name_own(const char *main, const char *last, char own[PATH_MAX])
{
	const char *star = strchr(last, '*');
	bool fits = star && !strchr(star, '/');
	const char *beside = fits ? last : main;

	return snprintf(own, PATH_MAX, "%.*s%szz-mpu.toml",
			(int)(path_name(beside) - beside), beside,
			fits ? "" : "conf.d/") < PATH_MAX ? 0 : -ENAMETOOLONG;
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
	struct strv imports = { 0 };
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
	strv_free(&imports);
	return ret;
}
