// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text that others have chosen: see text.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Bytes of a character whose first is @c; 0: none begins so. */
static size_t length_of(unsigned char c)
{
	return c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
}

/*
 * Characters that are not seen, or turn others around, by Unicode's
 * Default_Ignorable_Code_Point, and separators and annotations of lines.
 */
static const struct {
	unsigned int first, last;
} unseen[] = {
	{ 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c }, { 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

static bool is_unseen(unsigned int value)
{
	size_t i = 0;

	while (i < COUNT(unseen) && value > unseen[i].last)
		i++;
	return i < COUNT(unseen) && value >= unseen[i].first;
}

/*
 * Bytes of the character at @text; 0: it is none, steers, or is not seen. @cut: it would be one
 * if the text went on.
 */
static size_t find_length(const unsigned char *text, unsigned char *cut)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = length_of(*text), i;
	unsigned int value = *text;

	*cut = 0;
	if (length == 1)
		return *text >= 0x20 && *text != 0x7f;
	if (!length)
		return 0;
	value &= 0xffu >> (length + 1);
	for (i = 1; i < length; i++) {
		*cut = !text[i];
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (text[i] & 0x3f);
	}
	/* Too long a form, surrogates, beyond Unicode, and the controls of C1 */
	if (value < least[length] || (value >= 0xd800 && value < 0xe000) ||
	    value > 0x10ffff || value < 0xa0 || is_unseen(value))
		return 0;
	return length;
}

void text_clean(char *text)
{
	unsigned char *at = (unsigned char *)text, cut;
	size_t length;

	while (*at) {
		length = find_length(at, &cut);
		if (cut) {
			*at = '\0';
			return;
		}
		if (!length) {
			*at = '?';
			length = 1;
		}
		at += length;
	}
}

void text_copy(char *to, size_t size, const char *text, size_t length)
{
	snprintf(to, size, "%.*s", (int)length, text);
	text_clean(to);
}

void text_clean_lines(char *text)
{
	char *end;
	size_t n;

	for (; (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		text_clean(text);
		n = strlen(text);
		memset(text + n, '?', (size_t)(end - text) - n);
		*end = '\n';
	}
	text_clean(text);
}
