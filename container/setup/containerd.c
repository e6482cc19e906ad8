// SPDX-License-Identifier: GPL-2.0-only
/*
 * containerd: config.toml, of its versions 1 to 3, which name the CRI plugin
 * differently, and the files that it imports. containerd 1 replaces the whole table of a
 * plugin by that of a file which it reads later, containerd 2 replaces keys. Versions must
 * not be mixed: containerd 1 does not start then, containerd 2 forgets one of them.
 */
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "container/setup/internal.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/path.h"
#include "lib/xalloc.h"

/* Paths in the table of a plugin. */
#define STANDARD(plugin)	KEYS("plugins", plugin, "containerd", "default_runtime_name")
#define BEATING(plugin)		KEYS("plugins", plugin, "containerd", "default_runtime")
#define RUNTIMES(plugin)	KEYS("plugins", plugin, "containerd", "runtimes")
#define CDI(plugin)		KEYS("plugins", plugin, "enable_cdi")

static bool is_new(struct json_object *root)
{
	return !root || !json_object_object_length(root);
}

/* 2 is what every containerd from 1.3 on reads; a file that does not say it, or 0, is of 1. */
static int version_of(struct json_object *root)
{
	return is_new(root) ? 2 : json_object_get_int(toml_find(root, KEYS("version"))) ?: 1;
}

#define CRI1	"cri"
#define CRI2	"io.containerd.grpc.v1.cri"
#define CRI3	"io.containerd.cri.v1.runtime"

static bool has_plugin(struct json_object *root, const char *name)
{
	return toml_find(root, KEYS("plugins", name));
}

/* Does it keep what a file says of a plugin that a later one names, too? */
static bool merges(const struct setup_base *base, struct json_object *root)
{
	if (base->asked)
		return version_of(base->asked) > 2;
	return version_of(root) > 2 || has_plugin(root, CRI3) || has_plugin(base->files, CRI3);
}

/*
 * Names the CRI plugin that counts in a file. containerd 2 takes the third name under any
 * version, and the second one in files of version 2; containerd 1 knows no third one.
 */
static const char *plugin_of(struct json_object *root, const struct setup_base *base)
{
	int version = version_of(root);

	if (version == 2 && (!merges(base, root) ||
			     (!has_plugin(root, CRI3) && !has_plugin(base->files, CRI3))))
		return CRI2;
	return merges(base, root) ? CRI3 : version == 1 ? CRI1 : CRI2;
}

static struct json_object *find_model(struct json_object *standard, struct json_object *root,
				      const char *plugin, const char *name)
{
	return setup_find_model(standard, "runc", toml_find(root, RUNTIMES(plugin)), name);
}

/*
 * Keep the runtime that is the default where none is named: a containerd that replaces
 * tables forgets its own runc, and then CRI does not start.
 */
static int keep_standard(char **text, struct json_object *root, const char *plugin,
			 char why[WHY_SIZE])
{
	struct json_object *standard = toml_find(root, STANDARD(plugin));

	if ((standard && toml_find(root, RUNTIMES(plugin)) &&
	     strcmp(json_object_get_string(standard), "runc") != 0) ||
	    toml_find(root, KEYS("plugins", plugin, "containerd", "runtimes", "runc")))
		return 0;
	return setup_set(text, KEYS("plugins", plugin, "containerd", "runtimes", "runc",
				    "runtime_type"), json_object_new_string(SETUP_SHIM "v2"), why);
}

static int set_runtime(char **text, struct json_object *root, const char *plugin,
		       const struct setup_base *base,
		       const struct setup_runtime *runtime, char why[WHY_SIZE])
{
	const char *path[SETUP_PATH] = { "plugins", plugin, "containerd",
		"runtimes", runtime->name, NULL };
	struct json_object *standard = toml_find(root, STANDARD(plugin)), *own = toml_find(root, path);
	struct json_object *model = find_model(standard, root, plugin, runtime->name);
	int ret = 0;

	/* The containerd that is asked may have ours as its default by now. */
	standard = standard ?: toml_find(base->files, STANDARD(plugin));
	if (!model && merges(base, root))
		model = base->asked ? find_model(standard, base->asked, CRI3, runtime->name) :
				      find_model(standard, base->files, plugin, runtime->name);
	path[5] = "runtime_type";
	if ((own && !setup_is_like_runc(own)) || (!*setup_type(own) && !*setup_type(model)))
		ret = setup_set(text, path, json_object_new_string(SETUP_SHIM "v2"), why);
	if (!ret)
		ret = setup_copy(text, root, true, model, path, 5, why);
	return ret ? ret : setup_set(text, KEYS("plugins", plugin, "containerd", "runtimes",
						runtime->name, "options", "BinaryName"),
				     json_object_new_string(runtime->path), why);
}

/* Returns a deprecated table that beats default_runtime_name, as it does if it has a type. */
static struct json_object *find_beating(struct json_object *root, const char *plugin)
{
	struct json_object *table = strcmp(plugin, CRI3) != 0 ?
				    toml_find(root, BEATING(plugin)) : NULL;

	return *setup_type(table) ? table : NULL;
}

static int set_all(char **text, struct json_object *root, const char *plugin,
		   const struct setup_base *base, const struct setup_runtime *runtime,
		   char why[WHY_SIZE])
{
	int ret = merges(base, root) ? 0 : keep_standard(text, root, plugin, why);

	if (!ret && runtime->cdi)
		ret = setup_set(text, CDI(plugin), json_object_new_boolean(1), why);
	if (!ret && runtime->is_default)
		ret = setup_set(text, STANDARD(plugin), json_object_new_string(runtime->name), why);
	if (!ret && runtime->is_default && find_beating(root, plugin))
		ret = notation_remove(&notation_toml, text, BEATING(plugin), why);
	return ret ? ret : set_runtime(text, root, plugin, base, runtime, why);
}

static int edit(char **text, const struct setup_runtime *runtime,
		const struct setup_base *base, char why[WHY_SIZE])
{
	static const struct setup_base nothing;
	const char *path[SETUP_PATH] = { "plugins" };
	struct json_object *root = NULL;
	int ret = notation_toml.parse(*text, &root, why);
	const char *plugin;

	base = base ? base : &nothing;
	plugin = plugin_of(is_new(root) ? base->files : root, base);
	if (!ret && is_new(root))
		ret = setup_set(text, KEYS("version"),
				json_object_new_int(version_of(base->files)), why);
	/* Our table of the plugin replaces those of the other files there. */
	path[1] = plugin;
	if (!ret && !merges(base, is_new(root) ? base->files : root))
		ret = setup_copy(text, root, false, toml_find(base->files, path), path, 2, why);
	json_object_put(root);
	root = NULL;
	if (!ret)
		ret = notation_toml.parse(*text, &root, why);
	if (!ret)
		ret = set_all(text, root, plugin, base, runtime, why);
	json_object_put(root);
	return ret;
}

/* Adds what a table of the plugin says, where one that counts more does not. */
static void find_in(struct json_object *root, const char *plugin, struct setup_found *found)
{
	struct json_object *value = toml_find(root, CDI(plugin));
	struct json_object *beating = find_beating(root, plugin);

	if (value && found->cdi == SETUP_CDI_DEFAULT)
		found->cdi = json_object_get_boolean(value) ? SETUP_CDI_ON : SETUP_CDI_OFF;
	if (!found->standard) {
		found->standard = beating ? xstrdup("default") : setup_find_text(root, STANDARD(plugin));
		found->is_lost = !beating && setup_is_lost(found->standard,
							   toml_find(root, RUNTIMES(plugin)));
	}
	if (beating && setup_program(beating)) {
		strv_add(&found->names, "default");
		strv_add(&found->paths, json_object_get_string(setup_program(beating)));
	}
	setup_find_runtimes(toml_find(root, RUNTIMES(plugin)), found);
}

static int find(struct json_object *root, struct setup_found *found, char why[WHY_SIZE])
{
	static const struct setup_base nothing;
	/* CRI does not start without any of these. */
	static const char *const parts[] = { CRI1, CRI2, CRI3, "io.containerd.cri.v1.images",
		"io.containerd.podsandbox.controller.v1.podsandbox" };
	struct json_object *disabled = toml_find(root, KEYS("disabled_plugins"));
	const char *plugin = plugin_of(root, &nothing);
	size_t i;

	(void)why;
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		found->is_off |= array_has(disabled, parts[i]);
	find_in(root, plugin, found);
	if (version_of(root) == 2 && strcmp(plugin, CRI2) != 0)
		find_in(root, CRI2, found);
	return 0;
}

static int import(char **text, const char *pattern, char why[WHY_SIZE])
{
	struct json_object *root = NULL, *list;
	int ret = notation_toml.parse(*text, &root, why);

	if (!ret && is_new(root))
		ret = setup_set(text, KEYS("version"), json_object_new_int(2), why);
	if (!ret) {
		list = json_object_get(toml_find(root, KEYS("imports"))) ?: json_object_new_array();
		json_object_array_add(list, json_object_new_string(pattern));
		ret = setup_set(text, KEYS("imports"), list, why);
	}
	json_object_put(root);
	return ret;
}

/* --- the files --- */

/*
 * Add the imports of a file, as absolute paths; one that cannot be read has none. Where a
 * pattern that is relative leads depends on the version of containerd: it is left out.
 */
static void read_imports(const char *path, struct strv *imports)
{
	int folder = (int)(path_name(path) - path);
	struct json_object *root;
	struct strv said = { 0 };
	char why[WHY_SIZE];
	size_t i;

	if (!setup_read_file(&setup_containerd, path, &root, why))
		array_add_words(toml_find(root, KEYS("imports")), &said);
	for (i = 0; i < said.n; i++)
		if (*said.word[i] == '/')
			strv_add(imports, said.word[i]);
		else if (!strchr(said.word[i], '*'))
			strv_add_format(imports, "%.*s%s", folder, path, said.word[i]);
	strv_free(&said);
	json_object_put(root);
}

/* Adds the files that a pattern leads to, as they are read, but for those that have been. */
static void add_matches(const char *pattern, struct strv *files)
{
	char below[PATH_MAX], root[PATH_MAX];
	struct strv found = { 0 };
	glob_t matches = { 0 };
	size_t i;

	if (!strchr(pattern, '*')) {
		strv_add(&found, pattern);
	} else if (!host_path(below, sizeof(below), "%s", pattern) &&
		   !host_path(root, sizeof(root), "%s", "")) {
		glob(below, GLOB_NOSORT | GLOB_PERIOD, NULL, &matches);
		for (i = 0; i < matches.gl_pathc; i++)
			strv_add(&found, matches.gl_pathv[i] + strlen(root));
		globfree(&matches);
		strv_sort(&found);
	}
	for (i = 0; i < found.n; i++)
		strv_add_once(files, found.word[i]);
	strv_free(&found);
}

static void find_files(const char *main, struct strv *files)
{
	struct strv imports = { 0 };
	size_t i, k;

	strv_add(files, main);
	for (i = 0; i < files->n; i++) {
		read_imports(files->word[i], &imports);
		for (k = 0; k < imports.n; k++)
			add_matches(imports.word[k], files);
		strv_free(&imports);
	}
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

	return snprintf(own, PATH_MAX, "%.*s%szz-mpu.toml", (int)(path_name(beside) - beside),
			beside, fits ? "" : "conf.d/") < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/*
 * Write a pattern that @own alone matches: containerd 1 does not start where a path that
 * is no pattern leads nowhere.
 */
static int name_import(const char *own, char import[PATH_MAX])
{
	bool is_toml = path_ends(own, ".toml");
	size_t len = strlen(own) - (is_toml ? strlen(".toml") : 0);

	return snprintf(import, PATH_MAX, "%.*s%s", (int)len, own, is_toml ? "*.toml" : "") <
	       PATH_MAX ? 0 : -ENAMETOOLONG;
}

static int locate(const char *main, const char *drop_in, struct setup_place *place)
{
	struct strv imports = { 0 };
	bool is_read = false;
	size_t i;
	int ret = 0;

	read_imports(main, &imports);
	*place->import = '\0';
	if (drop_in || !imports.n)
		snprintf(place->own, PATH_MAX, "%s", drop_in ? drop_in : main);
	else
		ret = name_own(main, imports.word[imports.n - 1], place->own);
	for (i = 0; i < imports.n; i++)
		is_read |= !fnmatch(imports.word[i], place->own, FNM_PATHNAME);
	if (!ret && !is_read && strcmp(place->own, main) != 0)
		ret = name_import(place->own, place->import);
	strv_free(&imports);
	return ret;
}

static bool replaces(struct json_object *file, const char *table)
{
	return version_of(file) < 3 && !has_plugin(file, CRI3) && !strcmp(table, "plugins");
}

static const char *const ask[] = { "containerd", "--config", "FILE", "config", "dump",
	NULL };

const struct setup_engine setup_containerd = {
	.name = "containerd",
	.file = "/etc/containerd/config.toml",
	.reload = "systemctl restart containerd",
	.restart = "systemctl restart containerd",
	.notation = &notation_toml,
	.ask = ask,
	.ask_files = ask,
	.asked = "containerd config dump",
	.files = find_files,
	.locate = locate,
	.import = import,
	.replaces = replaces,
	.edit = edit,
	.find = find,
};
