// SPDX-License-Identifier: GPL-2.0-only
/*
 * containerd: config.toml, of its versions 1 to 3, which name the CRI plugin
 * differently. A file that it imports would replace the whole table of a plugin, so
 * it is the file itself that is edited.
 */
#include <errno.h>
#include <string.h>

#include "container/setup/toml_engine.h"
#include "lib/toml.h"
#include "lib/toml_edit.h"

#define SHIM	"io.containerd.runc."

/* Name of the CRI plugin in a file; @is_new: it says nothing yet. */
static const char *plugin_of(struct json_object *root, bool *is_new)
{
	static const char *const version[] = { "version", NULL };
	struct json_object *value = toml_find(root, version);

	*is_new = !json_object_object_length(root);
	if (*is_new)
		return "io.containerd.grpc.v1.cri";
	switch (value ? json_object_get_int(value) : 1) {
	case 1:
		return "cri";
	case 2:
		return "io.containerd.grpc.v1.cri";
	default:
		return "io.containerd.cri.v1.runtime";
	}
}

/* The type of a runtime; "": it says none, which containerd takes for runc's. */
static const char *type_of(struct json_object *runtime)
{
	static const char *const type[] = { "runtime_type", NULL };
	struct json_object *value = toml_find(runtime, type);

	return json_object_is_type(value, json_type_string) ?
	       json_object_get_string(value) : "";
}

/* Is it one whose program can be exchanged? Its settings suit ours then. */
static bool is_like_runc(struct json_object *runtime)
{
	const char *type = type_of(runtime);

	return json_object_is_type(runtime, json_type_object) &&
	       (!*type || !strncmp(type, SHIM, strlen(SHIM)));
}

/* The runtime whose settings (SystemdCgroup) ours is to have; NULL: none is known. */
static struct json_object *find_model(struct json_object *root,
				      const char *plugin, const char *name)
{
	const char *const standard[] = { "plugins", plugin, "containerd",
		"default_runtime_name", NULL };
	struct json_object *value = toml_find(root, standard), *model;
	const char *names[] = { json_object_is_type(value, json_type_string) ?
		json_object_get_string(value) : "runc", "runc", "crun" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *const path[] = { "plugins", plugin, "containerd",
			"runtimes", names[i], NULL };

		model = toml_find(root, path);
		if (strcmp(names[i], name) != 0 && is_like_runc(model))
			return model;
	}
	return NULL;
}

/* Give ours the keys of a table of the model's that it lacks. @path: of ours */
static int copy_table(char **text, struct json_object *root,
		      struct json_object *model, const char **path, size_t depth,
		      char why[WHY_SIZE])
{
	int ret;

	if (!json_object_is_type(model, json_type_object))
		return 0;
	json_object_object_foreach(model, key, value) {
		path[depth] = key;
		path[depth + 1] = NULL;
		if (json_object_is_type(value, json_type_object) ||
		    !strcmp(key, "BinaryName") || !*json_object_get_string(value) ||
		    toml_find(root, path))
			continue;
		ret = toml_set(text, path, value, why);
		if (ret)
			return ret;
	}
	return 0;
}

static int copy_model(char **text, struct json_object *root,
		      struct json_object *model, const char *plugin,
		      const char *name, char why[WHY_SIZE])
{
	const char *path[8] = { "plugins", plugin, "containerd", "runtimes", name };
	int ret = copy_table(text, root, model, path, 5, why);

	path[5] = "options";
	return ret ? ret : copy_table(text, root,
				      json_object_object_get(model, "options"),
				      path, 6, why);
}

static int set_runtime(char **text, struct json_object *root, const char *plugin,
		       const struct setup_runtime *runtime, char why[WHY_SIZE])
{
	const char *const type[] = { "plugins", plugin, "containerd", "runtimes",
		runtime->name, "runtime_type", NULL };
	const char *const program[] = { "plugins", plugin, "containerd",
		"runtimes", runtime->name, "options", "BinaryName", NULL };
	struct json_object *model = find_model(root, plugin, runtime->name);
	int ret = 0;

	if (!*type_of(model) && !toml_find(root, type))
		ret = setup_set(text, type, json_object_new_string(SHIM "v2"), why);
	if (!ret && model)
		ret = copy_model(text, root, model, plugin, runtime->name, why);
	return ret ? ret : setup_set(text, program,
				     json_object_new_string(runtime->path), why);
}

static int set_all(char **text, struct json_object *root,
		   const struct setup_runtime *runtime, char why[WHY_SIZE])
{
	static const char *const version[] = { "version", NULL };
	bool is_new;
	const char *plugin = plugin_of(root, &is_new);
	const char *const cdi[] = { "plugins", plugin, "enable_cdi", NULL };
	const char *const standard[] = { "plugins", plugin, "containerd",
		"default_runtime_name", NULL };
	int ret = 0;

	if (is_new)	/* 2 is what every containerd from 1.3 on reads */
		ret = setup_set(text, version, json_object_new_int(2), why);
	if (!ret && runtime->cdi)
		ret = setup_set(text, cdi, json_object_new_boolean(1), why);
	if (!ret && runtime->is_default)
		ret = setup_set(text, standard,
				json_object_new_string(runtime->name), why);
	return ret ? ret : set_runtime(text, root, plugin, runtime, why);
}

static int edit(char **text, const struct setup_runtime *runtime,
		char why[WHY_SIZE])
{
	struct json_object *root;
	int ret = toml_parse(*text, strlen(*text), &root, why);

	if (!ret)
		ret = set_all(text, root, runtime, why);
	json_object_put(root);
	return ret;
}

static int find_all(struct json_object *root, struct setup_found *found)
{
	static const char *const program[] = { "options", "BinaryName", NULL };
	bool is_new;
	const char *plugin = plugin_of(root, &is_new);
	const char *const runtimes[] = { "plugins", plugin, "containerd",
		"runtimes", NULL };
	const char *const standard[] = { "plugins", plugin, "containerd",
		"default_runtime_name", NULL };
	const char *const cdi[] = { "plugins", plugin, "enable_cdi", NULL };
	struct json_object *value = toml_find(root, cdi);

	if (value)
		found->cdi = json_object_get_boolean(value) ? SETUP_CDI_ON :
							      SETUP_CDI_OFF;
	found->standard = setup_find_text(root, standard);
	return setup_find_runtimes(toml_find(root, runtimes), program, found);
}

static int find(const char *text, struct setup_found *found, char why[WHY_SIZE])
{
	struct json_object *root;
	int ret;

	*found = (struct setup_found){ 0 };
	ret = toml_parse(text, strlen(text), &root, why);
	if (!ret && find_all(root, found))
		ret = why_fail(why, -ENOMEM, "no memory to read it");
	json_object_put(root);
	return ret;
}

const struct setup_engine setup_containerd = {
	.name = "containerd",
	.file = "/etc/containerd/config.toml",
	.reload = "systemctl restart containerd",
	.edit = edit,
	.find = find,
};
