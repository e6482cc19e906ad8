// SPDX-License-Identifier: GPL-2.0-only
/*
 * Do two configurations say the same, but for the driver's calls?
 *
 *	compare BEFORE AFTER	exit 1 and the first difference, if not
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/engines/notify/filter.h"

static int load(const char *path, struct filter *filter)
{
	static char text[1 << 20];
	FILE *in = fopen(path, "re");
	size_t len = in ? fread(text, 1, sizeof(text), in) : 0;

	if (!in || filter_make(text, len, filter)) {
		fprintf(stderr, "compare: %s is no configuration\n", path);
		return -1;
	}
	return fclose(in);
}

int main(int argc, char **argv)
{
	struct filter before, after;
	char why[256];
	unsigned int differ;

	if (argc != 3 || load(argv[1], &before) || load(argv[2], &after))
		return 2;
	differ = filter_compare(&before, &after, why, sizeof(why));
	if (differ)
		printf("%u calls, such as %s\n", differ, why);
	filter_free(&before);
	filter_free(&after);
	return differ != 0;
}
