// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading documents of mpu doctor: see fleet_read.h.
 */
#include <errno.h>
#include <string.h>

#include "cli/fleet_read.h"
#include "lib/json.h"

#define BLANKS	" \t\r\n"

/**
 * struct source - a file that documents are cut out of
 * @start:	where the next document is in @buffer, that ends at @end
 * @line:	of the file, which stands at @start
 * @documents:	so far, whether or not they could be read
 * @bad:	those that could not
 * @why:	the first of these
 */
struct source {
	FILE *file;
	struct json_tokener *tokener;
	char *buffer;
	size_t start;
	size_t end;
	size_t line;
	size_t documents;
	size_t bad;
	char why[WHY_SIZE];
};

static void refuse(struct source *source, const char *why)
{
	if (source->bad++)
		return;
	if (source->line > 1)
		why_fail(source->why, 0, "document from line %zu on: %.1024s",
			 source->line, why);
	else
		why_fail(source->why, 0, "%s", why);
}

static size_t count_lines(const char *text, size_t len)
{
	const char *end = text + len;
	size_t lines = 0;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		text++;
		lines++;
	}
	return lines;
}

/*
 * By json-c alone: document_parse() reads files that are written again, refuses what
 * does not matter here, and takes three times as long.
 */
static int parse(struct json_tokener *tokener, const char *text, size_t len,
		 struct json_object **root, size_t *end, char why[WHY_SIZE])
{
	enum json_tokener_error error;

	json_tokener_reset(tokener);
	*root = json_tokener_parse_ex(tokener, text, (int)len + 1);
	error = json_tokener_get_error(tokener);
	*end = json_tokener_get_parse_end(tokener);
	if (error)
		return why_fail(why, -EINVAL, "line %zu: %s",
				count_lines(text, *end) + 1,
				json_tokener_error_desc(error));
	return 0;
}

/*
 * A document, and what stands between it and the next one. @text: ends at @text[@len]
 */
static int take(struct fleet *fleet, struct source *source, const char *text,
		size_t len)
{
	struct json_object *root = NULL;
	struct node_state state;
	char why[WHY_SIZE];
	size_t end;
	int ret;

	if (strspn(text, BLANKS) == len)
		return 0;
	source->documents++;
	ret = parse(source->tokener, text, len, &root, &end, why);
	if (!ret)
		ret = node_state_parse(&state, root, why);
	json_object_put(root);
	if (ret) {
		refuse(source, why);
		return 0;
	}
	if (strspn(text + end, BLANKS) < len - end)
		refuse(source, "what follows it is no document, or does not begin a line");
	return fleet_add(fleet, &state);
}

/* Make room behind what is left, and fill it. Return: is there more than before? */
static bool fill(struct source *source)
{
	size_t left = source->end - source->start, n;

	memmove(source->buffer, source->buffer + source->start, left);
	source->start = 0;
	n = fread(source->buffer + left, 1, FLEET_DOCUMENT - left, source->file);
	source->end = left + n;
	return n;
}

/* Go on behind @len bytes. */
static void skip(struct source *source, size_t len)
{
	source->line += count_lines(source->buffer + source->start, len);
	source->start += len;
}

/* Length of the document that is next, with the end of its line; 0: none is. */
static size_t next_document(struct source *source, bool *too_large)
{
	size_t searched = 0, len;
	char *text, *found;

	*too_large = false;
	for (;;) {
		text = source->buffer + source->start;
		len = source->end - source->start;
		found = memmem(text + searched, len - searched, "\n{", 2);
		if (found)
			return (size_t)(found + 1 - text);
		if (len == FLEET_DOCUMENT) {
			if (!*too_large)
				refuse(source, "it is larger than 1 MiB");
			*too_large = true;
			/* But for its last byte, which may be a boundary's. */
			skip(source, len - 1);
			len = 1;
		}
		searched = len ? len - 1 : 0;
		if (!fill(source))
			return source->end - source->start;
	}
}

static int read_documents(struct fleet *fleet, struct source *source)
{
	bool too_large;
	int ret = 0;
	size_t len;

	while (!ret && (len = next_document(source, &too_large))) {
		char *text = source->buffer + source->start;
		char behind = text[len];

		text[len] = '\0';
		if (!too_large)
			ret = take(fleet, source, text, len);
		text[len] = behind;
		skip(source, len);
	}
	return ret;
}

int fleet_read(struct fleet *fleet, FILE *file, const char *name, char *buffer)
{
	struct source source = {
		.file = file, .buffer = buffer, .line = 1,
		.tokener = json_tokener_new(),
	};
	size_t len;
	int ret;

	if (!source.tokener)
		return -ENOMEM;
	ret = read_documents(fleet, &source);
	json_tokener_free(source.tokener);
	if (!ret && ferror(file))
		refuse(&source, strerror(errno));
	else if (!ret && !source.documents && !source.bad)
		return fleet_refuse(fleet, name, "it is empty");
	if (ret || !source.bad)
		return ret;
	len = strlen(source.why);
	if (source.bad > 1)
		snprintf(source.why + len, sizeof(source.why) - len,
			 "; and %zu more of it", source.bad - 1);
	return fleet_refuse(fleet, name, source.why);
}
