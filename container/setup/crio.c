// SPDX-License-Identifier: GPL-2.0-only
/*
 * CRI-O: a file in crio.conf.d, which is read on top of crio.conf key by key, but for the
 * table of a runtime, which it replaces. It takes CDI devices by itself, so there is
 * nothing to enable.
 */
#include "container/setup/runtime_tables.h"

static const char *const runtimes[] = { "crio", "runtime", "runtimes", NULL };
static const char *const standard[] = { "crio", "runtime", "default_runtime", NULL };

static int inherit(char **text, const struct setup_base *base, const char *name,
		   char why[WHY_SIZE])
{
	const char *path[SETUP_PATH] = { "crio", "runtime", "runtimes", name };
	struct json_object *root, *model = NULL;
	int ret = notation_toml.parse(*text, &root, why);

	if (!ret)
		model = setup_find_model(root, standard, runtimes, name, NULL);
	if (!model && base)
		model = setup_find_model(base->files, standard, runtimes, name, NULL);
	if (!ret)
		ret = setup_copy(text, root, model, path, 4, why);
	json_object_put(root);
	return ret;
}

static int edit(char **text, const struct setup_runtime *runtime,
		const struct setup_base *base, char why[WHY_SIZE])
{
	const char *const program[] = { "crio", "runtime", "runtimes",
		runtime->name, "runtime_path", NULL };
	const char *const type[] = { "crio", "runtime", "runtimes",
		runtime->name, "runtime_type", NULL };
	int ret = 0;

	if (runtime->is_default)
		ret = setup_set(text, standard,
				json_object_new_string(runtime->name), why);
	if (!ret)
		ret = setup_set(text, program,
				json_object_new_string(runtime->path), why);
	if (!ret)
		ret = setup_set(text, type, json_object_new_string("oci"), why);
	return ret ? ret : inherit(text, base, runtime->name, why);
}

static int find(struct json_object *root, struct setup_found *found, char why[WHY_SIZE])
{
	static const char *const program[] = { "runtime_path", NULL };

	found->cdi = SETUP_CDI_ON;
	found->standard = setup_find_text(root, standard);
	return setup_find_runtimes(toml_find(root, runtimes), program, found, why);
}

static int files(const char *main, struct strv *list)
{
	return setup_folder_files(main, "", list);
}

static const char *const ask[] = { "crio", "status", "config", NULL };

const struct setup_engine setup_crio = {
	.name = "crio",
	.file = "/etc/crio/crio.conf.d/zz-mpu.conf",
	.reload = "systemctl restart crio",
	.restart = "systemctl restart crio",
	.notation = &notation_toml,
	.ask = ask,
	.asked = "crio status config",
	.files = files,
	.replaces = setup_replaces_runtime,
	.edit = edit,
	.find = find,
};
