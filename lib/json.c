// SPDX-License-Identifier: GPL-2.0-only
/*
 * Members of a JSON object: see json.h.
 */
#include <errno.h>
#include <string.h>

#include "lib/json.h"

void member_add_text(struct json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, text ? json_object_new_string(text) : NULL);
}

void member_add_number(struct json_object *object, const char *key, int64_t n)
{
	json_object_object_add(object, key, json_object_new_int64(n));
}

void member_add_bool(struct json_object *object, const char *key, bool value)
{
	json_object_object_add(object, key, json_object_new_boolean(value));
}

size_t array_length(struct json_object *list)
{
	return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

struct json_object *array_of_words(const struct strv *words)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < words->n; i++)
		json_object_array_add(array, json_object_new_string(words->word[i]));
	return array;
}

void array_add_words(struct json_object *list, struct strv *words)
{
	const char *text;
	size_t i;

	for (i = 0; i < array_length(list); i++) {
		text = json_object_get_string(json_object_array_get_idx(list, i));
		if (text)
			strv_add(words, text);
	}
}

bool array_has_equal(struct json_object *list, struct json_object *value)
{
	size_t i;

	for (i = 0; i < array_length(list); i++)
		if (json_object_equal(json_object_array_get_idx(list, i), value))
			return true;
	return false;
}

bool array_has(struct json_object *list, const char *text)
{
	struct json_object *one;
	size_t i, len = strlen(text);

	for (i = 0; i < array_length(list); i++) {
		one = json_object_array_get_idx(list, i);
		if (json_object_is_type(one, json_type_string) &&
		    (size_t)json_object_get_string_len(one) == len &&
		    !memcmp(json_object_get_string(one), text, len))
			return true;
	}
	return false;
}

struct json_object *member_get(struct json_object *object, const char *key)
{
	return json_object_object_get(object, key);
}

const char *member_text(struct json_object *object, const char *key)
{
	return json_object_get_string(member_get(object, key));
}

const char *member_string(struct json_object *object, const char *key)
{
	struct json_object *value = member_get(object, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

int member_copy_text(char *to, size_t size, struct json_object *object, const char *key)
{
	struct json_object *value = member_get(object, key);
	const char *text;
	size_t len;

	if (!json_object_is_type(value, json_type_string))
		return -EINVAL;
	text = json_object_get_string(value);
	len = (size_t)json_object_get_string_len(value);
	if (!len || len >= size || strlen(text) != len)
		return -EINVAL;
	memcpy(to, text, len + 1);
	return 0;
}

int64_t member_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(member_get(object, key));
}

bool member_is_true(struct json_object *object, const char *key)
{
	return json_object_get_boolean(member_get(object, key));
}
