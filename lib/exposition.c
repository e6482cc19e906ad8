// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prometheus' text format: see exposition.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/exposition.h"
#include "lib/text.h"

#define FIRST_ROOM	4096
#define DIGITS		20	/* digits of the largest number of 64 bits */

/* Room for @more bytes and a NUL; NULL: there is none. */
static char *make_room(struct exposition *exposition, struct exposition_text *text, size_t more)
{
	size_t room = text->room ? text->room : FIRST_ROOM;
	char *bytes;

	if (exposition->error)
		return NULL;
	while (room - text->length <= more)
		room += room / 2;
	if (room != text->room) {
		bytes = realloc(text->bytes, room);
		if (!bytes) {
			exposition->error = -ENOMEM;
			return NULL;
		}
		text->bytes = bytes;
		text->room = room;
	}
	return text->bytes + text->length;
}

static void add_bytes(struct exposition *exposition, struct exposition_text *text,
		      const char *bytes, size_t n)
{
	char *at = make_room(exposition, text, n);

	if (!at)
		return;
	memcpy(at, bytes, n);
	at[n] = '\0';
	text->length += n;
}

/* Texts one after the other, of which NULL is the last. */
static void add_texts(struct exposition *exposition, struct exposition_text *to,
		      const char *const *text)
{
	for (; *text; text++)
		add_bytes(exposition, to, *text, strlen(*text));
}

#define ADD(exposition, to, ...) \
	add_texts(exposition, &(exposition)->to, (const char *const[]){ __VA_ARGS__, NULL })

static void add_value(struct exposition *exposition, const char *value)
{
	struct exposition_text *labels = &exposition->labels;
	/* Each byte becomes two at most. */
	char *to = make_room(exposition, labels, 2 * strlen(value));
	const char *from = value;

	if (!to)
		return;
	while (*from) {
		unsigned int c;
		int n = text_character(from, &c);

		if (*from == '"' || *from == '\\')
			*to++ = '\\';
		/* Control characters, U+0080 to U+009F among them, are not seen. */
		if (n <= 0 || c < ' ' || (c >= 0x7f && c < 0xa0)) {
			*to = '?';
			n = 1;
		} else {
			memcpy(to, from, (size_t)n);
		}
		to += n;
		from += n;
	}
	*to = '\0';
	labels->length = (size_t)(to - labels->bytes);
}

static void add_number(struct exposition *exposition, uint64_t value, unsigned int decimals)
{
	char digits[2 * DIGITS + 2];
	char *at = digits + sizeof(digits);
	unsigned int n = 0;

	do {
		if (n && n == decimals)
			*--at = '.';
		*--at = (char)('0' + value % 10);
		value /= 10;
		n++;
	} while (value || n <= decimals);
	add_bytes(exposition, &exposition->text, at, (size_t)(digits + sizeof(digits) - at));
}

void exposition_family(struct exposition *exposition, const char *name,
		       const char *type, const char *help)
{
	exposition->family = name;
	ADD(exposition, text, "# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n");
}

void exposition_labels(struct exposition *exposition,
		       const struct exposition_label *label, size_t labels)
{
	size_t i;

	exposition->labels.length = 0;
	for (i = 0; i < labels; i++) {
		ADD(exposition, labels, i ? "," : "{", label[i].name, "=\"");
		add_value(exposition, label[i].value);
		ADD(exposition, labels, "\"");
	}
}

void exposition_sample_in(struct exposition *exposition, uint64_t value, unsigned int decimals)
{
	exposition_sample_of(exposition, NULL, NULL, value, decimals);
}

void exposition_sample(struct exposition *exposition, uint64_t value)
{
	exposition_sample_in(exposition, value, 0);
}

void exposition_sample_of(struct exposition *exposition, const char *name,
			  const char *of, uint64_t value, unsigned int decimals)
{
	const struct exposition_text *labels = &exposition->labels;

	ADD(exposition, text, exposition->family);
	add_bytes(exposition, &exposition->text, labels->bytes, labels->length);
	if (name)
		ADD(exposition, text, ",", name, "=\"", of, "\"");
	ADD(exposition, text, "} ");
	add_number(exposition, value, decimals);
	ADD(exposition, text, "\n");
}

void exposition_one(struct exposition *exposition, const char *name,
		    const char *type, const char *help, uint64_t value,
		    unsigned int decimals)
{
	exposition_family(exposition, name, type, help);
	ADD(exposition, text, name, " ");
	add_number(exposition, value, decimals);
	ADD(exposition, text, "\n");
}

void exposition_free(struct exposition *exposition)
{
	free(exposition->text.bytes);
	free(exposition->labels.bytes);
	*exposition = (struct exposition){ 0 };
}
