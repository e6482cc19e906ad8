// SPDX-License-Identifier: GPL-2.0-only
/*
 * Members of a configuration, found or added.
 */
#include <errno.h>
#include <string.h>

#include "container/oci/member.h"

struct json_object *oci_member(struct json_object *object, const char *where,
			       const char *name, enum json_type type,
			       char why[WHY_SIZE])
{
	struct json_object *value;

	if (document_member(object, where, name, type, &value, why))
		return NULL;
	if (value)
		return value;
	value = type == json_type_object ? json_object_new_object() :
					   json_object_new_array();
	if (!json_object_object_add(object, name, value) && value)
		return value;
	json_object_put(value);
	why_fail(why, -ENOMEM, "no memory");
	return NULL;
}

const char *oci_member_text(struct json_object *element, const char *name)
{
	struct json_object *value = NULL;

	if (json_object_is_type(element, json_type_object))
		json_object_object_get_ex(element, name, &value);
	return json_object_is_type(value, json_type_string) ?
	       json_object_get_string(value) : NULL;
}

bool oci_has(struct json_object *array, struct json_object *value)
{
	size_t i, n = json_object_array_length(array);

	for (i = 0; i < n; i++)
		if (json_object_equal(json_object_array_get_idx(array, i), value))
			return true;
	return false;
}

int oci_append(struct json_object *array, struct json_object *value)
{
	if (value && !json_object_array_add(array, value))
		return 0;
	json_object_put(value);
	return -ENOMEM;
}

struct json_object *oci_words(const struct words *words)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; array && i < words->n; i++) {
		if (oci_append(array, json_object_new_string(words->word[i]))) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}
