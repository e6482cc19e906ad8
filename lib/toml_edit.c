// SPDX-License-Identifier: GPL-2.0-only
/*
 * Editing TOML: see toml_edit.h. After each edit the new text is read again, and has to
 * say what the old one said but for the one value.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/toml.h"
#include "lib/toml_edit.h"
#include "lib/xalloc.h"

#define DEPTH	16	/* parts of a path; containerd's have 8 */

/* How far a path leads. */
struct place_found {
	struct json_object *table[DEPTH + 1];	/* on the way, the whole text first */
	size_t depth;				/* how many parts of the path are there */
	struct json_object *value;		/* NULL: the last is not */
};

struct json_object *toml_find(struct json_object *root, const char *const *path)
{
	for (; *path && root; path++)
		if (!json_object_is_type(root, json_type_object) ||
		    !json_object_object_get_ex(root, *path, &root))
			return NULL;
	return root;
}

/* Parts of a path as a header or a key has them: plugins."io.containerd".x */
static void print_path(FILE *to, const char *const *path)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *const *part;

	for (part = path; *part; part++) {
		bool is_bare = **part && !(*part)[strspn(*part, bare)];

		fprintf(to, "%s%s%s%s", part > path ? "." : "",
			is_bare ? "" : "\"", *part, is_bare ? "" : "\"");
	}
}

static void print_string(FILE *to, const char *text)
{
	fputc('"', to);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(to, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			fprintf(to, "\\u%04x", (unsigned int)*text);
		else
			fputc(*text, to);
	}
	fputc('"', to);
}

static void print_value(FILE *to, struct json_object *value)
{
	const struct toml_place *place = toml_place(value);
	size_t i;

	if (place && place->is_bare) {
		fputs(json_object_get_string(value), to);
	} else if (json_object_is_type(value, json_type_string)) {
		print_string(to, json_object_get_string(value));
	} else if (json_object_is_type(value, json_type_array)) {
		fputc('[', to);
		for (i = 0; i < json_object_array_length(value); i++) {
			fputs(i ? ", " : "", to);
			print_value(to, json_object_array_get_idx(value, i));
		}
		fputc(']', to);
	} else {
		fputs(json_object_to_json_string(value), to);
	}
}

static int follow(struct place_found *found, struct json_object *root,
		  const char *const *path, char why[WHY_SIZE])
{
	struct json_object *next = root;

	*found = (struct place_found){ .table = { root } };
	for (; path[found->depth]; found->depth++) {
		if (found->depth == DEPTH)
			return why_fail(why, -EINVAL, "'%s' is too deep in it", path[found->depth]);
		if (!json_object_is_type(next, json_type_object))
			return why_fail(why, -EINVAL, "'%s' is not a table in it",
					path[found->depth - 1]);
		found->table[found->depth] = next;
		if (!json_object_object_get_ex(next, path[found->depth], &next))
			return 0;
	}
	found->value = next;
	return 0;
}

/* Returns the length of the indentation of a table's keys, as its last one has it. */
static size_t indentation(const char *text, struct json_object *table)
{
	size_t key = toml_place(table)->start, line;
	bool has_key = false;

	json_object_object_foreach(table, name, value) {
		const struct toml_place *place = toml_place(value);

		(void)name;
		if (place->kind == TOML_VALUE && (!has_key || place->key > key)) {
			key = place->key;
			has_key = true;
		}
	}
	for (line = key; line && text[line - 1] != '\n'; line--)
		;
	return strspn(text + line, " \t");
}

/* "key = value" in a line at the end of a table. */
static void print_line(FILE *to, const char *text, struct json_object *table,
		       const char *const *key, struct json_object *value)
{
	size_t end = toml_place(table)->end;

	fwrite(text, 1, end, to);
	if (end && text[end - 1] != '\n')
		fputc('\n', to);
	fprintf(to, "%*s", (int)indentation(text, table), "");
	print_path(to, key);
	fputs(" = ", to);
	print_value(to, value);
	fprintf(to, "\n%s", text + end);
}

/* "key = value" between the braces of an inline table. */
static void print_inline(FILE *to, const char *text, struct json_object *table,
			 const char *const *key, struct json_object *value)
{
	size_t end = toml_place(table)->end - 1;

	while (text[end - 1] == ' ' || text[end - 1] == '\t')
		end--;
	fwrite(text, 1, end, to);
	fputs(json_object_object_length(table) ? ", " : " ", to);
	print_path(to, key);
	fputs(" = ", to);
	print_value(to, value);
	fprintf(to, "%s%s", json_object_object_length(table) ? "" : " ", text + end);
}

/* A table of its own, at the end. */
static int print_table(FILE *to, const char *text, const char *const *path,
		       struct json_object *value)
{
	const char *table[DEPTH + 1] = { NULL };
	size_t i, len = strlen(text);

	for (i = 0; path[i + 1]; i++) {
		if (i == DEPTH)
			return -EINVAL;
		table[i] = path[i];
	}
	fputs(text, to);
	if (len && text[len - 1] != '\n')
		fputc('\n', to);
	fprintf(to, "%s[", len ? "\n" : "");
	print_path(to, table);
	fputs("]\n", to);
	print_path(to, path + i);
	fputs(" = ", to);
	print_value(to, value);
	fputc('\n', to);
	return 0;
}

static int print_new(FILE *to, const char *text, const char *const *path,
		     const struct place_found *found, struct json_object *value)
{
	size_t depth = found->depth;
	enum toml_kind kind = toml_place(found->table[depth])->kind;

	/* A table that dotted keys name is extended by another of them. */
	if (kind == TOML_DOTTED) {
		while (depth && toml_place(found->table[depth])->kind == TOML_DOTTED)
			depth--;
		kind = toml_place(found->table[depth])->kind;
	} else if (kind == TOML_IMPLIED || (kind != TOML_VALUE && path[depth + 1])) {
		return print_table(to, text, path, value);
	}
	if (kind == TOML_VALUE)
		print_inline(to, text, found->table[depth], path + depth, value);
	else if (kind == TOML_TABLE)
		print_line(to, text, found->table[depth], path + depth, value);
	return kind == TOML_VALUE || kind == TOML_TABLE ? 0 : -EINVAL;
}

static int print_edited(FILE *to, const char *text, const char *const *path,
			const struct place_found *found, struct json_object *value)
{
	const struct toml_place *place;

	if (!found->value)
		return print_new(to, text, path, found, value);
	place = toml_place(found->value);
	if (place->kind != TOML_VALUE)
		return -EINVAL;
	fwrite(text, 1, place->start, to);
	print_value(to, value);
	fputs(text + place->end, to);
	return 0;
}

bool toml_is_header(struct json_object *table)
{
	if (!json_object_is_type(table, json_type_object) || toml_place(table)->kind != TOML_TABLE)
		return false;
	json_object_object_foreach(table, name, value) {
		enum toml_kind kind = toml_place(value)->kind;

		(void)name;
		if (kind == TOML_VALUE || kind == TOML_DOTTED)
			return false;
	}
	return true;
}

/* A pair between the braces of an inline table, with the comma before it, or else behind it. */
static void print_without(FILE *to, const char *text, const struct toml_place *place)
{
	size_t from = place->key, end = place->end;

	while (text[from - 1] == ' ' || text[from - 1] == '\t')
		from--;
	if (text[from - 1] == ',') {
		from--;
	} else {
		end += strspn(text + end, " \t");
		end += text[end] == ',';
	}
	fwrite(text, 1, from, to);
	fputs(text + end, to);
}

/* The line that a key has to itself, or the header of a table that has no key. */
static int print_removed(FILE *to, const char *text, const struct place_found *found)
{
	const struct toml_place *place = toml_place(found->value);
	bool is_header = toml_is_header(found->value), is_inline = false;
	size_t line = place->key, end = place->end, i;

	if (!is_header && place->kind != TOML_VALUE)
		return -EINVAL;
	for (i = 0; i < found->depth; i++)
		is_inline |= toml_place(found->table[i])->kind == TOML_VALUE;
	if (is_inline) {
		print_without(to, text, place);
		return 0;
	}
	while (line && text[line - 1] != '\n')
		line--;
	if (is_header && line > 1 && text[line - 2] == '\n')
		line--;	/* the empty line before it */
	if (!is_header)
		end += strcspn(text + end, "\n");
	fwrite(text, 1, line, to);
	text += end;
	fputs(!is_header && *text ? text + 1 : text, to);
	return 0;
}

static void edit_tree(const struct place_found *found, const char *const *path,
		      struct json_object *value)
{
	size_t depth = found->depth - (found->value ? 1 : 0);
	struct json_object *table = found->table[depth];

	if (!value) {
		if (toml_is_header(found->value) && json_object_object_length(found->value))
			return;	/* the tables in it name it */
		json_object_object_del(table, path[depth]);
		/* A table that only its keys, or tables, named is gone with the last. */
		for (; depth && !json_object_object_length(found->table[depth]) &&
		     toml_place(found->table[depth])->kind != TOML_TABLE &&
		     toml_place(found->table[depth])->kind != TOML_VALUE; depth--)
			json_object_object_del(found->table[depth - 1], path[depth - 1]);
		return;
	}
	for (; path[depth + 1]; depth++) {
		struct json_object *inner = xcheck(json_object_new_object());

		json_object_object_add(table, path[depth], inner);
		table = inner;
	}
	json_object_object_add(table, path[depth], json_object_get(value));
}

static int check_edited(const char *text, size_t len, struct json_object *want, char why[WHY_SIZE])
{
	struct json_object *root = NULL;
	int ret = toml_parse(text, len, &root, why);

	if (!ret && !json_object_equal(root, want))
		ret = why_fail(why, -EINVAL, "it cannot be edited without changing other lines of it: edit it by hand");
	json_object_put(root);
	return ret;
}

static int fail_edit(const char *const *path, char why[WHY_SIZE])
{
	char name[256] = "";
	FILE *to = fmemopen(name, sizeof(name) - 1, "w");

	if (to) {
		print_path(to, path);
		fclose(to);
	}
	return why_fail(why, -EINVAL, "%s is a table in it, or in a list of tables: edit it by hand",
			name);
}

/* @value: NULL: remove the key */
static int edit(char **text, const char *const *path, struct json_object *value,
		struct json_object *root, char why[WHY_SIZE])
{
	struct place_found found;
	char *edited = NULL;
	size_t len = 0;
	FILE *to;
	int ret = follow(&found, root, path, why);

	if (ret || (value ? found.value && json_object_equal(found.value, value) : !found.value))
		return ret;
	to = xcheck(open_memstream(&edited, &len));
	ret = value ? print_edited(to, *text, path, &found, value) :
		      print_removed(to, *text, &found);
	xcheck(fclose(to) ? NULL : edited);
	if (ret) {
		ret = fail_edit(path, why);
	} else {
		edit_tree(&found, path, value);
		ret = check_edited(edited, len, root, why);
	}
	if (ret) {
		free(edited);
		return ret;
	}
	free(*text);
	*text = edited;
	return 0;
}

int toml_set(char **text, const char *const *path, struct json_object *value, char why[WHY_SIZE])
{
	struct json_object *root = NULL;
	int ret = toml_parse(*text, strlen(*text), &root, why);

	if (!ret)
		ret = edit(text, path, value, root, why);
	json_object_put(root);
	return ret;
}
