// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: requirements of an image, and whether they are met.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "container/request/internal.h"
#include "tests/container/vectors.h"

/* Does an expression hold for a machine? -EINVAL: it is none. */
static int holds(const char *expression, const char *cuda, const char *arch, char why[WHY_SIZE])
{
	const struct requirement_facts facts = { .cuda = cuda, .arch = arch };
	int ret = requirement_check(expression, &facts, why);

	return ret == -ENOTSUP ? 0 : ret ? ret : 1;
}

/* A condition is what it says of CUDA before, at and after 11.6; one that holds for all is none. */
SUITE("req.parse")
{
	static const char *const versions[] = { "11.5", "11.6", "11.7" };
	static const struct {
		const char *op, *found;
	} ops[] = {
		{ "=", "010" }, { "!=", "101" }, { "<", "100" }, { "<=", "110" },
		{ ">", "001" }, { ">=", "011" },
	};
	char found[4] = "";
	size_t i;

	for (i = 0; i < 3; i++) {
		int ret = holds(member_text(in, "cond"), versions[i], NULL, why);

		if (ret < 0)
			return ret;
		found[i] = (char)('0' + ret);
	}
	for (i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		if (strcmp(found, ops[i].found))
			continue;
		*out = json_object_new_array();
		add_text(*out, "cuda");
		add_text(*out, ops[i].op);
		add_text(*out, "11.6");
	}
	return 0;
}

/* Conditions are grouped by what holds where one of two does: cuda>=11.6 and arch=5.3. */
SUITE("req.group")
{
	static const struct {
		const char *found, *groups;
	} rows[] = {
		{ "1111", "null" }, { "1100", "[[\"cuda>=11.6\"]]" },
		{ "1110", "[[\"cuda>=11.6\"], [\"arch=5.3\"]]" },
		{ "1000", "[[\"cuda>=11.6\", \"arch=5.3\"]]" },
	};
	char found[5] = "";
	size_t i;

	for (i = 0; i < 4; i++) {
		int ret = holds(member_text(in, "req"), i < 2 ? "11.6" : "11.5",
				i % 2 ? "5.4" : "5.3", why);

		if (ret < 0)
			return ret;
		found[i] = (char)('0' + ret);
	}
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(found, rows[i].found))
			*out = json_tokener_parse(rows[i].groups);
	return 0;
}

SUITE("req.eval")
{
	struct json_object *host = member_get(in, "host");
	const struct requirement_facts facts = {
		.driver = member_text(host, "driver"), .cuda = member_text(host, "cuda"),
		.arch = member_text(host, "arch"), .brand = member_text(host, "brand"),
	};
	const char *expression;
	size_t i;
	int ret = 0;

	for_each_text(member_get(in, "requirements"), i, expression)
		if (!ret)
			ret = requirement_check(expression, &facts, why);
	*out = json_object_new_boolean(!ret);
	return ret == -ENOTSUP ? 0 : ret;
}

/* Factors that hold and that do not, as an expression about a machine with CUDA 2. */
SUITE("req.logic")
{
	struct json_object *factors = member_get(in, "v");
	bool and = !strcmp(member_text(in, "op"), "and");
	char expression[256] = "";
	size_t i, n = 0;
	int ret;

	for (i = 0; i < json_object_array_length(factors); i++) {
		bool is_true = json_object_get_boolean(json_object_array_get_idx(factors, i));

		n += (size_t)snprintf(expression + n, sizeof(expression) - n, "%scuda=%d",
				      !i ? "" : and ? "," : " ", is_true ? 2 : 3);
	}
	ret = holds(expression, "2", NULL, why);
	*out = json_object_new_boolean(ret > 0);
	return ret < 0 ? ret : 0;
}
