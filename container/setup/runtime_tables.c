// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of runtimes in the configurations of engines, most of which are TOML.
 */
#include <errno.h>
#include <string.h>

#include "container/setup/internal.h"
#include "lib/host.h"
#include "lib/xalloc.h"

int setup_set(char **text, const char *const *path, struct json_object *value, char why[WHY_SIZE])
{
	return notation_put(&notation_toml, text, path, value, why);
}

/* Is it what a key that is not there has, in Go: "", 0, false, no element? */
static bool is_zero(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_object:
		return false;
	case json_type_array:
		return !json_object_array_length(value);
	case json_type_string:
		return !*json_object_get_string(value);
	default:
		return !json_object_get_boolean(value);
	}
}

/* Keys of a runtime that are about its own program, or have another one's in its place. */
const char *const setup_of_program[] = { "BinaryName", "runtime_path", "runtime_config_path",
	"platform_runtime_paths", "inherit_default_runtime", NULL };

static bool is_inherited(const char *key, struct json_object *value)
{
	const char *const *not = setup_of_program;

	while (*not && strcmp(*not, key) != 0)
		not++;
	return !*not && !is_zero(value);
}

/*
 * Gives a table, at @path of @depth parts, the keys of another one that it lacks. @root: what
 * @text says; @inherit: not the path of a program, nor what is as it would be without the key
 */
int setup_copy(char **text, struct json_object *root, bool inherit, struct json_object *table,
	       const char *path[SETUP_PATH], size_t depth, char why[WHY_SIZE])
{
	int ret = 0;

	if (!json_object_is_type(table, json_type_object))
		return 0;
	if (depth + 1 == SETUP_PATH)
		return why_fail(why, -EINVAL, "its tables are too deep");
	json_object_object_foreach(table, key, value) {
		path[depth] = key;
		path[depth + 1] = NULL;
		if (inherit && !is_inherited(key, value))
			continue;
		if (json_object_is_type(value, json_type_object))
			ret = setup_copy(text, root, inherit, value, path, depth + 1, why);
		else if (!toml_find(root, path))
			ret = toml_set(text, path, value, why);
		if (ret)
			return ret;
	}
	return 0;
}

/* The type of a runtime; "": it says none, which containerd takes for runc's. */
const char *setup_type(struct json_object *runtime)
{
	struct json_object *value = toml_find(runtime, KEYS("runtime_type")) ?:
				    toml_find(runtime, KEYS("runtimeType"));

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

/* Is it one whose program can be exchanged? Its settings suit ours then. */
bool setup_is_like_runc(struct json_object *runtime)
{
	const char *type = setup_type(runtime);

	return json_object_is_type(runtime, json_type_object) &&
	       (!*type || !strcmp(type, "oci") || !strcmp(type, "pod") ||	/* CRI-O's, not vm */
		!strncmp(type, SETUP_SHIM, strlen(SETUP_SHIM)));
}

/*
 * Finds the one of @runtimes whose settings (SystemdCgroup) ours is to have: the one that
 * @standard names, or else @usual, runc or crun. NULL: none is known; or that is ours, and has
 * those of the former default.
 */
struct json_object *setup_find_model(struct json_object *standard, const char *usual,
				     struct json_object *runtimes, const char *name)
{
	const char *names[] = { json_object_is_type(standard, json_type_string) ?
		json_object_get_string(standard) : usual, "runc", "crun" };
	struct json_object *model;
	size_t i;

	if (!strcmp(names[0], name) && toml_find(runtimes, KEYS(name)))
		return NULL;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		model = toml_find(runtimes, KEYS(names[i]));
		if (strcmp(names[i], name) != 0 && setup_is_like_runc(model))
			return model;
	}
	return NULL;
}

/*
 * Finds what a runtime starts, as each engine writes it: a BinaryName is for runc's type alone,
 * and podman takes the first that is there.
 */
struct json_object *setup_program(struct json_object *runtime)
{
	static const char *const paths[][3] = {
		{ "options", "BinaryName" }, { "path" }, { "runtime_path" },
	};
	struct json_object *found = NULL;
	size_t i;

	if (json_object_is_type(runtime, json_type_array)) {
		for (i = 0; !found && i < json_object_array_length(runtime); i++) {
			found = json_object_array_get_idx(runtime, i);
			if (!host_exists("%s", json_object_get_string(found) ?: ""))
				found = NULL;
		}
		return found ?: json_object_array_get_idx(runtime, 0);
	}
	for (i = !setup_is_like_runc(runtime); !found && i < sizeof(paths) / sizeof(*paths); i++)
		found = toml_find(runtime, paths[i]);
	return found;
}

/* @runtimes: tables, or arrays of paths */
void setup_find_runtimes(struct json_object *runtimes, struct setup_found *found)
{
	if (!json_object_is_type(runtimes, json_type_object))
		return;
	json_object_object_foreach(runtimes, name, runtime) {
		struct json_object *path = setup_program(runtime);

		if (!json_object_is_type(path, json_type_string))
			continue;
		strv_add(&found->names, name);
		strv_add(&found->paths, json_object_get_string(path));
	}
}

/* Is a default no runtime? runc is everywhere, and docker takes io.containerd.kata.v2 for a shim. */
bool setup_is_lost(const char *standard, struct json_object *runtimes)
{
	return standard && strcmp(standard, "runc") != 0 && !strpbrk(standard, "./") &&
	       !toml_find(runtimes, KEYS(standard));
}

char *setup_find_text(struct json_object *root, const char *const *path)
{
	struct json_object *value = toml_find(root, path);

	return json_object_is_type(value, json_type_string) ?
		       xstrdup(json_object_get_string(value)) : NULL;
}
