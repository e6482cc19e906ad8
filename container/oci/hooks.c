// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks of a configuration, added and removed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/oci/internal.h"
#include "container/request/request.h"
#include "lib/host.h"
#include "lib/path.h"
#include "lib/xalloc.h"

/*
 * A hook without variables of its own inherits others': the runtime's, and from
 * runc at createContainer the image's (CVE-2025-23266).
 */
#define HOOK_ENV "PATH=/usr/sbin:/usr/bin:/sbin:/bin"

static bool is_nvidia(struct json_object *hook)
{
	const char *path = member_string(hook, "path");

	return path && (!strcmp(path_name(path), "nvidia-container-runtime-hook") ||
			!strcmp(path_name(path), "nvidia-container-toolkit"));
}

/* Adds an edit of kind EDIT_HOOK, unless it is there. */
int oci_hooks_add(struct json_object *config, const struct edit *edit, char why[WHY_SIZE])
{
	char path[] = HOOK_ENV, *one[] = { path, NULL };
	const struct strv standard = { one, 1 };
	struct json_object *hook = xcheck(json_object_new_object()), *hooks, *list = NULL;

	member_add_text(hook, "path", edit->path);
	if (edit->options.n)
		json_object_object_add(hook, "args", array_of_words(&edit->options));
	json_object_object_add(hook, "env", array_of_words(edit->env.n ? &edit->env : &standard));
	if (edit->timeout)
		member_add_number(hook, "timeout", edit->timeout);
	hooks = oci_member(config, "", "hooks", json_type_object, why);
	if (hooks)
		list = oci_member(hooks, "hooks.", edit->stage, json_type_array, why);
	if (list && !array_has_equal(list, hook))
		oci_append(list, hook);
	else
		json_object_put(hook);
	return list ? 0 : -EINVAL;
}

/* Finds the list of prestart hooks, or NULL. Return: 0 or -EINVAL. */
static int find_prestart(struct json_object *config, struct json_object **hooks,
			 struct json_object **list, char why[WHY_SIZE])
{
	int ret = json_file_member(config, "", "hooks", json_type_object, hooks, why);

	*list = NULL;
	return ret || !*hooks ? ret : json_file_member(*hooks, "hooks.", "prestart",
						       json_type_array, list, why);
}

bool oci_hooks_has_nvidia(struct json_object *config)
{
	struct json_object *hooks, *list;
	char why[WHY_SIZE];
	size_t i, n;

	if (find_prestart(config, &hooks, &list, why) || !list)
		return false;
	n = json_object_array_length(list);
	for (i = 0; i < n; i++)
		if (is_nvidia(json_object_array_get_idx(list, i)))
			return true;
	return false;
}

int oci_hooks_find(const char *name, char path[PATH_MAX])
{
	const char *folders = getenv("PATH");
	int len = 0;

	if (name[0] == '/')
		len = snprintf(path, PATH_MAX, "%s", name);
	else if (!oci_find_program(folders ? folders : "", name, false, path) &&
		 !oci_find_program(HOST_USUAL_PATH, name, false, path))
		len = snprintf(path, PATH_MAX, "/usr/bin/%s", name);
	return len >= PATH_MAX ? -ENAMETOOLONG : access(path, X_OK) ? -errno : 0;
}

void oci_hooks_plan_nvidia(struct edits *edits, const char *path, const char *input)
{
	/* The hook reads the settings that we have read: who calls it knows no others. */
	const char *settings = getenv(SETTINGS_VARIABLE);
	struct edit edit = {
		.kind = EDIT_HOOK, .path = xstrdup(path), .stage = xstrdup("prestart"),
		.rule = xstrdup("the hook of mode legacy"), .input = xstrdup(input ?: ""),
	};

	strv_add(&edit.options, path_name(path));
	strv_add(&edit.options, "prestart");
	strv_add(&edit.env, HOOK_ENV);
	if (settings)
		strv_add_format(&edit.env, SETTINGS_VARIABLE "=%s", settings);
	edits_add(edits, &edit);
}

int oci_hooks_add_nvidia(struct json_object *config, const struct edit *edit, char why[WHY_SIZE])
{
	return oci_hooks_has_nvidia(config) ? 0 : oci_hooks_add(config, edit, why);
}

int oci_hooks_remove_nvidia(struct json_object *config, char why[WHY_SIZE])
{
	struct json_object *hooks, *list;
	int ret = find_prestart(config, &hooks, &list, why);
	size_t before, i;

	if (ret || !list)
		return ret;
	before = json_object_array_length(list);
	for (i = before; i--;)
		if (is_nvidia(json_object_array_get_idx(list, i)))
			json_object_array_del_idx(list, i, 1);
	if (before && !json_object_array_length(list))
		json_object_object_del(hooks, "prestart");
	return 0;
}
