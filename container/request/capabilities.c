// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of driver capabilities.
 */
#include <string.h>

#include "container/request/internal.h"

/* Names of a list, sorted, each once. */
void capabilities_split(struct strv *names, const char *list)
{
	struct strv all = { 0 };
	size_t i;

	strv_split(&all, list, ',');
	strv_sort(&all);
	for (i = 0; i < all.n; i++)
		if (!i || strcmp(all.word[i], all.word[i - 1]) != 0)
			strv_add(names, all.word[i]);
	strv_free(&all);
}

/* Names that two lists have in common; "all" stands for whatever the other has. */
void capabilities_intersect(struct strv *common, const struct strv *a, const struct strv *b)
{
	bool is_all = strv_have(b, "all");
	size_t i;

	if (!is_all && strv_have(a, "all")) {
		a = b;
		is_all = true;
	}
	for (i = 0; i < a->n; i++)
		if (is_all || strv_have(b, a->word[i]))
			strv_add(common, a->word[i]);
}

/* Returns NULL, or the first name that is no capability's. */
const char *capabilities_parse(const struct strv *names,
			       unsigned int *capabilities)
{
	const char *unknown = NULL;
	size_t i, bit;

	*capabilities = 0;
	for (i = 0; i < names->n; i++) {
		for (bit = 0; bit < CAPABILITY_COUNT; bit++)
			if (!strcmp(names->word[i], capability_names[bit]))
				break;
		if (bit < CAPABILITY_COUNT)
			*capabilities |= 1u << bit;
		else if (!strcmp(names->word[i], "all"))
			*capabilities = CAPABILITY_ALL;
		else if (!unknown)
			unknown = names->word[i];
	}
	return unknown;
}

void capabilities_list(struct strv *names, unsigned int capabilities)
{
	size_t bit;

	for (bit = 0; bit < CAPABILITY_COUNT; bit++)
		if (capabilities & 1u << bit)
			strv_add(names, capability_names[bit]);
}
