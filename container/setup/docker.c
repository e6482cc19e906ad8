// SPDX-License-Identifier: GPL-2.0-only
/*
 * docker: /etc/docker/daemon.json. A daemon that is told to reload learns of runtimes and of
 * another default; it forgets those that the file no longer names, and starts to take CDI
 * devices, when it is restarted.
 */
#include <string.h>

#include "container/setup/runtime_tables.h"
#include "lib/json_file.h"

static int edit(char **text, const struct setup_runtime *runtime,
		const struct setup_base *base, char why[WHY_SIZE])
{
	const char *const program[] = { "runtimes", runtime->name, "path", NULL };
	static const char *const standard[] = { "default-runtime", NULL };
	static const char *const cdi[] = { "features", "cdi", NULL };
	int ret = notation_put(&notation_json, text, program,
			       json_object_new_string(runtime->path), why);

	(void)base;
	if (!ret && runtime->is_default)
		ret = notation_put(&notation_json, text, standard,
				   json_object_new_string(runtime->name), why);
	if (!ret && runtime->cdi)
		ret = notation_put(&notation_json, text, cdi,
				   json_object_new_boolean(1), why);
	return ret;
}

static int find(struct json_object *root, struct setup_found *found, char why[WHY_SIZE])
{
	static const char *const program[] = { "path", NULL };
	struct json_object *value;
	int ret = json_file_member(root, "", "runtimes", json_type_object, &value, why);

	if (!ret)
		ret = setup_find_runtimes(value, program, found, why);
	if (!ret)
		ret = json_file_member(root, "", "default-runtime",
				       json_type_string, &value, why);
	if (!ret && value)
		found->standard = strdup(json_object_get_string(value));
	if (!ret)
		ret = json_file_member(root, "", "features", json_type_object,
				       &value, why);
	if (!ret && json_object_object_get_ex(value, "cdi", &value))
		found->cdi = json_object_get_boolean(value) ? SETUP_CDI_ON :
							      SETUP_CDI_OFF;
	return ret;
}

static const char *const ask[] = { "docker", "info", "--format",
	"{\"runtimes\":{{json .Runtimes}},\"default-runtime\":{{json .DefaultRuntime}}}",
	NULL };

const struct setup_engine setup_docker = {
	.name = "docker",
	.file = "/etc/docker/daemon.json",
	.reload = "systemctl reload docker",
	.restart = "systemctl restart docker",
	.notation = &notation_json,
	.ask = ask,
	.asked = "docker info",
	.edit = edit,
	.find = find,
};
