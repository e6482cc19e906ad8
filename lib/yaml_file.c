// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading and writing YAML by libyaml, whose events are taken one by one: its own
 * tree of a document would follow aliases without an end.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "lib/xalloc.h"
#include "lib/json.h"
#include "lib/yaml_file.h"

#define MAX_DEPTH	128	/* the limit of json_file_parse() */
#define MAX_COPIED	100000	/* values that aliases stand for, in all */

#define TAG	"tag:yaml.org,2002:"

/*
 * Tags by which a scalar is read as if it had no quotes, and what it must be then; any other makes
 * a string of it, but !!binary, which stands for another string.
 */
static const struct {
	const char *name;
	enum json_type type;
} tags[] = {
	{ TAG "int", json_type_int }, { TAG "float", json_type_double },
	{ TAG "bool", json_type_boolean }, { TAG "null", json_type_null },
	{ TAG "binary", json_type_object },
};

/* Words that readers of YAML 1.1 or 1.2 take for something else than a string. */
static const char *const no_strings[] = {
	"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n",
	".nan", ".inf", "+.inf", "-.inf", "<<", "=",
};

/* A value that has a name in the text, for aliases. */
struct anchor {
	char *name;
	struct json_object *value;
};

struct reader {
	yaml_parser_t parser;
	yaml_event_t event;	/* comes next */
	int depth;
	struct anchor *anchors;
	size_t n_anchors;
	size_t copied;		/* values that aliases have stood for */
	char *why;
};

static int refuse(struct reader *r, const char *what)
{
	return why_fail(r->why, -EINVAL, "line %zu: %s", r->event.start_mark.line + 1, what);
}

static int next(struct reader *r)
{
	yaml_event_delete(&r->event);
	if (yaml_parser_parse(&r->parser, &r->event))
		return 0;
	xcheck(r->parser.error == YAML_MEMORY_ERROR ? NULL : r);
	return why_fail(r->why, -EINVAL, "line %zu: this is not YAML: %s",
			r->parser.problem_mark.line + 1,
			r->parser.problem ? r->parser.problem : "it cannot be read");
}

static bool is_word(const char *text, const char *a, const char *b, const char *c)
{
	return !strcmp(text, a) || !strcmp(text, b) || !strcmp(text, c);
}

/* Reads the words that YAML 1.1 and Go's readers take for a truth value. */
static bool read_truth(const char *text, struct json_object **value)
{
	bool yes = is_word(text, "true", "True", "TRUE") || is_word(text, "yes", "Yes", "YES") ||
		   is_word(text, "on", "On", "ON") || is_word(text, "y", "Y", "Y");
	bool no = is_word(text, "false", "False", "FALSE") || is_word(text, "no", "No", "NO") ||
		  is_word(text, "off", "Off", "OFF") || is_word(text, "n", "N", "N");

	if (yes || no)
		*value = json_object_new_boolean(yes);
	return yes || no;
}

/* Decimal, 0x1f, 0o17, 0b11, and 017, as YAML 1.1 and Go's readers have it. */
static bool read_whole(const char *text, struct json_object **value)
{
	const char *digits = text + (*text == '-' || *text == '+');
	int base = 10;
	char *end;

	if (*digits == '0' && digits[1] && strchr("xXoObB", digits[1])) {
		base = strchr("xX", digits[1]) ? 16 : strchr("oO", digits[1]) ? 8 : 2;
		digits += 2;
	} else if (*digits == '0' && digits[1]) {
		base = 8;
	}
	if (!*digits || digits[strspn(digits, "0123456789abcdefABCDEF")])
		return false;
	errno = 0;
	if (*text == '-')
		*value = json_object_new_int64(-strtoll(digits, &end, base));
	else
		*value = json_object_new_uint64(strtoull(digits, &end, base));
	if (!*end && !errno)
		return true;
	json_object_put(*value);
	*value = NULL;
	return false;
}

static bool read_fraction(const char *text, struct json_object **value)
{
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;
	double number;

	if (!isdigit((unsigned char)*digits) &&
	    !(*digits == '.' && isdigit((unsigned char)digits[1])))
		return false;
	if (strspn(text, "+-.0123456789eE") != strlen(text))
		return false;
	number = strtod(text, &end);
	if (*end || !isfinite(number))
		return false;
	*value = json_object_new_double(number);
	return true;
}

static int read_scalar(struct reader *r, struct json_object **value)
{
	const char *text = (const char *)r->event.data.scalar.value, *c;
	const char *tag = (const char *)r->event.data.scalar.tag;
	char number[128] = "", *end = number;
	size_t len = r->event.data.scalar.length, i = 0, n = sizeof(tags) / sizeof(*tags);

	/* 1_000 is a number, wherever these are. */
	if (len < sizeof(number) && (isdigit((unsigned char)*text) || *text == '+' || *text == '-'))
		for (c = text; *c; c++)
			if (*c != '_')
				*end++ = *c;

	while (tag && i < n && strcmp(tags[i].name, tag) != 0)
		i++;
	if (tag ? i == n : r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		*value = xcheck(json_object_new_string_len(text, (int)len));
	else if (!is_word(text, "null", "Null", "NULL") && !is_word(text, "~", "", "~") &&
		 !read_truth(text, value) && !read_whole(number, value) &&
		 !read_fraction(*number ? number : text, value))
		*value = xcheck(json_object_new_string_len(text, (int)len));
	if (tag && i < n && !json_object_is_type(*value, tags[i].type) &&
	    (tags[i].type != json_type_double || !json_object_is_type(*value, json_type_int)))
		return refuse(r, "this does not fit its tag, or that is !!binary, which is not read: write it without");
	return next(r);
}

static int read_value(struct reader *r, struct json_object **value);

static int read_sequence(struct reader *r, struct json_object *array)
{
	int ret = next(r);

	while (!ret && r->event.type != YAML_SEQUENCE_END_EVENT) {
		struct json_object *element = NULL;

		ret = read_value(r, &element);
		json_object_array_add(array, element);
	}
	return ret ? ret : next(r);
}

/* Adds the members of what "<<" names: an object, or some of them. */
static int merge(struct reader *r, struct json_object *object, struct json_object *value)
{
	size_t i, n = array_length(value);
	int ret = 0;

	for (i = 0; i < n && !ret; i++)
		ret = merge(r, object, json_object_array_get_idx(value, i));
	if (ret || n)
		return ret;
	if (!json_object_is_type(value, json_type_object))
		return refuse(r, "behind << should be an object");
	json_object_object_foreach(value, name, member) {
		if (json_object_object_get_ex(object, name, NULL))
			return refuse(r, "a name that << brings is there twice: remove one of the two");
		json_object_object_add(object, name, json_object_get(member));
	}
	return 0;
}

static int read_merge(struct reader *r, struct json_object *object)
{
	struct json_object *value = NULL;
	int ret = next(r) ?: read_value(r, &value) ?: merge(r, object, value);

	json_object_put(value);
	return ret;
}

static int read_member(struct reader *r, struct json_object *object)
{
	struct json_object *value = NULL;
	char *name;
	int ret;

	if (r->event.type != YAML_SCALAR_EVENT)
		return refuse(r, "a name should be here");
	if (strlen((char *)r->event.data.scalar.value) != r->event.data.scalar.length)
		return refuse(r, "a name has a NUL character: remove it");
	if (r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    !strcmp((char *)r->event.data.scalar.value, "<<"))
		return read_merge(r, object);
	if (json_object_object_get_ex(object, (char *)r->event.data.scalar.value, NULL))
		return refuse(r, "this name is there twice: remove one of the two");
	name = xstrdup((char *)r->event.data.scalar.value);
	ret = next(r);
	if (!ret)
		ret = read_value(r, &value);
	json_object_object_add(object, name, value);
	free(name);
	return ret;
}

static int read_mapping(struct reader *r, struct json_object *object)
{
	int ret = next(r);

	while (!ret && r->event.type != YAML_MAPPING_END_EVENT)
		ret = read_member(r, object);
	return ret ? ret : next(r);
}

/* Counts the values that a copy makes; more than MAX_COPIED: it is nested too deeply. */
static size_t count(struct json_object *value, int depth)
{
	size_t i, n = 1;

	if (depth > MAX_DEPTH)
		return MAX_COPIED + 1;
	if (json_object_is_type(value, json_type_array))
		for (i = 0; i < json_object_array_length(value) && n <= MAX_COPIED; i++)
			n += count(json_object_array_get_idx(value, i), depth + 1);
	if (!json_object_is_type(value, json_type_object))
		return n;
	json_object_object_foreach(value, name, member) {
		(void)name;
		n += n <= MAX_COPIED ? count(member, depth + 1) : 0;
	}
	return n;
}

/* A small text becomes a large value by aliases of what has aliases. */
static int read_alias(struct reader *r, const char *name, struct json_object **value)
{
	size_t i = r->n_anchors;

	while (i && strcmp(r->anchors[i - 1].name, name) != 0)
		i--;
	if (!i)
		return refuse(r, "an alias of what is not there, or not at its end");
	r->copied += count(r->anchors[i - 1].value, r->depth);
	if (r->copied > MAX_COPIED)
		return refuse(r, "aliases stand for too much: 100000 values are read");
	if (r->anchors[i - 1].value)
		json_object_deep_copy(r->anchors[i - 1].value, value, NULL);
	return next(r);
}

static int read_unnamed(struct reader *r, struct json_object **value)
{
	bool mapping = r->event.type == YAML_MAPPING_START_EVENT;
	int ret;

	if (r->event.type == YAML_SCALAR_EVENT)
		return read_scalar(r, value);
	if (!mapping && r->event.type != YAML_SEQUENCE_START_EVENT)
		return refuse(r, "a value should be here");
	if (++r->depth > MAX_DEPTH)
		return refuse(r, "nested too deeply: 128 levels are read");
	*value = xcheck(mapping ? json_object_new_object() : json_object_new_array());
	ret = mapping ? read_mapping(r, *value) : read_sequence(r, *value);
	r->depth--;
	return ret;
}

static int read_value(struct reader *r, struct json_object **value)
{
	/* Each event that a value begins with has its anchor there. */
	const char *anchor = (const char *)r->event.data.alias.anchor;
	char *name;
	int ret;

	if (r->event.type == YAML_ALIAS_EVENT)
		return read_alias(r, anchor, value);
	name = anchor ? xstrdup(anchor) : NULL;
	ret = read_unnamed(r, value);
	if (ret || !name) {
		free(name);
		return ret;
	}
	r->anchors = xreallocarray(r->anchors, r->n_anchors + 1, sizeof(*r->anchors));
	r->anchors[r->n_anchors++] = (struct anchor){ name, json_object_get(*value) };
	return 0;
}

/* Reads the first document of a file: engines that read CDI look at no other. */
static int read_stream(struct reader *r, struct json_object **root)
{
	/* The start of the stream, and of a document. */
	int ret = next(r) ?: next(r);

	if (!ret && r->event.type == YAML_STREAM_END_EVENT)
		return refuse(r, "there is no document in it");
	return ret ?: next(r) ?: read_value(r, root);
}

int yaml_file_parse(const char *text, size_t len, struct json_object **root, char why[WHY_SIZE])
{
	struct reader r = { .why = why };
	size_t i;
	int ret;

	*root = NULL;
	xcheck(yaml_parser_initialize(&r.parser) ? &r : NULL);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	ret = read_stream(&r, root);
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	for (i = 0; i < r.n_anchors; i++) {
		free(r.anchors[i].name);
		json_object_put(r.anchors[i].value);
	}
	free(r.anchors);
	if (ret) {
		json_object_put(*root);
		*root = NULL;
	}
	return ret;
}

int yaml_file_parse_either(const char *text, size_t len, struct json_object **root,
			   char why[WHY_SIZE])
{
	char reason[WHY_SIZE];
	int ret = json_file_parse(text, len, root, why);

	/* An error of a text that begins like JSON is that of JSON. */
	if (!ret || (!yaml_file_parse(text, len, root, reason)))
		return 0;
	return text[strspn(text, " \t\r\n")] == '{' ? ret : why_fail(why, ret, "%s", reason);
}

int yaml_file_read(const char *path, struct json_file *document, char why[WHY_SIZE])
{
	return json_file_read_by(path, document, yaml_file_parse_either, why);
}

/* Numbers and dates begin with a digit, a sign or a point. */
static bool is_doubtful(const char *text)
{
	size_t i;

	if (strchr("+-.0123456789", *text))
		return true;
	for (i = 0; i < sizeof(no_strings) / sizeof(*no_strings); i++)
		if (!strcasecmp(text, no_strings[i]))
			return true;
	return false;
}

/* @made: 0: there was no memory for the event. */
static void emit(yaml_emitter_t *emitter, yaml_event_t *event, int made)
{
	xcheck(made && yaml_emitter_emit(emitter, event) ? emitter : NULL);
}

static void emit_scalar(yaml_emitter_t *emitter, const char *text, size_t len, bool is_string)
{
	yaml_event_t event;

	emit(emitter, &event,
	     yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text, (int)len,
					  true, true, is_string && is_doubtful(text) ?
					  YAML_DOUBLE_QUOTED_SCALAR_STYLE :
					  YAML_ANY_SCALAR_STYLE));
}

static void emit_value(yaml_emitter_t *emitter, struct json_object *value)
{
	const char *text = json_object_get_string(value);
	yaml_event_t event;
	size_t i;

	switch (json_object_get_type(value)) {
	case json_type_object:
		emit(emitter, &event,
		     yaml_mapping_start_event_initialize(&event, NULL, NULL, true,
							 YAML_BLOCK_MAPPING_STYLE));
		json_object_object_foreach(value, name, member) {
			emit_scalar(emitter, name, strlen(name), true);
			emit_value(emitter, member);
		}
		emit(emitter, &event, yaml_mapping_end_event_initialize(&event));
		break;
	case json_type_array:
		emit(emitter, &event,
		     yaml_sequence_start_event_initialize(&event, NULL, NULL, true,
							  YAML_BLOCK_SEQUENCE_STYLE));
		for (i = 0; i < json_object_array_length(value); i++)
			emit_value(emitter, json_object_array_get_idx(value, i));
		emit(emitter, &event, yaml_sequence_end_event_initialize(&event));
		break;
	case json_type_string:
		emit_scalar(emitter, text, (size_t)json_object_get_string_len(value), true);
		break;
	default:
		text = text ? text : "null";
		emit_scalar(emitter, text, strlen(text), false);
	}
}

static void emit_document(yaml_emitter_t *emitter, struct json_object *root)
{
	yaml_event_t event;

	emit(emitter, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	emit(emitter, &event,
	     yaml_document_start_event_initialize(&event, NULL, NULL, NULL, true));
	emit_value(emitter, root);
	emit(emitter, &event, yaml_document_end_event_initialize(&event, true));
	emit(emitter, &event, yaml_stream_end_event_initialize(&event));
}

static int append(void *stream, unsigned char *bytes, size_t n)
{
	return fwrite(bytes, 1, n, stream) == n;
}

char *yaml_file_text(struct json_object *root)
{
	yaml_emitter_t emitter;
	char *text = NULL;
	size_t len = 0;
	FILE *stream = xcheck(open_memstream(&text, &len));

	xcheck(yaml_emitter_initialize(&emitter) ? stream : NULL);
	yaml_emitter_set_output(&emitter, append, stream);
	yaml_emitter_set_width(&emitter, -1);
	yaml_emitter_set_unicode(&emitter, true);
	emit_document(&emitter, root);
	yaml_emitter_delete(&emitter);
	xcheck(fclose(stream) ? NULL : text);
	/* The caller's line ends by itself. */
	if (len && text[len - 1] == '\n')
		text[len - 1] = '\0';
	return text;
}
