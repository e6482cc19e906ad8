// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: the requirement language. Both readings of it end; where nothing is
 * known of a machine no condition fails; what the toolkit's reading takes is written
 * and read again as the same.
 */
#include <errno.h>

#include "container/request/requirement.h"
#include "tests/container/random.h"

const char *const random_seeds[] = {
	"cuda>=12.4 brand=tesla,driver>=470,driver<471 brand=unknown,driver>=535,driver<536",
	"cuda>=11.6,arch=5.3 driver!=450.51",
	"cuda<=9.0-rc1+x BRAND=Tesla",
	"cuda=12..2. foo=bar,,arch>7.5",
	"!=< >= = !",
	NULL,
};

static void check_again(const struct requirement *requirement)
{
	char *text = NULL, why[WHY_SIZE];
	struct requirement again;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; i < requirement->n; i++) {
		const struct requirement_factor *factor = &requirement->factor[i];

		if (i)
			fputc(factor->term == factor[-1].term ? ',' : ' ', out);
		fprintf(out, "%s%s%s", requirement_name(factor), factor->op, factor->value);
	}
	fclose(out);
	require(!requirement_parse(&again, text, requirement->dialect, why));
	require(again.n == requirement->n);
	for (i = 0; i < again.n; i++)
		require(again.factor[i].fact == requirement->factor[i].fact &&
			!strcmp(again.factor[i].op, requirement->factor[i].op) &&
			!strcmp(again.factor[i].value, requirement->factor[i].value));
	requirement_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct requirement_facts some = {
		.driver = "535.104.05", .cuda = "12.2", .arch = "9.0", .brand = "Tesla",
	}, none = { 0 };
	char *text = strndup((const char *)data, size), why[WHY_SIZE];
	struct requirement requirement;
	enum requirement_dialect dialect;

	for (dialect = REQUIREMENT_CLI; dialect <= REQUIREMENT_TOOLKIT; dialect++) {
		int ret = requirement_check(text, dialect, &some, why);

		require(!ret || ret == -ENOTSUP || ret == -EINVAL);
		require(requirement_check(text, dialect, &none, why) != -ENOTSUP);
	}
	if (!requirement_parse(&requirement, text, REQUIREMENT_TOOLKIT, why)) {
		random_taken++;
		check_again(&requirement);
	}
	requirement_free(&requirement);
	free(text);
	return 0;
}
