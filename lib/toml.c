// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading TOML: scalars, then the keys and tables that they are in.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "lib/toml.h"
#include "lib/xalloc.h"

#define MAX_SIZE	(1 << 20)	/* containerd's default is 12 kB */
#define MAX_PARTS	32		/* parts of a key; containerd's have 8 */
#define MAX_DEPTH	32		/* nesting of values */

/**
 * struct reader - a text that is being read
 * @buffer:	as large as the text: what the string that was read last says
 * @table:	the one that lines without a header belong to
 * @part:	of a key: the last that was read
 * @parts, @depth: how deep the reader is in a key, and in values
 */
struct reader {
	const char *text, *at;
	char *buffer, *why;
	struct json_object *root, *table;
	char *part;
	unsigned int parts, depth;
};

static int refuse(struct reader *r, const char *what)
{
	size_t line = 1;
	const char *at;

	for (at = r->text; at < r->at; at++)
		line += *at == '\n';
	return why_fail(r->why, -EINVAL, "line %zu: %s", line, what);
}

static int check_text(struct reader *r, size_t len)
{
	const char *end = r->text + len;

	for (r->at = r->text; r->at < end;) {
		unsigned int c;
		int n = text_character(r->at, &c);

		if (n <= 0)
			return refuse(r, "this is not UTF-8");
		if (c == 0x7f || (c < ' ' && c != '\t' && c != '\n' &&
				  (c != '\r' || r->at[1] != '\n')))
			return refuse(r, "a control character is here");
		r->at += n;
	}
	r->at = r->text;
	return 0;
}

static char *put_utf8(char *out, uint32_t c)
{
	static const unsigned char first[] = { 0, 0xc0, 0xe0, 0xf0 };
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	*out++ = (char)(first[more] | c >> 6 * more);
	while (more--)
		*out++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return out;
}

/* \uXXXX or \UXXXXXXXX, from behind the letter. */
static int read_code(struct reader *r, size_t digits, char **out)
{
	char hex[9] = "";
	uint32_t c;

	memcpy(hex, r->at, strnlen(r->at, digits));
	if (strspn(hex, "0123456789abcdefABCDEF") != digits)
		return refuse(r, "hexadecimal digits should be here");
	c = (uint32_t)strtoul(hex, NULL, 16);
	if (!c || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return refuse(r, "there is no such character, or it is NUL");
	r->at += digits;
	*out = put_utf8(*out, c);
	return 0;
}

static int read_escape(struct reader *r, bool lines, char **out)
{
	static const char letters[] = "btnfr\"\\", meant[] = "\b\t\n\f\r\"\\";
	const char *end = r->at + strspn(r->at, " \t\r");
	char letter = *r->at;
	const char *found;

	if (lines && *end == '\n') {
		r->at = end + strspn(end, " \t\r\n");
		return 0;
	}
	found = letter ? strchr(letters, letter) : NULL;
	if (!found && letter != 'u' && letter != 'U')
		return refuse(r, "no escape in a string is written like this");
	r->at++;
	if (!found)
		return read_code(r, letter == 'u' ? 4 : 8, out);
	*(*out)++ = meant[found - letters];
	return 0;
}

/* A string of several lines may end with two more quotes, which belong to it. */
static bool end_string(struct reader *r, char quote, size_t quotes, char **out)
{
	size_t n = 0;

	while (n < (quotes == 1 ? 1 : 5) && r->at[n] == quote)
		n++;
	if (n < quotes)
		return false;
	r->at += n;
	for (; n > quotes; n--)
		*(*out)++ = quote;
	return true;
}

/* Reads a string, into @buffer. @lines: it may be one of several lines */
static int read_string(struct reader *r, bool lines)
{
	char quote = *r->at, *out = r->buffer;
	int ret = 0;

	lines = lines && r->at[1] == quote && r->at[2] == quote;
	r->at += lines ? 3 : 1;
	if (lines && r->at[0] == '\r')
		r->at++;
	if (lines && r->at[0] == '\n')
		r->at++;
	while (!ret && !end_string(r, quote, lines ? 3 : 1, &out)) {
		char c = *r->at;

		if (!c || (!lines && (c == '\n' || c == '\r')))
			return refuse(r, "a string does not end");
		r->at++;
		if (c == '\\' && quote == '"')
			ret = read_escape(r, lines, &out);
		else
			*out++ = c;
	}
	*out = '\0';
	return ret;
}

/* Reads what @pattern says, in which 'd' is a digit. */
static bool matches(const char **at, const char *pattern)
{
	const char *s = *at;

	for (; *pattern; pattern++, s++)
		if (*pattern == 'd' ? *s < '0' || *s > '9' : *s != *pattern)
			return false;
	*at = s;
	return true;
}

static bool is_time(const char *at)
{
	if (!matches(&at, "dd:dd:dd"))
		return false;
	if (matches(&at, ".d"))
		at += strspn(at, "0123456789");
	return !*at;
}

/* Takes the zone off: what follows it is not a time of any sort. */
static bool is_date(char *word)
{
	const char *at = word;
	char *zone;

	if (!matches(&at, "dddd-dd-dd"))
		return is_time(word);
	if (!*at)
		return true;
	if (!strchr("Tt ", *at))
		return false;
	zone = word + (++at - word);
	zone += strcspn(zone, "Zz+-");
	at = zone;
	if (*zone && strcmp(zone, "Z") && strcmp(zone, "z") &&
	    !((matches(&at, "+dd:dd") || matches(&at, "-dd:dd")) && !*at))
		return false;
	*zone = '\0';
	return is_time(word + 11);
}

/* Skips digits, between which one underscore may stand; NULL: there are none. */
static const char *skip_digits(const char *at, const char *digits)
{
	if (!*at || !strchr(digits, *at))
		return NULL;
	for (at++; *at; at++)
		if (!strchr(digits, *at) &&
		    !(*at == '_' && at[-1] != '_' && at[1] && strchr(digits, at[1])))
			break;
	return at;
}

static const char decimal[] = "0123456789";

/* Skips the fraction and the exponent of a number; NULL: they are not right. */
static const char *skip_fraction(const char *at)
{
	if (at && *at == '.')
		at = skip_digits(at + 1, decimal);
	if (at && (*at == 'e' || *at == 'E')) {
		at++;
		at = skip_digits(at + (*at == '+' || *at == '-'), decimal);
	}
	return at;
}

static void remove_underscores(char *word)
{
	char *out = word;

	for (; *word; word++)
		if (*word != '_')
			*out++ = *word;
	*out = '\0';
}

static int make_integer(struct reader *r, char *digits, int base, struct json_object **value)
{
	long long number;

	remove_underscores(digits);
	errno = 0;
	number = strtoll(digits, NULL, base);
	if (errno)
		return refuse(r, "a number is too large");
	*value = json_object_new_int64(number);
	return 0;
}

/* Reads a number out of @word, which it changes. */
static int read_number(struct reader *r, char *word, struct json_object **value)
{
	static const struct {
		const char *prefix, *digits;
		int base;
	} bases[] = {
		{ "0x", "0123456789abcdefABCDEF", 16 },
		{ "0o", "01234567", 8 }, { "0b", "01", 2 },
	};
	char *digits = word + (*word == '+' || *word == '-');
	const char *end;
	size_t i;

	for (i = 0; i < sizeof(bases) / sizeof(*bases); i++) {
		if (strncmp(word, bases[i].prefix, 2) != 0)
			continue;
		end = skip_digits(word + 2, bases[i].digits);
		if (end && !*end)
			return make_integer(r, word + 2, bases[i].base, value);
	}
	end = skip_digits(digits, decimal);
	if (end && *digits == '0' && end - digits > 1)
		end = NULL;
	if (end && !*end)
		return make_integer(r, word, 10, value);
	end = skip_fraction(end);
	if (!end || *end)
		return refuse(r, "this is not a value: is a string without quotes meant?");
	remove_underscores(word);
	*value = json_object_new_double(strtod(word, NULL));
	return 0;
}

/* Is it one that JSON has no word for? nan would not even be equal to itself. */
static bool is_no_number(const char *word)
{
	word += *word == '+' || *word == '-';
	return !strcmp(word, "inf") || !strcmp(word, "nan");
}

/* Up to where a value without quotes ends. */
static size_t word_length(const char *at)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_.:";
	size_t len = strspn(at, word);
	const char *date = at;

	/* A date and a time with a blank between them. */
	if (matches(&date, "dddd-dd-dd d"))
		len = 11 + strspn(at + 11, word);
	return len;
}

static int read_scalar(struct reader *r, struct json_object **value)
{
	const char *start = r->at;
	size_t len = word_length(start);
	int ret = 0;

	*value = NULL;
	if (*start == '"' || *start == '\'') {
		ret = read_string(r, true);
		if (!ret)
			*value = json_object_new_string(r->buffer);
		return ret;
	}
	if (!len)
		return refuse(r, "a value should be here");
	memcpy(r->buffer, start, len);
	r->buffer[len] = '\0';
	if (!strcmp(r->buffer, "true") || !strcmp(r->buffer, "false"))
		*value = json_object_new_boolean(*start == 't');
	else if (is_date(r->buffer) || is_no_number(r->buffer))
		*value = json_object_new_string_len(start, (int)len);
	else
		ret = read_number(r, r->buffer, value);
	if (!ret)
		r->at = start + len;
	return ret;
}

static size_t offset(const struct reader *r)
{
	return (size_t)(r->at - r->text);
}

struct toml_place *toml_place(struct json_object *value)
{
	return json_object_get_userdata(value);
}

static void free_place(struct json_object *value, void *place)
{
	(void)value;
	free(place);
}

static struct json_object *place_value(struct json_object *value, enum toml_kind kind, size_t start)
{
	struct toml_place *place = xcalloc(1, sizeof(*place));

	*place = (struct toml_place){ .kind = kind, .key = start, .start = start,
					.end = start };
	json_object_set_userdata(xcheck(value), place, free_place);
	return value;
}

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t");
}

static void skip_lines(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
	while (*r->at == '#') {
		r->at += strcspn(r->at, "\n");
		r->at += strspn(r->at, " \t\r\n");
	}
}

static bool take(struct reader *r, const char *mark)
{
	size_t len = strlen(mark);

	if (strncmp(r->at, mark, len) != 0)
		return false;
	r->at += len;
	return true;
}

static int end_line(struct reader *r)
{
	skip_blanks(r);
	if (*r->at == '#')
		r->at += strcspn(r->at, "\n");
	if (*r->at == '\r')
		r->at++;
	if (*r->at && *r->at != '\n')
		return refuse(r, "the line should end here");
	if (*r->at)
		r->at++;
	return 0;
}

static int read_part(struct reader *r)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t len;
	int ret = 0;

	skip_blanks(r);
	free(r->part);
	r->part = NULL;
	if (++r->parts > MAX_PARTS)
		return refuse(r, "a key has more than 32 parts");
	len = strspn(r->at, bare);
	if (*r->at == '"' || *r->at == '\'') {
		ret = read_string(r, false);
		if (!ret)
			r->part = xstrdup(r->buffer);
	} else if (len) {
		r->part = xstrndup(r->at, len);
		r->at += len;
	} else {
		return refuse(r, "a key should be here");
	}
	skip_blanks(r);
	return ret;
}

/* Enters a table that is a part of a key: @table becomes it; @kind: if it is new. */
static int enter(struct reader *r, struct json_object **table, enum toml_kind kind, size_t start)
{
	struct json_object *inner;
	enum toml_kind found;

	if (!json_object_object_get_ex(*table, r->part, &inner)) {
		inner = place_value(json_object_new_object(), kind, start);
		json_object_object_add(*table, r->part, inner);
		*table = inner;
		return 0;
	}
	found = toml_place(inner)->kind;
	if (found == TOML_ELEMENTS && kind == TOML_IMPLIED)
		inner = json_object_array_get_idx(inner, json_object_array_length(inner) - 1);
	else if (found == TOML_VALUE || found == TOML_ELEMENTS ||
		 (kind == TOML_DOTTED && found != TOML_DOTTED))
		return refuse(r, "the key is there already and is no table that can be added to here");
	*table = inner;
	return 0;
}

/* A dotted key up to its last part, which is in @part then. */
static int read_key(struct reader *r, struct json_object **table, enum toml_kind kind, size_t start)
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
		return refuse(r, "the key is there twice: remove one of the two");
	if (!take(r, "="))
		return refuse(r, "= should be here");
	/* The value may have keys, too, which use r->part. */
	last = r->part;
	r->part = NULL;
	ret = read_value(r, &value);
	free(r->part);
	r->part = last;
	if (ret)
		return ret;
	toml_place(value)->key = start;
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
		if (!take(r, ",") && *r->at != ']')
			return refuse(r, "a comma or ] should be here");
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
		return refuse(r, "a comma or } should be here, on the same line");
	return 0;
}

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
		ret = read_scalar(r, value);
	if (ret)
		return ret;
	*value = place_value(*value, TOML_VALUE, start);
	toml_place(*value)->is_bare = !array && !table && !strchr("\"'", r->text[start]);
	if ((array || table) && ++r->depth > MAX_DEPTH)
		ret = refuse(r, "values are nested too deeply: 32 levels are read");
	else if (array)
		ret = read_array(r, *value);
	else if (table)
		ret = read_inline_table(r, *value);
	r->depth -= array || table;
	toml_place(*value)->end = offset(r);
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
	if (toml_place(table)->kind != TOML_IMPLIED)
		return refuse(r, "a table or a key of this name is there twice: join the two");
	*toml_place(table) = (struct toml_place){ .kind = TOML_TABLE, .key = start, .start = start,
						.end = start };
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
	} else if (toml_place(array)->kind != TOML_ELEMENTS) {
		return refuse(r, "the key is there already and is no array of tables");
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
		ret = refuse(r, "the header of a table should end here");
	if (!ret)
		ret = element ? open_element(r, parent, start) : open_table(r, parent, start);
	return ret;
}

static int read_lines(struct reader *r)
{
	int ret = 0;

	for (skip_lines(r); *r->at && !ret; skip_lines(r)) {
		if (*r->at == '[')
			ret = read_header(r, offset(r));
		else
			ret = read_pair(r, r->table);
		if (!ret)
			ret = end_line(r);
		if (!ret)
			toml_place(r->table)->end = offset(r);
	}
	return ret;
}

int toml_parse(const char *text, size_t len, struct json_object **root, char why[WHY_SIZE])
{
	/* An editor of Windows puts a byte order mark in front. */
	size_t start = strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
	struct reader r = { .text = text, .at = text, .why = why };
	int ret;

	*root = NULL;
	if (len > MAX_SIZE)
		return why_fail(why, -EFBIG, "it is larger than 1 MiB");
	r.buffer = xcheck(malloc(len + 1));
	r.root = place_value(json_object_new_object(), TOML_TABLE, start);
	r.table = r.root;
	ret = check_text(&r, len);
	r.at += start;
	if (!ret)
		ret = read_lines(&r);
	free(r.part);
	free(r.buffer);
	if (ret)
		json_object_put(r.root);
	else
		*root = r.root;
	return ret;
}
