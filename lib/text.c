// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text that others have chosen: see text.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

int text_character(const char *text, unsigned int *value)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *)text;
	int length = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 :
		     *at < 0xf5 ? 4 : 0, i;
	unsigned int c = length > 1 ? *at & 0x7fu >> length : *at;

	for (i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return at[i] ? 0 : -1;
		c = c << 6 | (at[i] & 0x3f);
	}
	*value = c;
	return c < least[length] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff ? 0 : length;
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

void text_clean(char *text)
{
	unsigned int value;
	int length;

	for (; *text; text += length) {
		length = text_character(text, &value);
		if (length < 0) {
			*text = '\0';
			return;
		}
		if (!length || value < 0x20 || (value >= 0x7f && value < 0xa0) || is_unseen(value)) {
			*text = '?';
			length = 1;
		}
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

unsigned int text_bit_find(const char *name, const char *const *names, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return 1u << i;
	return !strcmp(name, "all") ? (1u << n) - 1 : 0;
}

int text_truth(const char *text)
{
	static const char *const words[] = {
		"0", "f", "F", "FALSE", "false", "False",
		"1", "t", "T", "TRUE", "true", "True",
	};
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (!strcmp(text, words[i]))
			return i >= COUNT(words) / 2;
	return -1;
}

void text_bits(char *text, size_t size, unsigned int set, const char *const *names,
	       const char *between)
{
	size_t len = 0;

	*text = '\0';
	for (; set && len < size; set >>= 1, names++)
		if (set & 1)
			len += (size_t)snprintf(text + len, size - len, "%s%s", len ? between : "",
						*names);
}
