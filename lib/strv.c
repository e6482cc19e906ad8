// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of strings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/strv.h"
#include "lib/xalloc.h"

static void add_own(struct strv *words, char *text)
{
	size_t full = words->n + 1;

	/* There is room for as many as the next power of two, with the NULL behind the last. */
	if (!(full & (full - 1)))
		words->word = xreallocarray(words->word, 2 * full, sizeof(*words->word));
	words->word[words->n++] = text;
	words->word[words->n] = NULL;
}

void strv_add(struct strv *words, const char *text)
{
	add_own(words, xstrdup(text));
}

void strv_add_once(struct strv *words, const char *text)
{
	if (!strv_have(words, text))
		strv_add(words, text);
}

void strv_add_all(struct strv *words, const struct strv *more)
{
	size_t i;

	for (i = 0; i < more->n; i++)
		strv_add(words, more->word[i]);
}

void strv_add_format(struct strv *words, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_own(words, xvasprintf(fmt, args));
	va_end(args);
}

void strv_split(struct strv *words, const char *text, char separator)
{
	static const char blanks[] = " \t\r\n\v\f";
	const char *end;

	for (; text; text = *end ? end + 1 : NULL) {
		size_t len;

		end = strchrnul(text, separator);
		text += strspn(text, blanks);
		len = text < end ? (size_t)(end - text) : 0;
		while (len && strchr(blanks, text[len - 1]))
			len--;
		if (len)
			add_own(words, xstrndup(text, len));
	}
}

bool strv_have(const struct strv *words, const char *text)
{
	size_t i;

	for (i = 0; i < words->n; i++)
		if (!strcmp(words->word[i], text))
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *words)
{
	if (words->n)
		qsort(words->word, words->n, sizeof(*words->word), compare);
}

void strv_sort_once(struct strv *words)
{
	size_t i, n = 0;

	strv_sort(words);
	for (i = 0; i < words->n; i++) {
		if (n && !strcmp(words->word[n - 1], words->word[i]))
			free(words->word[i]);
		else
			words->word[n++] = words->word[i];
	}
	words->n = n;
	if (n)
		words->word[n] = NULL;
}

char *strv_join(const struct strv *words, const char *between)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = xcheck(open_memstream(&text, &size));

	for (i = 0; i < words->n; i++)
		fprintf(out, "%s%s", i ? between : "", words->word[i]);
	fclose(out);
	return xcheck(text);
}

static int compare_start(const void *start, const void *word)
{
	return strncmp(start, *(char *const *)word, strlen(start));
}

const char *strv_find(const struct strv *words, const char *start)
{
	char *const *found = words->n ? bsearch(start, words->word, words->n,
						sizeof(*found), compare_start) : NULL;

	return found ? *found : NULL;
}

void strv_free(struct strv *words)
{
	size_t i;

	for (i = 0; i < words->n; i++)
		free(words->word[i]);
	free(words->word);
	*words = (struct strv){ 0 };
}
