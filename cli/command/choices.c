// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words of which one has to be given.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command/internal.h"

#define LETTERS	40	/* letters of a name */

bool choices_have(const char *choices, const char *word)
{
	size_t len;

	if (!strchr(choices, '|'))
		return true;
	for (; *choices; choices += len + (choices[len] == '|')) {
		len = strcspn(choices, "|");
		if (len == strlen(word) && !strncmp(choices, word, len))
			return true;
	}
	return false;
}

const char *choices_say(const char *choices, char *text, size_t size)
{
	const char *separator = "";
	size_t len, at = 0;

	text[0] = '\0';
	while (*choices && at < size) {
		len = strcspn(choices, "|");
		at += (size_t)snprintf(text + at, size - at, "%s%.*s", separator, (int)len,
				       choices);
		choices += len + (choices[len] == '|');
		separator = strchr(choices, '|') ? ", " : " or ";
	}
	return text;
}

/* Count the letters that were added, left out or changed (Levenshtein). */
static size_t distance(const char *from, const char *to)
{
	size_t row[LETTERS + 1], k, left, before, change, n = strlen(to);

	if (n > LETTERS)
		return n;
	for (k = 0; k <= n; k++)
		row[k] = k;
	for (; *from; from++) {
		before = row[0]++;
		for (k = 0; k < n; k++) {
			change = before + (*from != to[k]);
			before = row[k + 1];
			left = (row[k] < before ? row[k] : before) + 1;
			row[k + 1] = change < left ? change : left;
		}
	}
	return row[n];
}

const char *choices_nearest(const char *const *names, size_t n, const char *word)
{
	size_t i, one, len = strlen(word), least = (len + 1) / 3 + 1;
	const char *nearest = NULL;

	for (i = 0; i < n; i++) {
		/* The beginning of a name is near. */
		one = len > 1 && !strncmp(names[i], word, len) ? 1 : distance(word, names[i]);
		if (one < least) {
			least = one;
			nearest = names[i];
		}
	}
	return nearest;
}
