// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading and writing a file of JSON, so that nothing is lost that is not edited.
 *
 * json-c reads strings and numbers alone. Given the whole text, it would drop all but the
 * last of the members of one name, and turn an integer above 2^64-1 into 2^64-1 (0.16,
 * 0.18). Its JSON_TOKENER_STRICT refuses every string that is not ASCII (0.18, issue 875).
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json_file.h"
#include "lib/text_file.h"
#include "lib/xalloc.h"

#define MAX_DEPTH	128	/* an OCI configuration has 8 */

/* @path: of the value that is being read, as the text spells it */
struct reader {
	const char *text;
	const char *at;
	struct json_tokener *tokener;
	int depth;
	char path[512];
	char *why;
};

static int refuse(struct reader *r, const char *subject, const char *what)
{
	size_t line = 1;
	const char *at;

	for (at = r->text; at < r->at; at++)
		line += *at == '\n';
	return why_fail(r->why, -EINVAL, "line %zu: %s%s", line, subject, what);
}

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
}

static bool take(struct reader *r, char mark)
{
	skip_blanks(r);
	if (*r->at != mark)
		return false;
	r->at++;
	return true;
}

/* Returns 0 for a string that does not end. */
static size_t leaf_length(const char *at)
{
	size_t n = 1;

	if (*at != '"')
		return strcspn(at, "\"{}[],: \t\r\n");
	while (at[n] != '"' && (unsigned char)at[n] >= ' ')
		n += at[n] == '\\' && (unsigned char)at[n + 1] >= ' ' ? 2 : 1;
	return at[n] == '"' ? n + 1 : 0;
}

/* Is it a string of ASCII that says what it spells? Most are. */
static bool is_plain(const char *at, size_t len)
{
	size_t i = 0;

	while (i < len && at[i] >= ' ' && at[i] < 0x7f && at[i] != '\\')
		i++;
	return i == len && *at == '"';
}

/* json-c makes a locale for each text: more than half of the time that a configuration took. */
static struct json_object *parse_leaf(struct reader *r, const char *at, size_t len, size_t *used)
{
	struct json_object *value;

	*used = len;
	if (is_plain(at, len))
		return json_object_new_string_len(at + 1, (int)len - 2);
	json_tokener_reset(r->tokener);
	value = json_tokener_parse_ex(r->tokener, at, (int)len + 1);
	*used = json_tokener_get_parse_end(r->tokener);
	return value;
}

/* Is it no more than JSON? json-c takes True, NaN, 01 and 5., and they would be written so. */
static bool is_strict(const char *text)
{
	const char *number = text + (*text == '-');
	size_t n = strspn(number, "0123456789");

	if (n)
		return (*number != '0' || n == 1) &&
		       (number[n] != '.' || isdigit((unsigned char)number[n + 1]));
	return *text == '"' || !strcmp(text, "true") || !strcmp(text, "false") ||
	       !strcmp(text, "null");
}

static int read_leaf(struct reader *r, struct json_object **value)
{
	size_t len = leaf_length(r->at);
	enum json_tokener_error error;
	char *spelling;
	size_t used;
	bool is_json;

	if (!len)
		return refuse(r, "", *r->at == '"' ? "a string does not end" :
						     "a value should be here");
	spelling = xstrndup(r->at, len);
	is_json = is_strict(spelling);
	*value = parse_leaf(r, spelling, len, &used);
	error = json_tokener_get_error(r->tokener);
	if (*value)
		json_object_set_serializer(*value,
					   json_object_userdata_to_json_string,
					   spelling, json_object_free_userdata);
	else
		free(spelling);
	if (is_json && error)
		return refuse(r, "", json_tokener_error_desc(error));
	if (!is_json || used < len)
		return refuse(r, "", "this is not a JSON value");
	r->at += len;
	return 0;
}

static int read_value(struct reader *r, struct json_object **value);

/* The part that was read of a refused value hangs on its parent, and goes with the root. */
static int read_element(struct reader *r, struct json_object *array)
{
	size_t parent = strlen(r->path);
	struct json_object *value = NULL;
	int ret;

	snprintf(r->path + parent, sizeof(r->path) - parent, "[%zu]",
		 json_object_array_length(array));
	ret = read_value(r, &value);
	r->path[parent] = '\0';
	json_object_array_add(array, value);
	return ret;
}

static int read_named(struct reader *r, struct json_object *object, struct json_object *key)
{
	const char *name = json_object_get_string(key);
	struct json_object *value = NULL;
	int ret;

	if (strlen(name) != (size_t)json_object_get_string_len(key))
		return refuse(r, r->path, " has a NUL character in its name: remove it");
	if (json_object_object_get_ex(object, name, NULL))
		return refuse(r, r->path, " is there twice, and some programs take the first, some the last: remove one of the two");
	if (!take(r, ':'))
		return refuse(r, "", "a colon should be here");
	ret = read_value(r, &value);
	json_object_object_add(object, name, value);
	return ret;
}

static int read_member(struct reader *r, struct json_object *object)
{
	size_t parent = strlen(r->path);
	struct json_object *key = NULL;
	int ret;

	skip_blanks(r);
	if (*r->at != '"')
		return refuse(r, "", "a name in double quotes should be here");
	snprintf(r->path + parent, sizeof(r->path) - parent, "%s%.*s",
		 parent ? "." : "", (int)strcspn(r->at + 1, "\""), r->at + 1);
	ret = read_leaf(r, &key);
	if (!ret)
		ret = read_named(r, object, key);
	json_object_put(key);
	r->path[parent] = '\0';
	return ret;
}

static int read_inside(struct reader *r, struct json_object *parent, bool object)
{
	char close = object ? '}' : ']';
	int ret;

	if (++r->depth > MAX_DEPTH)
		return refuse(r, "", "nested too deeply: 128 levels are read");
	if (!take(r, close)) {
		do {
			ret = object ? read_member(r, parent) : read_element(r, parent);
			if (ret)
				return ret;
		} while (take(r, ','));
		if (!take(r, close))
			return refuse(r, "", "a comma or a closing bracket should be here");
	}
	r->depth--;
	return 0;
}

static int read_value(struct reader *r, struct json_object **value)
{
	bool object = take(r, '{');

	if (!object && !take(r, '['))
		return read_leaf(r, value);
	*value = xcheck(object ? json_object_new_object() : json_object_new_array());
	return read_inside(r, *value, object);
}

int json_file_parse(const char *text, size_t len, struct json_object **root, char why[WHY_SIZE])
{
	struct reader r = {
		.text = text, .why = why,
		/* An editor of Windows puts a byte order mark in front. */
		.at = strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3,
		.tokener = xcheck(json_tokener_new()),
	};
	int ret;

	*root = NULL;
	json_tokener_set_flags(r.tokener, JSON_TOKENER_VALIDATE_UTF8);
	ret = read_value(&r, root);
	skip_blanks(&r);
	if (!ret && r.at < text + len)
		ret = refuse(&r, "", "something follows the end");
	json_tokener_free(r.tokener);
	if (ret) {
		json_object_put(*root);
		*root = NULL;
	}
	return ret;
}

const char *json_file_text(struct json_object *root)
{
	/* Laid out as runc and docker lay theirs out. */
	int flags = JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_PRETTY |
		    JSON_C_TO_STRING_PRETTY_TAB | JSON_C_TO_STRING_NOSLASHESCAPE;

	return xcheck((char *)json_object_to_json_string_ext(root, flags));
}

/* Go's reader does not look at case, and takes long s and the sign for Kelvin for letters. */
static bool resembles(const char *key, const char *name)
{
	static const char long_s[] = "\xc5\xbf", kelvin[] = "\xe2\x84\xaa";

	for (; *name; name++) {
		int letter = tolower((unsigned char)*name);

		if (letter == tolower((unsigned char)*key))
			key++;
		else if (letter == 's' && !strncmp(key, long_s, 2))
			key += 2;
		else if (letter == 'k' && !strncmp(key, kelvin, 3))
			key += 3;
		else
			return false;
	}
	return !*key;
}

/* json-c has the nearest number that fits; the spelling says which was meant. */
static bool is_whole(struct json_object *value)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, json_object_get_uint64(value));
	return json_object_is_type(value, json_type_int) &&
	       !strcmp(json_object_to_json_string(value), number);
}

static int check_type(struct json_object *value, enum json_type type,
		      const char *where, const char *name, char why[WHY_SIZE])
{
	bool fits = type == json_type_int ? is_whole(value) : json_object_is_type(value, type);

	if (!value || fits)
		return 0;
	return why_fail(why, -EINVAL, "%s%s is not %s", where, name,
			type == json_type_object ? "an object" :
			type == json_type_array ? "an array" :
			type == json_type_string ? "a string" :
			type == json_type_boolean ? "true or false" :
			"a whole number from 0 to 2^64-1");
}

int json_file_member(struct json_object *object, const char *where,
		     const char *name, enum json_type type,
		     struct json_object **value, char why[WHY_SIZE])
{
	*value = NULL;
	if (!json_object_is_type(object, json_type_object))
		return why_fail(why, -EINVAL, "%s%s cannot be there: the value that it would be in is not an object",
				where, name);
	json_object_object_foreach(object, key, candidate) {
		if (!strcmp(key, name))
			*value = candidate;
		else if (resembles(key, name))
			return why_fail(why, -EINVAL, "%s%s is there in another case, \"%s\", which some programs take for it and some do not: write it as here, or remove it",
					where, name, key);
	}
	return check_type(*value, type, where, name, why);
}

int json_file_read_by(const char *path, struct json_file *document,
		      json_file_parser parse, char why[WHY_SIZE])
{
	char reason[WHY_SIZE];
	struct text_file file;
	int ret = text_file_read(path, &file, why);

	document->root = NULL;
	document->file = file.stat;
	if (!ret && !file.is_there) {
		ret = why_fail(why, -ENOENT, "cannot read %s: %s", path, strerror(ENOENT));
	} else if (!ret) {
		ret = parse(file.text, strlen(file.text), &document->root, reason);
		if (ret)
			why_fail(why, ret, "%s: %s", path, reason);
	}
	text_file_free(&file);
	return ret;
}

int json_file_read(const char *path, struct json_file *document, char why[WHY_SIZE])
{
	return json_file_read_by(path, document, json_file_parse, why);
}

int json_file_write(const char *path, const struct json_file *document, char why[WHY_SIZE])
{
	char *text = xasprintf("%s\n", json_file_text(document->root));
	int ret = text_file_write_fast(path, text, &document->file, why);

	free(text);
	return ret;
}
