// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of driver capabilities.
 */
#include <string.h>

#include "container/request/internal.h"

/* Names of a list, sorted, each once. */
int capabilities_split(struct strv *names, const char *list)
{
	struct strv all = { 0 };
	int ret = strv_split(&all, list, ',');
	size_t i;

	strv_sort(&all);
	for (i = 0; !ret && i < all.n; i++)
		if (!i || strcmp(all.word[i], all.word[i - 1]) != 0)
			ret = strv_add(names, all.word[i]);
	strv_free(&all);
	return ret;
}

static int add_all(struct strv *names, const struct strv *more)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < more->n; i++)
		ret = strv_add(names, more->word[i]);
	return ret;
}

/* Names that two lists have in common; "all" stands for whatever the other has. */
int capabilities_intersect(struct strv *common, const struct strv *a,
			   const struct strv *b)
{
	size_t i;
	int ret = 0;

	if (strv_have(b, "all"))
		return add_all(common, a);
	if (strv_have(a, "all"))
		return add_all(common, b);
	for (i = 0; !ret && i < a->n; i++)
		if (strv_have(b, a->word[i]))
			ret = strv_add(common, a->word[i]);
	return ret;
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

int capabilities_list(struct strv *names, unsigned int capabilities)
{
	size_t bit;
	int ret = 0;

	for (bit = 0; !ret && bit < CAPABILITY_COUNT; bit++)
		if (capabilities & 1u << bit)
			ret = strv_add(names, capability_names[bit]);
	return ret;
}
