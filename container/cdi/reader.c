// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading the objects of a CDI document by tables.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/cdi/reader.h"
#include "lib/json_file.h"

#define MAX_TEXTS	16384	/* elements of one array */

int reader_refuse(struct cdi_reader *r, const char *fmt, ...)
{
	char what[WHY_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return why_fail(r->why, -EINVAL, "%s%s%s", r->where,
			*r->where ? ": " : "", what);
}

int reader_fail_memory(struct cdi_reader *r)
{
	return why_fail(r->why, -ENOMEM, "no memory to read it");
}

void reader_need(struct cdi_reader *r, enum cdi_version version)
{
	if (r->needed < version)
		r->needed = version;
}

size_t reader_enter(struct cdi_reader *r, const char *name, int i)
{
	size_t len = strlen(r->where), room = sizeof(r->where) - len;
	const char *dot = len ? "." : "";

	if (i < 0)
		snprintf(r->where + len, room, "%s%s", dot, name);
	else
		snprintf(r->where + len, room, "%s%s[%d]", dot, name, i);
	return len;
}

void reader_leave(struct cdi_reader *r, size_t parent)
{
	r->where[parent] = '\0';
}

int reader_check_text(struct cdi_reader *r, const char *name,
		      struct json_object *value)
{
	const char *text = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string))
		return reader_refuse(r, "%s is not a string", name);
	if (strlen(text) != (size_t)json_object_get_string_len(value))
		return reader_refuse(r, "%s has a NUL character", name);
	return 0;
}

static int check_member(struct cdi_reader *r, struct json_object *object,
			const struct cdi_member *row, struct json_object *value)
{
	struct json_object *number;
	char dot[sizeof(r->where) + 2];

	if (row->until && r->allowed > row->until)
		r->allowed = row->until;
	reader_need(r, row->since);
	switch (row->type) {
	case json_type_string:
		return reader_check_text(r, row->name, value);
	case json_type_int:
		snprintf(dot, sizeof(dot), "%s%s", r->where,
			 *r->where ? "." : "");
		if (json_file_member(object, dot, row->name, json_type_int,
				     &number, r->why))
			return -EINVAL;
		if (json_object_get_uint64(value) > UINT32_MAX)
			return reader_refuse(r, "%s is larger than 2^32-1", row->name);
		return 0;
	default:
		if (!json_object_is_type(value, row->type))
			return reader_refuse(r, "%s is not %s", row->name,
				      row->type == json_type_object ? "an object" :
				      row->type == json_type_array ? "an array" :
				      "true or false");
		return 0;
	}
}

int reader_members(struct cdi_reader *r, struct json_object *object,
			const struct cdi_member *rows, struct json_object **values)
{
	size_t i;
	int ret;

	for (i = 0; rows[i].name; i++)
		values[i] = NULL;
	if (!json_object_is_type(object, json_type_object))
		return reader_refuse(r, "this is not an object");
	json_object_object_foreach(object, name, value) {
		for (i = 0; rows[i].name && strcmp(rows[i].name, name) != 0; i++)
			;
		if (!rows[i].name)
			return reader_refuse(r, "CDI knows no member \"%s\" here: programs that read it refuse the file", name);
		ret = value ? check_member(r, object, &rows[i], value) : 0;
		if (ret)
			return ret;
		values[i] = value;
	}
	for (i = 0; rows[i].name; i++)
		if (rows[i].required && !values[i])
			return reader_refuse(r, "%s is missing", rows[i].name);
	return 0;
}

int reader_texts(struct cdi_reader *r, const char *name,
		      struct json_object *array, bool is_env,
		      struct strv *words)
{
	size_t i, n = array ? json_object_array_length(array) : 0;

	if (n > MAX_TEXTS)
		return reader_refuse(r, "%s has more than %d elements", name, MAX_TEXTS);
	for (i = 0; i < n; i++) {
		struct json_object *value = json_object_array_get_idx(array, i);
		const char *equal;
		int ret = reader_check_text(r, name, value);

		if (ret)
			return ret;
		equal = strchr(reader_text(value), '=');
		if (is_env && (!equal || equal == reader_text(value)))
			return reader_refuse(r, "%s: \"%s\" is not NAME=VALUE", name,
				      reader_text(value));
		if (strv_add(words, reader_text(value)))
			return reader_fail_memory(r);
	}
	return 0;
}

int reader_copy_text(struct cdi_reader *r, struct json_object *value, char **copy)
{
	*copy = value ? strdup(reader_text(value)) : NULL;
	return value && !*copy ? reader_fail_memory(r) : 0;
}

int reader_copy_path(struct cdi_reader *r, const char *name,
		     struct json_object *value, char **copy)
{
	const char *path = reader_text(value);

	if (path && (*path != '/' || strlen(path) >= PATH_MAX))
		return reader_refuse(r, "%s, \"%.64s\", is not an absolute path", name, path);
	return reader_copy_text(r, value, copy);
}

