// SPDX-License-Identifier: GPL-2.0-only
/*
 * The notations of configuration files that we edit: TOML and JSON, read and edited by the
 * path of a key.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/setup/internal.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/toml.h"
#include "lib/xalloc.h"

static int parse_toml(const char *text, struct json_object **root, char why[WHY_SIZE])
{
	return toml_parse(text, strlen(text), root, why);
}

const struct notation notation_toml = { parse_toml, toml_set };

/* A text of blanks, as Go has them, or null is an empty object. */
static int parse_json(const char *text, struct json_object **root, char why[WHY_SIZE])
{
	int ret = 0;

	*root = NULL;
	if (text[strspn(text, " \t\r\n\f\v\xef\xbb\xbf")])
		ret = json_file_parse(text, strlen(text), root, why);
	if (!ret && !*root)
		*root = json_object_new_object();
	if (!ret && !json_object_is_type(*root, json_type_object)) {
		json_object_put(*root);
		*root = NULL;
		ret = why_fail(why, -EINVAL, "it is not an object");
	}
	return ret;
}

/* Enter the object that is a member. @make: make it if it is not there */
static int enter(struct json_object **object, const char *name, bool make, char why[WHY_SIZE])
{
	struct json_object *inner;
	int ret = json_file_member(*object, "", name, json_type_object, &inner, why);

	if (!ret && !inner && make) {
		inner = json_object_new_object();
		json_object_object_add(*object, name, inner);
	}
	*object = inner;
	return ret;
}

/* Return: 1: it says something else now; 0 or as parse_json(). */
static int edit_json(struct json_object *object, const char *const *path,
		     struct json_object *value, char why[WHY_SIZE])
{
	struct json_object *old;
	int ret = 0;

	for (; !ret && object && path[1]; path++)
		ret = enter(&object, *path, value, why);
	if (ret || !object)
		return ret;
	old = json_object_object_get(object, *path);
	ret = json_file_member(object, "", *path, json_object_get_type(value ?: old), &old, why);
	if (ret || json_object_equal(old, value))
		return ret;
	if (value)
		json_object_object_add(object, *path, json_object_get(value));
	else
		json_object_object_del(object, *path);
	return 1;
}

static int set_json(char **text, const char *const *path, struct json_object *value,
		    char why[WHY_SIZE])
{
	/* Laid out by two spaces, as by jq, it stays so. */
	const int flags = JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_PRETTY |
			  JSON_C_TO_STRING_NOSLASHESCAPE |
			  (strstr(*text, "\n  ") ? 0 : JSON_C_TO_STRING_PRETTY_TAB);
	struct json_object *root;
	int ret = parse_json(*text, &root, why);

	if (!ret)
		ret = edit_json(root, path, value, why);
	if (ret > 0) {
		free(*text);
		*text = xasprintf("%s\n", json_object_to_json_string_ext(root, flags));
		ret = 0;
	}
	json_object_put(root);
	return ret;
}

const struct notation notation_json = { parse_json, set_json };

int notation_put(const struct notation *notation, char **text, const char *const *path,
		 struct json_object *value, char why[WHY_SIZE])
{
	int ret = notation->set(text, path, value, why);

	json_object_put(value);
	return ret;
}

/* --- undoing --- */

#define DEPTH	16

/**
 * struct undo - the edit that is being undone
 * @again:	it will be made again: what others have in a runtime of ours stays, and keys
 *		of no table, of which the version decides how the rest is read
 * @gone:	names of runtimes that were removed
 * @path:	to the table that is looked at, which has @depth parts
 */
struct undo {
	const struct notation *notation;
	char **text;
	bool again;
	struct strv gone;
	const char *path[DEPTH + 1];
	size_t depth;
	char *why;
};

static int put(struct undo *undo, struct json_object *value)
{
	if (undo->depth > DEPTH)
		return why_fail(undo->why, -EINVAL, "'%s' is too deep in it", undo->path[0]);
	undo->path[undo->depth] = NULL;
	return undo->notation->set(undo->text, undo->path, value, undo->why);
}

/* Enters a member of the table that is looked at; undo->depth-- is to follow. */
static void go_into(struct undo *undo, const char *name)
{
	if (undo->depth++ < DEPTH)
		undo->path[undo->depth - 1] = name;
}

/* Remove what is at the path: the keys of a table, then the table. */
static int remove_all(struct undo *undo, struct json_object *now)
{
	int ret = 0;

	if (json_object_is_type(now, json_type_object)) {
		json_object_object_foreach(now, name, value) {
			go_into(undo, name);
			ret = remove_all(undo, value);
			undo->depth--;
			if (ret)
				return ret;
		}
	}
	return put(undo, NULL);
}

/* Removes a table with all that is in it. */
int notation_remove(const struct notation *notation, char **text, const char *const *path,
		    char why[WHY_SIZE])
{
	struct undo undo = { .notation = notation, .text = text, .why = why };
	struct json_object *root;
	int ret = notation->parse(*text, &root, why);

	while (path[undo.depth])
		go_into(&undo, path[undo.depth]);
	if (!ret && toml_find(root, path))
		ret = remove_all(&undo, toml_find(root, path));
	json_object_put(root);
	return ret;
}

/* Take the elements that an edit has added out of a list. @was: NULL: there was none */
static int shorten(struct undo *undo, struct json_object *was, struct json_object *made,
		   struct json_object *now)
{
	struct json_object *left = json_object_new_array();
	size_t i;

	for (i = 0; i < json_object_array_length(now); i++) {
		struct json_object *one = json_object_array_get_idx(now, i);

		if (!array_has_equal(made, one) || array_has_equal(was, one))
			json_object_array_add(left, json_object_get(one));
	}
	undo->path[undo->depth] = NULL;
	return notation_put(undo->notation, undo->text, undo->path, left, undo->why);
}

/* Puts back what the edit has removed: a table key by key, as both notations can. */
static int restore(struct undo *undo, struct json_object *was)
{
	int ret;

	if (!json_object_is_type(was, json_type_object))
		return put(undo, was);
	json_object_object_foreach(was, name, value) {
		go_into(undo, name);
		ret = restore(undo, value);
		undo->depth--;
		if (ret)
			return ret;
	}
	return 0;
}

/* Removes a table, or its header, that the edit has made, if no key is left in it. */
static int remove_empty(struct undo *undo, struct json_object *was)
{
	const struct toml_place *place = toml_place(was);
	struct json_object *root = NULL, *table;
	int ret = undo->notation->parse(*undo->text, &root, undo->why);

	undo->path[undo->depth] = NULL;
	table = toml_find(root, undo->path);
	if (!ret && table && (was ? place && place->kind == TOML_IMPLIED && toml_is_header(table) :
			      !json_object_object_length(table)))
		ret = put(undo, NULL);
	json_object_put(root);
	return ret;
}

static int undo_table(struct undo *undo, struct json_object *was,
		      struct json_object *made, struct json_object *now);

/*
 * @was, @made, @now: the value at the path, NULL: it was not there. Tables are gone through
 * key by key: a table as a whole is nobody's, others may have keys in it.
 */
static int undo_value(struct undo *undo, struct json_object *was,
		      struct json_object *made, struct json_object *now)
{
	bool is_runtime = !undo->again && undo->depth > 1 &&
			  !strcmp(undo->path[undo->depth - 2], "runtimes");

	if (!now || json_object_equal(was, made) ||
	    (undo->again && undo->depth == 1 && !json_object_is_type(made, json_type_object)) ||
	    (is_runtime && !json_object_equal(setup_program(made), setup_program(now))))
		return 0;
	if (is_runtime && !was) {
		strv_add(&undo->gone, undo->path[undo->depth - 1]);
		return remove_all(undo, now);
	}
	if (undo->depth <= DEPTH && json_object_is_type(made, json_type_object) &&
	    json_object_is_type(now, json_type_object))
		return undo_table(undo, was, made, now);
	if (undo->depth > DEPTH || json_object_equal(now, made))
		return put(undo, was);
	return (!was || json_object_is_type(was, json_type_array)) &&
	       json_object_is_type(made, json_type_array) &&
	       json_object_is_type(now, json_type_array) ?
		       shorten(undo, was, made, now) : 0;
}

static int undo_table(struct undo *undo, struct json_object *was,
		      struct json_object *made, struct json_object *now)
{
	int ret;

	json_object_object_foreach(made, name, value) {
		go_into(undo, name);
		ret = undo_value(undo, json_object_object_get(was, name), value,
				 json_object_object_get(now, name));
		undo->depth--;
		if (ret)
			return ret;
	}
	ret = undo->depth ? remove_empty(undo, was) : 0;
	if (ret || !was)
		return ret;
	json_object_object_foreach(was, gone, old) {
		if (json_object_object_get_ex(made, gone, NULL) ||
		    json_object_object_get_ex(now, gone, NULL))
			continue;
		go_into(undo, gone);
		ret = restore(undo, old);
		undo->depth--;
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Puts back, or removes, a default that others have set to a runtime which has gone: no engine
 * starts with it.
 */
static int undo_default(struct undo *undo, struct json_object *was, struct json_object *now)
{
	int ret = 0;

	json_object_object_foreach(now, name, value) {
		struct json_object *old = toml_find(was, KEYS(name));

		go_into(undo, name);
		if (json_object_is_type(value, json_type_object))
			ret = undo_default(undo, old, value);
		else if (strstr(name, "runtime") && json_object_is_type(value, json_type_string) &&
			 strv_have(&undo->gone, json_object_get_string(value)))
			ret = put(undo, old);
		undo->depth--;
		if (ret)
			break;
	}
	return ret;
}

/*
 * Undoes an edit that made @after of @before (NULL: there was no file) in a @text that others
 * have edited since. A key that the edit has set is what it was again, where it has still the
 * value of the edit, and one that it has removed comes back. A table in a table "runtimes" goes
 * as a whole if its program is still the one of the edit, and so does a default that names it;
 * if not it stays. @again: as of struct undo. If it fails @text may be edited half.
 */
int notation_take_out(const struct notation *notation, const char *before,
		      const char *after, char **text, bool again, char why[WHY_SIZE])
{
	struct undo undo = { .notation = notation, .text = text, .again = again, .why = why };
	struct json_object *was = NULL, *made = NULL, *now = NULL;
	int ret = notation->parse(before ? before : "", &was, why);

	if (!ret)
		ret = notation->parse(after, &made, why);
	if (!ret)
		ret = notation->parse(*text, &now, why);
	if (!ret)
		ret = undo_table(&undo, was, made, now) ?: undo_default(&undo, was, now);
	strv_free(&undo.gone);
	json_object_put(was);
	json_object_put(made);
	json_object_put(now);
	return ret;
}
