// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: requirements of an image, and whether they are met.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "container/request/requirement.h"
#include "tests/container/vectors.h"

SUITE("req.parse")
{
	struct requirement requirement;
	int ret = requirement_parse(&requirement, member_text(in, "cond"), REQUIREMENT_TOOLKIT, why);

	if (!ret && requirement.n) {
		*out = json_object_new_array();
		add_text(*out, requirement_name(&requirement.factor[0]));
		add_text(*out, requirement.factor[0].op);
		add_text(*out, requirement.factor[0].value);
	}
	requirement_free(&requirement);
	return ret;
}

SUITE("req.group")
{
	struct requirement requirement;
	struct json_object *terms = json_object_new_array(), *term = NULL;
	int ret = requirement_parse(&requirement, member_text(in, "req"), REQUIREMENT_TOOLKIT, why);
	size_t i;

	for (i = 0; i < requirement.n; i++) {
		const struct requirement_factor *factor = &requirement.factor[i];
		char is[256];

		if (!i || factor->term != factor[-1].term) {
			term = json_object_new_array();
			json_object_array_add(terms, term);
		}
		snprintf(is, sizeof(is), "%s%s%s", requirement_name(factor), factor->op,
			 factor->value);
		add_text(term, is);
	}
	if (requirement.n)
		*out = terms;
	else
		json_object_put(terms);
	requirement_free(&requirement);
	return ret;
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
			ret = requirement_check(expression, REQUIREMENT_CLI, &facts, why);
	*out = json_object_new_boolean(!ret);
	return ret == -ENOTSUP ? 0 : ret;
}

/* Factors that hold and that do not, as an expression about a machine with CUDA 2. */
SUITE("req.logic")
{
	const struct requirement_facts facts = { .cuda = "2" };
	struct json_object *factors = member_get(in, "v");
	bool and = !strcmp(member_text(in, "op"), "and");
	struct requirement requirement;
	char expression[256] = "";
	size_t i, n = 0;
	int ret;

	for (i = 0; i < json_object_array_length(factors); i++) {
		bool holds = json_object_get_boolean(json_object_array_get_idx(factors, i));

		n += (size_t)snprintf(expression + n, sizeof(expression) - n, "%scuda=%d",
				      !i ? "" : and ? "," : " ", holds ? 2 : 3);
	}
	ret = requirement_parse(&requirement, expression, REQUIREMENT_TOOLKIT, why);
	/* No alternative is none that holds; of no condition all hold. */
	*out = json_object_new_boolean(requirement_holds(&requirement, &facts) == 1 ||
				       (and && !requirement.n));
	requirement_free(&requirement);
	return ret;
}
