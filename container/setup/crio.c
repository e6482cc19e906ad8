// SPDX-License-Identifier: GPL-2.0-only
/*
 * CRI-O: a file in crio.conf.d, which is read on top of crio.conf key by key. It
 * takes CDI devices by itself, so there is nothing to enable.
 */
#include <errno.h>
#include <string.h>

#include "container/setup/toml_engine.h"
#include "lib/toml.h"
#include "lib/toml_edit.h"

static const char *const runtimes[] = { "crio", "runtime", "runtimes", NULL };
static const char *const standard[] = { "crio", "runtime", "default_runtime", NULL };

static int edit(char **text, const struct setup_runtime *runtime,
		char why[WHY_SIZE])
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
	return ret ? ret : setup_set(text, type, json_object_new_string("oci"), why);
}

static int find(const char *text, struct setup_found *found, char why[WHY_SIZE])
{
	static const char *const program[] = { "runtime_path", NULL };
	struct json_object *root;
	int ret;

	*found = (struct setup_found){ .cdi = SETUP_CDI_ON };
	ret = toml_parse(text, strlen(text), &root, why);
	if (!ret && setup_find_runtimes(toml_find(root, runtimes), program, found))
		ret = why_fail(why, -ENOMEM, "no memory to read it");
	if (!ret)
		found->standard = setup_find_text(root, standard);
	json_object_put(root);
	return ret;
}

const struct setup_engine setup_crio = {
	.name = "crio",
	.file = "/etc/crio/crio.conf.d/99-nvidia.conf",
	.reload = "systemctl restart crio",
	.edit = edit,
	.find = find,
};
