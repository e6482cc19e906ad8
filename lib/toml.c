// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading TOML: keys, tables and the values in them. A scalar is read by
 * toml_scalar.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/toml.h"
#include "lib/toml_scalar.h"
#include "lib/xalloc.h"

#define MAX_SIZE	(1 << 20)	/* containerd's default is 12 kB */
#define MAX_PARTS	32		/* parts of a key; containerd's have 8 */
#define MAX_DEPTH	32		/* nesting of values */

/**
 * struct reader - a text that is being read
 * @scan:	the text, and what is read next
 * @root:	the table of the whole text
 * @table:	the one that lines without a header belong to
 * @part:	one part of a key: the last that was read
 * @parts, @depth: how deep the reader is in a key, and in values
 */
struct reader {
	struct toml_scan scan;
	struct json_object *root, *table;
	char *part;
	unsigned int parts, depth;
};

static size_t offset(const struct reader *r)
{
	return (size_t)(r->scan.at - r->scan.text);
}

static struct toml_place *place_of(struct json_object *value)
{
	return json_object_get_userdata(value);
}

const struct toml_place *toml_place(struct json_object *value)
{
	return place_of(value);
}

static void free_place(struct json_object *value, void *place)
{
	(void)value;
	free(place);
}

/* Returns @value; the program ends if it is NULL. */
static struct json_object *place_value(struct json_object *value,
				       enum toml_kind kind, size_t start)
{
	struct toml_place *place = xcalloc(1, sizeof(*place));

	*place = (struct toml_place){ kind, start, start, start };
	json_object_set_userdata(xcheck(value), place, free_place);
	return value;
}

static void skip_blanks(struct reader *r)
{
	r->scan.at += strspn(r->scan.at, " \t");
}

/* Blanks, comments and ends of lines. */
static void skip_lines(struct reader *r)
{
	r->scan.at += strspn(r->scan.at, " \t\r\n");
	while (*r->scan.at == '#') {
		r->scan.at += strcspn(r->scan.at, "\n");
		r->scan.at += strspn(r->scan.at, " \t\r\n");
	}
}

static bool take(struct reader *r, const char *mark)
{
	size_t len = strlen(mark);

	if (strncmp(r->scan.at, mark, len) != 0)
		return false;
	r->scan.at += len;
	return true;
}

/* The end of a line, and a comment before it. */
static int end_line(struct reader *r)
{
	skip_blanks(r);
	if (*r->scan.at == '#')
		r->scan.at += strcspn(r->scan.at, "\n");
	if (*r->scan.at == '\r')
		r->scan.at++;
	if (*r->scan.at && *r->scan.at != '\n')
		return toml_refuse(&r->scan, "the line should end here");
	if (*r->scan.at)
		r->scan.at++;
	return 0;
}

/* Reads one part of a key, into @part. */
static int read_part(struct reader *r)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t len;
	int ret = 0;

	skip_blanks(r);
	free(r->part);
	r->part = NULL;
	if (++r->parts > MAX_PARTS)
		return toml_refuse(&r->scan, "a key has more than 32 parts");
	len = strspn(r->scan.at, bare);
	if (*r->scan.at == '"' || *r->scan.at == '\'') {
		ret = toml_scan_string(&r->scan, false);
		if (!ret)
			r->part = xstrdup(r->scan.buffer);
	} else if (len) {
		r->part = xstrndup(r->scan.at, len);
		r->scan.at += len;
	} else {
		return toml_refuse(&r->scan, "a key should be here");
	}
	skip_blanks(r);
	return ret;
}

/* Enters a table that is a part of a key: @table becomes it; @kind: if it is new. */
static int enter(struct reader *r, struct json_object **table,
		 enum toml_kind kind, size_t start)
{
	struct json_object *inner;
	enum toml_kind found;

	if (!json_object_object_get_ex(*table, r->part, &inner)) {
		inner = place_value(json_object_new_object(), kind, start);
		json_object_object_add(*table, r->part, inner);
		*table = inner;
		return 0;
	}
	found = place_of(inner)->kind;
	if (found == TOML_ELEMENTS && kind == TOML_IMPLIED)
		inner = json_object_array_get_idx(inner,
						  json_object_array_length(inner) - 1);
	else if (found == TOML_VALUE || found == TOML_ELEMENTS ||
		 (kind == TOML_DOTTED && found != TOML_DOTTED))
		return toml_refuse(&r->scan, "the key is there already and is no table that can be added to here");
	*table = inner;
	return 0;
}

/* A dotted key up to its last part, which is in @part then. */
static int read_key(struct reader *r, struct json_object **table,
		    enum toml_kind kind, size_t start)
{
	int ret;

	r->parts = 0;
	ret = read_part(r);
	while (!ret && take(r, ".")) {
		ret = enter(r, table, kind, start);
		if (!ret)
			ret = read_part(r);
	}
	return ret;
}

static int read_value(struct reader *r, struct json_object **value);

/* "key = value", into @table. */
static int read_pair(struct reader *r, struct json_object *table)
{
	size_t start = offset(r);
	struct json_object *value = NULL;
	char *last;
	int ret = read_key(r, &table, TOML_DOTTED, start);

	if (ret)
		return ret;
	if (json_object_object_get_ex(table, r->part, NULL))
		return toml_refuse(&r->scan, "the key is there twice: remove one of the two");
	if (!take(r, "="))
		return toml_refuse(&r->scan, "= should be here");
	/* The value may have keys, too, which use r->part. */
	last = r->part;
	r->part = NULL;
	ret = read_value(r, &value);
	free(r->part);
	r->part = last;
	if (ret)
		return ret;
	place_of(value)->key = start;
	json_object_object_add(table, r->part, value);
	return 0;
}

static int read_array(struct reader *r, struct json_object *array)
{
	for (skip_lines(r); !take(r, "]"); skip_lines(r)) {
		struct json_object *value;
		int ret = read_value(r, &value);

		if (ret)
			return ret;
		json_object_array_add(array, value);
		skip_lines(r);
		if (!take(r, ",") && *r->scan.at != ']')
			return toml_refuse(&r->scan, "a comma or ] should be here");
	}
	return 0;
}

static int read_inline_table(struct reader *r, struct json_object *table)
{
	skip_blanks(r);
	if (take(r, "}"))
		return 0;
	do {
		int ret;

		skip_blanks(r);
		ret = read_pair(r, table);
		if (ret)
			return ret;
		skip_blanks(r);
	} while (take(r, ","));
	if (!take(r, "}"))
		return toml_refuse(&r->scan, "a comma or } should be here, on the same line");
	return 0;
}

/* @value receives it, NULL if it fails. */
static int read_value(struct reader *r, struct json_object **value)
{
	size_t start;
	bool array, table;
	int ret = 0;

	*value = NULL;
	skip_blanks(r);
	start = offset(r);
	array = take(r, "[");
	table = !array && take(r, "{");
	if (array)
		*value = json_object_new_array();
	else if (table)
		*value = json_object_new_object();
	else
		ret = toml_scan_scalar(&r->scan, value);
	if (ret)
		return ret;
	*value = place_value(*value, TOML_VALUE, start);
	if ((array || table) && ++r->depth > MAX_DEPTH)
		ret = toml_refuse(&r->scan, "values are nested too deeply: 32 levels are read");
	else if (array)
		ret = read_array(r, *value);
	else if (table)
		ret = read_inline_table(r, *value);
	r->depth -= array || table;
	place_of(*value)->end = offset(r);
	if (ret) {
		json_object_put(*value);
		*value = NULL;
	}
	return ret;
}

/* The table that [@part] in @parent is. */
static int open_table(struct reader *r, struct json_object *parent, size_t start)
{
	struct json_object *table;

	if (!json_object_object_get_ex(parent, r->part, &table)) {
		r->table = place_value(json_object_new_object(), TOML_TABLE, start);
		json_object_object_add(parent, r->part, r->table);
		return 0;
	}
	if (place_of(table)->kind != TOML_IMPLIED)
		return toml_refuse(&r->scan, "a table or a key of this name is there twice: join the two");
	*place_of(table) = (struct toml_place){ TOML_TABLE, start, start, start };
	r->table = table;
	return 0;
}

/* The table that [[@part]] in @parent adds. */
static int open_element(struct reader *r, struct json_object *parent, size_t start)
{
	struct json_object *array;

	if (!json_object_object_get_ex(parent, r->part, &array)) {
		array = place_value(json_object_new_array(), TOML_ELEMENTS, start);
		json_object_object_add(parent, r->part, array);
	} else if (place_of(array)->kind != TOML_ELEMENTS) {
		return toml_refuse(&r->scan, "the key is there already and is no array of tables");
	}
	r->table = place_value(json_object_new_object(), TOML_ELEMENT, start);
	json_object_array_add(array, r->table);
	return 0;
}

static int read_header(struct reader *r, size_t start)
{
	struct json_object *parent = r->root;
	bool element = take(r, "[[");
	int ret;

	if (!element)
		take(r, "[");
	ret = read_key(r, &parent, TOML_IMPLIED, start);
	if (!ret && !take(r, element ? "]]" : "]"))
		ret = toml_refuse(&r->scan, "the header of a table should end here");
	if (!ret)
		ret = element ? open_element(r, parent, start) :
				open_table(r, parent, start);
	return ret;
}

/* Headers and pairs, and what is between them. */
static int read_lines(struct reader *r)
{
	int ret = 0;

	for (skip_lines(r); *r->scan.at && !ret; skip_lines(r)) {
		if (*r->scan.at == '[')
			ret = read_header(r, offset(r));
		else
			ret = read_pair(r, r->table);
		if (!ret)
			ret = end_line(r);
		if (!ret)
			place_of(r->table)->end = offset(r);
	}
	return ret;
}

int toml_parse(const char *text, size_t len, struct json_object **root,
	       char why[WHY_SIZE])
{
	/* An editor of Windows puts a byte order mark in front. */
	size_t start = strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
	struct reader r = { .scan = { .text = text, .at = text, .why = why } };
	int ret;

	*root = NULL;
	if (len > MAX_SIZE)
		return why_fail(why, -EFBIG, "it is larger than 1 MiB");
	r.scan.buffer = xcheck(malloc(len + 1));
	r.root = place_value(json_object_new_object(), TOML_TABLE, start);
	r.table = r.root;
	ret = toml_scan_check(&r.scan, len);
	r.scan.at += start;
	if (!ret)
		ret = read_lines(&r);
	free(r.part);
	free(r.scan.buffer);
	if (ret)
		json_object_put(r.root);
	else
		*root = r.root;
	return ret;
}
