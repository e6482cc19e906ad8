// SPDX-License-Identifier: GPL-2.0-only
/*
 * Semantic versions (semver.org 2.0.0).
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "container/image/internal.h"

static const char digits[] = "0123456789";

/* Return: behind the number, or NULL: there is none, or it is too large. */
static const char *read_number(const char *at, uint64_t *number)
{
	const char *start = at;

	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number))
			return NULL;
	return at > start ? at : NULL;
}

/* Words with dots between them. @numbers: a word of digits alone does not begin with 0 */
static const char *skip_words(const char *at, bool numbers)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";

	for (;; at++) {
		size_t len = strspn(at, word);

		if (!len || (numbers && len > 1 && *at == '0' && strspn(at, digits) == len))
			return NULL;
		at += len;
		if (*at != '.')
			return at;
	}
}

int version_parse(struct version *version, const char *text)
{
	size_t i;

	*version = (struct version){ 0 };
	text = read_number(text + (*text == 'v'), &version->number[0]);
	for (i = 1; text && i < 3 && *text == '.'; i++)
		text = read_number(text + 1, &version->number[i]);
	if (text && *text == '-') {
		version->before = 1;
		text = skip_words(text + 1, true);
	}
	if (text && *text == '+')
		text = skip_words(text + 1, false);
	return text && !*text ? 0 : -EINVAL;
}

/* Returns below 0, 0, above 0, as @a is before, as or after @b. */
int version_compare(const struct version *a, const struct version *b)
{
	size_t i;

	for (i = 0; i < 3; i++)
		if (a->number[i] != b->number[i])
			return a->number[i] < b->number[i] ? -1 : 1;
	return b->before - a->before;
}
