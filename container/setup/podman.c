// SPDX-License-Identifier: GPL-2.0-only
/*
 * podman: containers.conf. It takes CDI devices by itself, so there is nothing to
 * enable.
 */
#include <errno.h>
#include <string.h>

#include "container/setup/toml_engine.h"
#include "lib/toml.h"
#include "lib/toml_edit.h"

static const char *const runtimes[] = { "engine", "runtimes", NULL };
static const char *const standard[] = { "engine", "runtime", NULL };

static int edit(char **text, const struct setup_runtime *runtime,
		char why[WHY_SIZE])
{
	const char *const path[] = { "engine", "runtimes", runtime->name, NULL };
	struct json_object *programs = json_object_new_array();
	int ret;

	json_object_array_add(programs, json_object_new_string(runtime->path));
	ret = setup_set(text, path, programs, why);
	if (!ret && runtime->is_default)
		ret = setup_set(text, standard,
				json_object_new_string(runtime->name), why);
	return ret;
}

static int find(const char *text, struct setup_found *found, char why[WHY_SIZE])
{
	static const char *const none[] = { NULL };
	struct json_object *root;
	int ret;

	*found = (struct setup_found){ .cdi = SETUP_CDI_ON };
	ret = toml_parse(text, strlen(text), &root, why);
	if (!ret && setup_find_runtimes(toml_find(root, runtimes), none, found))
		ret = why_fail(why, -ENOMEM, "no memory to read it");
	if (!ret)
		found->standard = setup_find_text(root, standard);
	json_object_put(root);
	return ret;
}

const struct setup_engine setup_podman = {
	.name = "podman",
	.file = "/etc/containers/containers.conf.d/99-nvidia.conf",
	.reload = "nothing: the next podman reads it",
	.edit = edit,
	.find = find,
};
