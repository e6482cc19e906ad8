// SPDX-License-Identifier: GPL-2.0-only
/*
 * Members of a configuration, found or added.
 */
#include <errno.h>

#include "container/oci/internal.h"
#include "lib/xalloc.h"

/* Finds an object or an array, or adds it to @object. Return: NULL and a sentence in @why. */
struct json_object *oci_member(struct json_object *object, const char *where,
			       const char *name, enum json_type type, char why[WHY_SIZE])
{
	struct json_object *value;

	if (json_file_member(object, where, name, type, &value, why))
		return NULL;
	if (value)
		return value;
	value = xcheck(type == json_type_object ? json_object_new_object() :
						  json_object_new_array());
	xcheck(json_object_object_add(object, name, value) ? NULL : value);
	return value;
}

/* @value is taken over. */
void oci_append(struct json_object *array, struct json_object *value)
{
	xcheck(value && !json_object_array_add(array, value) ? value : NULL);
}

/* Returns the key of an element that has no name. */
const char *oci_key(struct json_object *element)
{
	return json_object_is_type(element, json_type_string) ?
	       json_object_get_string(element) :
	       json_object_to_json_string_ext(element, JSON_C_TO_STRING_PLAIN);
}

/* If a name occurs twice, the first is found. */
static void note_element(struct oci_index *index, const char *key, size_t at)
{
	if (!json_object_object_get_ex(index->at, key, NULL))
		xcheck(json_object_object_add(index->at, key, json_object_new_int64((int64_t)at)) ?
		       NULL : index);
}

/* @list: the same each time; @member: the key of its elements, NULL: all of it. Or -ENOENT. */
int oci_index_find(struct oci_index *index, struct json_object *list, const char *member,
		   const char *key)
{
	struct json_object *at;
	size_t i;

	if (!index->at) {
		index->list = list;
		index->at = xcheck(json_object_new_object());
		for (i = 0; i < json_object_array_length(list); i++) {
			struct json_object *one = json_object_array_get_idx(list, i);
			const char *own = member ? member_string(one, member) : oci_key(one);

			if (own)
				note_element(index, own, i);
		}
	}
	return json_object_object_get_ex(index->at, key, &at) ? json_object_get_int(at) : -ENOENT;
}

void oci_index_append(struct oci_index *index, struct json_object *value, const char *key)
{
	note_element(index, key, json_object_array_length(index->list));
	oci_append(index->list, value);
}

void oci_index_free(struct oci_index *index)
{
	json_object_put(index->at);
	*index = (struct oci_index){ 0 };
}
