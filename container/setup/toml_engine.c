// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the engines whose configuration is TOML have in common: see toml_engine.h.
 */
#include <errno.h>
#include <string.h>

#include "container/setup/toml_engine.h"
#include "lib/toml_edit.h"

int setup_set(char **text, const char *const *path, struct json_object *value,
	      char why[WHY_SIZE])
{
	int ret = value ? toml_set(text, path, value, why) :
			  why_fail(why, -ENOMEM, "no memory to edit it");

	json_object_put(value);
	return ret;
}

int setup_find_runtimes(struct json_object *runtimes, const char *const *program,
			struct setup_found *found)
{
	if (!json_object_is_type(runtimes, json_type_object))
		return 0;
	json_object_object_foreach(runtimes, name, runtime) {
		struct json_object *path = toml_find(runtime, program);

		if (json_object_is_type(runtime, json_type_array))
			path = json_object_array_get_idx(runtime, 0);
		if (!json_object_is_type(path, json_type_string))
			continue;
		if (words_add(&found->names, name) ||
		    words_add(&found->paths, json_object_get_string(path)))
			return -ENOMEM;
	}
	return 0;
}

char *setup_find_text(struct json_object *root, const char *const *path)
{
	struct json_object *value = toml_find(root, path);

	return json_object_is_type(value, json_type_string) ?
		       strdup(json_object_get_string(value)) : NULL;
}
