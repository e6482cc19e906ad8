// SPDX-License-Identifier: GPL-2.0-only
/*
 * The requirement language.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "container/image/version.h"
#include "container/request/requirement.h"
#include "nvidia/gpu_database.h"

/* NVIDIA's images have 2 kB. */
#define MAX_EXPRESSION	(16 << 10)

struct requirement_fact {
	const char *name;
	size_t offset;
	bool version;		/* a version; else a text */
};

static const struct requirement_fact known[] = {
	{ "cuda", offsetof(struct requirement_facts, cuda), true },
	{ "driver", offsetof(struct requirement_facts, driver), true },
	{ "arch", offsetof(struct requirement_facts, arch), true },
	{ "brand", offsetof(struct requirement_facts, brand), false },
};

/* The operators and the results of a comparison that they accept. Longer ones first. */
static const struct op {
	const char *text;
	bool below, equal, above;
} ops[] = {
	{ "!=", true, false, true }, { "<=", true, true, false }, { ">=", false, true, true },
	{ "=", false, true, false }, { "<", true, false, false }, { ">", false, false, true },
};

static const char marks[] = "<>=!";

static const struct requirement_fact *find_fact(const char *name, size_t len,
						enum requirement_dialect dialect)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == len &&
		    !(dialect == REQUIREMENT_CLI ? strncasecmp : strncmp)(known[i].name, name, len))
			return &known[i];
	return NULL;
}

/* The operator that @text begins with; @whole: all of what could be one is it. */
static const struct op *find_op(const char *text, bool whole)
{
	size_t run = strspn(text, marks), i;

	for (i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		size_t len = strlen(ops[i].text);

		if (!strncmp(text, ops[i].text, len) && (!whole || run == len))
			return &ops[i];
	}
	return NULL;
}

/* @text: a factor, terminated. Return: 1: it is to be left out; 0 or -EINVAL. */
static int read_factor(struct requirement_factor *factor, const char *text,
		       enum requirement_dialect dialect)
{
	bool cli = dialect == REQUIREMENT_CLI;
	size_t len = strcspn(text, marks);
	const struct op *op;
	struct version version;

	if (!text[cli ? 0 : strspn(text, " \t\r\n\v\f")])
		return 1;
	if (!text[len])
		return -EINVAL;
	factor->fact = find_fact(text, len, dialect);
	if (!factor->fact)
		return cli ? -EINVAL : 1;
	op = find_op(text + len, cli);
	if (!op)
		return -EINVAL;
	factor->op = op->text;
	text += len + strlen(op->text);
	if (cli ? !*text : factor->fact->version && version_parse(&version, text))
		return -EINVAL;
	factor->value = strdup(text);
	return factor->value ? 0 : -ENOMEM;
}

static int add_factor(struct requirement *requirement, const char *text, size_t term,
		      char why[WHY_SIZE])
{
	struct requirement_factor factor = { .term = term }, *grown;
	int ret = read_factor(&factor, text, requirement->dialect);

	if (ret == 1)
		return 0;
	if (ret == -EINVAL && requirement->dialect == REQUIREMENT_TOOLKIT)
		return why_fail(why, ret, "requirement error: invalid constraint: %.200s", text);
	if (ret == -EINVAL)
		factor.fact = NULL;
	grown = reallocarray(requirement->factor, requirement->n + 1, sizeof(*grown));
	if (!grown || ret == -ENOMEM) {
		requirement->factor = grown ? grown : requirement->factor;
		free(factor.value);
		return why_fail(why, -ENOMEM, "no memory to read a requirement");
	}
	requirement->factor = grown;
	grown[requirement->n++] = factor;
	return 0;
}

int requirement_parse(struct requirement *requirement, const char *expression,
		      enum requirement_dialect dialect, char why[WHY_SIZE])
{
	char *copy, *terms, *term, *factor;
	size_t n;
	int ret = 0;

	*requirement = (struct requirement){ .dialect = dialect };
	if (strlen(expression) > MAX_EXPRESSION)
		return why_fail(why, -EINVAL, "requirement error: invalid expression: it is longer than 16 kB");
	copy = strdup(expression);
	if (!copy)
		return why_fail(why, -ENOMEM, "no memory to read a requirement");
	terms = copy;
	for (n = 0; !ret && (term = strsep(&terms, " ")); n++)
		while (!ret && (factor = strsep(&term, ",")))
			ret = add_factor(requirement, factor, n, why);
	free(copy);
	return ret;
}

const char *requirement_name(const struct requirement_factor *factor)
{
	return factor->fact ? factor->fact->name : "";
}

/* Digits, and dots behind them. */
static bool is_numbers(const char *text)
{
	return *text != '.' && *text && !text[strspn(text, "0123456789.")];
}

/* The number that @at begins with, without zeros in front; @at moves behind it. */
static size_t take_number(const char **at, const char **number)
{
	size_t len;

	*at += strspn(*at, "0");
	*number = *at;
	len = strspn(*at, "0123456789");
	*at += len;
	*at += strspn(*at, ".");
	return len;
}

/* Number by number, however long they are; one that is missing is 0. */
static int compare_numbers(const char *a, const char *b)
{
	while (*a || *b) {
		const char *left, *right;
		size_t len = take_number(&a, &left), other = take_number(&b, &right);
		int ret = len != other ? (len > other) - (len < other) :
					 strncmp(left, right, len);

		if (ret)
			return ret;
	}
	return 0;
}

/*
 * @ret receives how a fact compares with a factor's value. Return: 0; 1: the fact
 * does not say; -EINVAL: nothing compares with that value.
 */
static int compare(const struct requirement_factor *factor, const char *fact,
		   enum requirement_dialect dialect, int *ret)
{
	struct version a, b;

	if (!fact)
		return 1;
	if (dialect == REQUIREMENT_TOOLKIT) {
		if (!factor->fact->version) {
			*ret = strcmp(fact, factor->value);
			return 0;
		}
		if (version_parse(&a, fact) || version_parse(&b, factor->value))
			return 1;
		*ret = version_compare(&a, &b);
	} else if (factor->fact->version) {
		if (!is_numbers(fact))
			return 1;
		if (!is_numbers(factor->value))
			return -EINVAL;
		*ret = compare_numbers(fact, factor->value);
	} else {
		/* There is no order of brands. */
		if (strchr("<>", *factor->op))
			return -EINVAL;
		*ret = strcasecmp(fact, factor->value);
	}
	return 0;
}

/* Returns the value of a fact, NULL: it is not known. */
static const char *value_of(const struct requirement_facts *facts,
			    const struct requirement_fact *fact)
{
	return *(const char *const *)((const char *)facts + fact->offset);
}

static int factor_holds(const struct requirement_factor *factor,
			const struct requirement_facts *facts,
			enum requirement_dialect dialect)
{
	const struct op *op;
	int ret, order;

	if (!factor->fact)
		return -EINVAL;
	ret = compare(factor, value_of(facts, factor->fact), dialect, &order);
	if (ret)
		return ret;
	op = find_op(factor->op, true);
	return order < 0 ? op->below : order > 0 ? op->above : op->equal;
}

int requirement_holds(const struct requirement *requirement,
		      const struct requirement_facts *facts)
{
	size_t i = 0;

	while (i < requirement->n) {
		size_t term = requirement->factor[i].term;
		int holds = 1;

		for (; i < requirement->n && requirement->factor[i].term == term; i++)
			if (holds == 1)
				holds = factor_holds(&requirement->factor[i], facts,
						     requirement->dialect);
		if (holds)
			return holds;
	}
	return 0;
}

void requirement_free(struct requirement *requirement)
{
	size_t i;

	for (i = 0; i < requirement->n; i++)
		free(requirement->factor[i].value);
	free(requirement->factor);
	*requirement = (struct requirement){ 0 };
}

static const char *say(const char *fact)
{
	return fact ? fact : "unknown";
}

/* The first term, which is what users and NVIDIA's documents know the sentence by. */
static int fail_condition(const char *expression, const struct requirement_facts *facts,
			  char why[WHY_SIZE])
{
	const char *term = expression + strspn(expression, " ");

	return why_fail(why, -ENOTSUP, "requirement error: unsatisfied condition: %.*s%s (this machine: driver %s, cuda %s, arch %s, brand %s; NVIDIA_DISABLE_REQUIRE=1 in the container skips this check)",
			(int)(strcspn(term, " ") > 512 ? 512 : strcspn(term, " ")), term,
			strncmp(term, "cuda>=", 6) ? "" :
			", please update your driver to a newer version, or use an earlier cuda container",
			say(facts->driver), say(facts->cuda), say(facts->arch), say(facts->brand));
}

int requirement_check(const char *expression, enum requirement_dialect dialect,
		      const struct requirement_facts *facts,
		      char why[WHY_SIZE])
{
	struct requirement requirement;
	int ret = requirement_parse(&requirement, expression, dialect, why);

	if (!ret && requirement.n) {
		int holds = requirement_holds(&requirement, facts);

		if (holds < 0)
			ret = why_fail(why, -EINVAL, "requirement error: invalid expression: %.200s",
				       expression);
		else if (!holds)
			ret = fail_condition(expression, facts, why);
	}
	requirement_free(&requirement);
	return ret;
}

static int check_each(const struct strv *expressions, enum requirement_dialect dialect,
		      const struct requirement_facts *facts, char why[WHY_SIZE])
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < expressions->n; i++)
		ret = requirement_check(expressions->word[i], dialect, facts, why);
	return ret;
}

int requirement_check_all(const struct strv *expressions,
			  enum requirement_dialect dialect,
			  const struct installation *installation,
			  const struct selection *selection, char why[WHY_SIZE])
{
	struct requirement_facts facts = {
		.driver = *installation->version ? installation->version : NULL,
		.cuda = *installation->cuda ? installation->cuda : NULL,
	};
	size_t i;
	int ret = 0;

	if (!selection->n_gpus)
		return check_each(expressions, dialect, &facts, why);
	for (i = 0; !ret && expressions->n && i < selection->n_gpus; i++) {
		const struct gpu *gpu = selection->gpus[i].gpu;

		facts.arch = gpu_database_read_arch(&installation->root, gpu);
		facts.brand = gpu_database_brand(gpu->model);
		ret = check_each(expressions, dialect, &facts, why);
	}
	return ret;
}
