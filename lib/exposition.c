// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prometheus' text format: see exposition.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/exposition.h"

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

static void add(struct exposition *exposition, const char *bytes)
{
	add_bytes(exposition, &exposition->text, bytes, strlen(bytes));
}

static void add_label(struct exposition *exposition, const char *bytes)
{
	add_bytes(exposition, &exposition->labels, bytes, strlen(bytes));
}

static int is_continued(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/*
 * Returns how many bytes the character at @at has in UTF-8; 0: a control character (U+0080
 * to U+009F, too), or none, by Go's utf8.ValidString(), by which Prometheus refuses a text.
 */
static size_t measure_character(const unsigned char *at)
{
	if (at[0] < 0x80)
		return at[0] >= ' ' && at[0] != 0x7f;
	if (at[0] < 0xc2 || at[0] > 0xf4 || !is_continued(at[1]))
		return 0;
	if (at[0] < 0xe0)
		return at[0] == 0xc2 && at[1] < 0xa0 ? 0 : 2;
	if (!is_continued(at[2]))
		return 0;
	if (at[0] < 0xf0)
		return (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ? 0 : 3;
	return !is_continued(at[3]) || (at[0] == 0xf0 && at[1] < 0x90) ||
	       (at[0] == 0xf4 && at[1] >= 0x90) ? 0 : 4;
}

static void add_value(struct exposition *exposition, const char *value)
{
	struct exposition_text *labels = &exposition->labels;
	/* Each byte becomes two at most. */
	char *to = make_room(exposition, labels, 2 * strlen(value));
	const char *from = value;

	if (!to)
		return;
	while (*from) {
		size_t n = measure_character((const unsigned char *)from);

		if (*from == '"' || *from == '\\')
			*to++ = '\\';
		if (n)
			memcpy(to, from, n);
		else
			*to = '?';
		to += n ? n : 1;
		from += n ? n : 1;
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
	add(exposition, "# HELP ");
	add(exposition, name);
	add(exposition, " ");
	add(exposition, help);
	add(exposition, "\n# TYPE ");
	add(exposition, name);
	add(exposition, " ");
	add(exposition, type);
	add(exposition, "\n");
}

void exposition_labels(struct exposition *exposition,
		       const struct exposition_label *label, size_t labels)
{
	size_t i;

	exposition->labels.length = 0;
	for (i = 0; i < labels; i++) {
		add_label(exposition, i ? "," : "{");
		add_label(exposition, label[i].name);
		add_label(exposition, "=\"");
		add_value(exposition, label[i].value);
		add_label(exposition, "\"");
	}
}

static void begin_sample(struct exposition *exposition)
{
	const struct exposition_text *labels = &exposition->labels;

	add(exposition, exposition->family);
	add_bytes(exposition, &exposition->text, labels->bytes, labels->length);
}

static void end_sample(struct exposition *exposition, uint64_t value, unsigned int decimals)
{
	add(exposition, "} ");
	add_number(exposition, value, decimals);
	add(exposition, "\n");
}

void exposition_sample_in(struct exposition *exposition, uint64_t value, unsigned int decimals)
{
	begin_sample(exposition);
	end_sample(exposition, value, decimals);
}

void exposition_sample(struct exposition *exposition, uint64_t value)
{
	exposition_sample_in(exposition, value, 0);
}

void exposition_sample_of(struct exposition *exposition, const char *name,
			  const char *of, uint64_t value, unsigned int decimals)
{
	begin_sample(exposition);
	add(exposition, ",");
	add(exposition, name);
	add(exposition, "=\"");
	add(exposition, of);
	add(exposition, "\"");
	end_sample(exposition, value, decimals);
}

void exposition_one(struct exposition *exposition, const char *name,
		    const char *type, const char *help, uint64_t value,
		    unsigned int decimals)
{
	exposition_family(exposition, name, type, help);
	add(exposition, name);
	add(exposition, " ");
	add_number(exposition, value, decimals);
	add(exposition, "\n");
}

void exposition_free(struct exposition *exposition)
{
	free(exposition->text.bytes);
	free(exposition->labels.bytes);
	*exposition = (struct exposition){ 0 };
}
