// SPDX-License-Identifier: GPL-2.0-only
/*
 * The requirement language.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "container/request/internal.h"
#include "lib/xalloc.h"
#include "nvidia/nvidia.h"

/* NVIDIA's images have 2 kB. */
#define MAX_EXPRESSION	(16 << 10)

static const struct fact {
	const char *name;
	size_t offset;
	bool version;		/* a version; else a text */
} known[] = {
	{ "cuda", offsetof(struct requirement_facts, cuda), true },
	{ "driver", offsetof(struct requirement_facts, driver), true },
	{ "arch", offsetof(struct requirement_facts, arch), true },
	{ "brand", offsetof(struct requirement_facts, brand), false },
};

/* The operators and the results of a comparison that they accept. */
static const struct op {
	const char *text;
	bool below, equal, above;
} ops[] = {
	{ "!=", true, false, true }, { "<=", true, true, false }, { ">=", false, true, true },
	{ "=", false, true, false }, { "<", true, false, false }, { ">", false, false, true },
};

static const char marks[] = "<>=!";

static const struct fact *find_fact(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == len && !strncasecmp(known[i].name, name, len))
			return &known[i];
	return NULL;
}

/* Finds the operator that @text begins with: all of what could be one. */
static const struct op *find_op(const char *text)
{
	size_t len = strspn(text, marks), i;

	for (i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (strlen(ops[i].text) == len && !strncmp(text, ops[i].text, len))
			return &ops[i];
	return NULL;
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
		int ret = len != other ? (len > other) - (len < other) : strncmp(left, right, len);

		if (ret)
			return ret;
	}
	return 0;
}

/* Returns whether a factor holds, "cuda>=12.4"; -EINVAL: it is none. */
static int factor_holds(const char *text, const struct requirement_facts *facts)
{
	size_t len = strcspn(text, marks);
	const struct fact *fact = find_fact(text, len);
	const struct op *op = find_op(text + len);
	const char *is, *value;
	int order;

	if (!fact || !op)
		return -EINVAL;
	value = text + len + strlen(op->text);
	if (!*value)
		return -EINVAL;
	is = *(const char *const *)((const char *)facts + fact->offset);
	if (!is || (fact->version && !is_numbers(is)))
		return 1;
	if (fact->version ? !is_numbers(value) : *op->text == '<' || *op->text == '>')
		return -EINVAL;	/* there is no order of brands */
	order = fact->version ? compare_numbers(is, value) : strcasecmp(is, value);
	return order < 0 ? op->below : order > 0 ? op->above : op->equal;
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

/*
 * Terms between spaces are alternatives, factors between commas must all hold; an empty
 * expression does. Read from the left, and no further than needed, as nvidia-container-cli
 * does: what is wrong is noticed where it is reached.
 */
int requirement_check(const char *expression, const struct requirement_facts *facts,
		      char why[WHY_SIZE])
{
	char *copy, *terms, *term, *factor;
	bool is_empty = true;
	int holds = 0;

	if (strlen(expression) > MAX_EXPRESSION)
		return why_fail(why, -EINVAL, "requirement error: invalid expression: it is longer than 16 kB");
	copy = xstrdup(expression);
	for (terms = copy; !holds && (term = strsep(&terms, " "));) {
		bool has_any = false;

		holds = 1;
		while (holds == 1 && (factor = strsep(&term, ","))) {
			if (!*factor)
				continue;
			has_any = true;
			holds = factor_holds(factor, facts);
		}
		if (!has_any)
			holds = 0;
		is_empty &= !has_any;
	}
	free(copy);
	if (holds < 0)
		return why_fail(why, -EINVAL, "requirement error: invalid expression: %.200s",
				expression);
	return holds || is_empty ? 0 : fail_condition(expression, facts, why);
}

static int check_each(const struct strv *expressions, const struct requirement_facts *facts,
		      char why[WHY_SIZE])
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < expressions->n; i++)
		ret = requirement_check(expressions->word[i], facts, why);
	return ret;
}

int requirement_check_all(const struct strv *expressions, const struct installation *installation,
			  const struct selection *selection, char why[WHY_SIZE])
{
	struct requirement_facts facts = {
		.driver = *installation->version ? installation->version : NULL,
		.cuda = *installation->cuda ? installation->cuda : NULL,
	};
	size_t i;
	int ret = 0;

	if (!selection->n_gpus)
		return check_each(expressions, &facts, why);
	for (i = 0; !ret && expressions->n && i < selection->n_gpus; i++) {
		const struct gpu *gpu = selection->gpus[i].gpu;

		facts.arch = gpu_database_read_arch(&installation->root, gpu);
		facts.brand = gpu_database_brand(gpu->model);
		ret = check_each(expressions, &facts, why);
	}
	return ret;
}
