// SPDX-License-Identifier: GPL-2.0-only
/*
 * Members of a JSON object: see json.h.
 */
#include "lib/json.h"

void member_add_text(struct json_object *object, const char *key,
		     const char *text)
{
	json_object_object_add(object, key,
			       text ? json_object_new_string(text) : NULL);
}

void member_add_number(struct json_object *object, const char *key, int64_t n)
{
	json_object_object_add(object, key, json_object_new_int64(n));
}

void member_add_bool(struct json_object *object, const char *key, bool value)
{
	json_object_object_add(object, key, json_object_new_boolean(value));
}

struct json_object *member_get(struct json_object *object, const char *key)
{
	return json_object_object_get(object, key);
}

const char *member_text(struct json_object *object, const char *key)
{
	return json_object_get_string(member_get(object, key));
}

int64_t member_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(member_get(object, key));
}

bool member_is_true(struct json_object *object, const char *key)
{
	return json_object_get_boolean(member_get(object, key));
}
