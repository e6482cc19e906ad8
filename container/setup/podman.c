// SPDX-License-Identifier: GPL-2.0-only
/*
 * podman: a file in containers.conf.d, which is read on top of containers.conf key by
 * key. It takes CDI devices by itself, so there is nothing to enable.
 */
#include "container/setup/runtime_tables.h"

static const char *const runtimes[] = { "engine", "runtimes", NULL };
static const char *const standard[] = { "engine", "runtime", NULL };

static int edit(char **text, const struct setup_runtime *runtime,
		const struct setup_base *base, char why[WHY_SIZE])
{
	const char *const path[] = { "engine", "runtimes", runtime->name, NULL };
	struct json_object *programs = json_object_new_array();
	int ret;

	(void)base;
	json_object_array_add(programs, json_object_new_string(runtime->path));
	ret = setup_set(text, path, programs, why);
	if (!ret && runtime->is_default)
		ret = setup_set(text, standard,
				json_object_new_string(runtime->name), why);
	return ret;
}

static int find(struct json_object *root, struct setup_found *found, char why[WHY_SIZE])
{
	static const char *const none[] = { NULL };

	found->cdi = SETUP_CDI_ON;
	found->standard = setup_find_text(root, standard);
	return setup_find_runtimes(toml_find(root, runtimes), none, found, why);
}

static int files(const char *main, struct strv *list)
{
	return setup_folder_files(main, ".conf", list);
}

const struct setup_engine setup_podman = {
	.name = "podman",
	.file = "/etc/containers/containers.conf.d/zz-mpu.conf",
	.reload = "nothing: the next podman reads it",
	.restart = "nothing: the next podman reads it",
	.notation = &notation_toml,
	.files = files,
	.replaces = setup_replaces_runtime,
	.edit = edit,
	.find = find,
};
