// SPDX-License-Identifier: GPL-2.0-only
/*
 * Members of a configuration, found or added.
 */
#include <errno.h>
#include <string.h>

#include "container/oci/json_member.h"

struct json_object *oci_member(struct json_object *object, const char *where,
			       const char *name, enum json_type type,
			       char why[WHY_SIZE])
{
	struct json_object *value;

	if (json_file_member(object, where, name, type, &value, why))
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

const char *oci_key(struct json_object *element)
{
	return json_object_is_type(element, json_type_string) ?
	       json_object_get_string(element) :
	       json_object_to_json_string_ext(element, JSON_C_TO_STRING_PLAIN);
}

static int note_element(struct oci_index *index, const char *key, size_t at)
{
	struct json_object *number = json_object_new_int64((int64_t)at);

	/* If a name occurs twice, the first is found. */
	if (number && json_object_object_get_ex(index->at, key, NULL)) {
		json_object_put(number);
		return 0;
	}
	if (number && !json_object_object_add(index->at, key, number))
		return 0;
	json_object_put(number);
	return -ENOMEM;
}

static int make_index(struct oci_index *index, struct json_object *list,
		      const char *member)
{
	size_t i, n = json_object_array_length(list);
	int ret = 0;

	index->list = list;
	index->at = json_object_new_object();
	if (!index->at)
		return -ENOMEM;
	for (i = 0; i < n && !ret; i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		const char *key = member ? oci_member_text(one, member) :
				  oci_key(one);

		if (key)
			ret = note_element(index, key, i);
	}
	return ret;
}

int oci_index_find(struct oci_index *index, struct json_object *list,
		   const char *member, const char *key)
{
	struct json_object *at;
	int ret = index->at ? 0 : make_index(index, list, member);

	if (ret)
		return ret;
	return json_object_object_get_ex(index->at, key, &at) ?
	       json_object_get_int(at) : -ENOENT;
}

int oci_index_append(struct oci_index *index, struct json_object *value,
		     const char *key)
{
	int ret = note_element(index, key,
			       json_object_array_length(index->list));

	if (ret)
		json_object_put(value);
	return ret ? ret : oci_append(index->list, value);
}

void oci_index_free(struct oci_index *index)
{
	json_object_put(index->at);
	*index = (struct oci_index){ 0 };
}

struct json_object *oci_words(const struct strv *words)
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
