// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting nodes: see fleet_count.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fleet_count.h"

const char *const fleet_column_names[FLEET_COLUMNS] = {
	[FLEET_ENGINE] = "engine", [FLEET_DRIVER] = "driver",
	[FLEET_FLAVOUR] = "flavour", [FLEET_KERNEL] = "kernel",
	[FLEET_MPU] = "mpu", [FLEET_FINDING] = "finding",
};

static void free_value(struct fleet_value *value)
{
	if (value) {
		free(value->text);
		free(value->example);
	}
	free(value);
}

static struct fleet_value *new_value(const char *text, const char *example)
{
	struct fleet_value *value = calloc(1, sizeof(*value));

	if (!value)
		return NULL;
	value->text = strdup(text);
	value->example = strdup(example);
	if (value->text && value->example)
		return value;
	free_value(value);
	return NULL;
}

/* The one of this text, a new one if need be; NULL: no memory. */
static struct fleet_value *take_value(struct fleet_values *values,
				      const char *text, const char *example)
{
	struct fleet_value **grown, *value;
	size_t i;

	for (i = 0; i < values->n; i++)
		if (!strcmp(values->value[i]->text, text))
			return values->value[i];
	grown = reallocarray(values->value, values->n + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	values->value = grown;
	value = new_value(text, example);
	if (value)
		grown[values->n++] = value;
	return value;
}

static int add_findings(struct fleet *fleet, struct fleet_node *node,
			const struct findings *findings)
{
	struct fleet_value *value;
	size_t i;

	node->finding = calloc(findings->count + 1, sizeof(*node->finding));
	if (!node->finding)
		return -ENOMEM;
	for (i = 0; i < findings->count; i++) {
		const struct finding *one = &findings->finding[i];

		if (one->verdict == FINE)
			continue;
		value = take_value(&fleet->column[FLEET_FINDING], one->id,
				   one->found);
		if (!value)
			return -ENOMEM;
		if (one->verdict > value->verdict)
			value->verdict = one->verdict;
		node->finding[node->findings++] = value;
	}
	return 0;
}

static int fill_node(struct fleet *fleet, struct fleet_node *node,
		     const struct node_state *state)
{
	const char *const text[FLEET_FINDING] = {
		[FLEET_ENGINE] = state->engine, [FLEET_DRIVER] = state->driver,
		[FLEET_FLAVOUR] = state->flavour, [FLEET_KERNEL] = state->kernel,
		[FLEET_MPU] = state->mpu,
	};
	size_t i;

	for (i = 0; i < FLEET_FINDING; i++) {
		node->value[i] = take_value(&fleet->column[i],
					    *text[i] ? text[i] : "none", "");
		if (!node->value[i])
			return -ENOMEM;
	}
	memcpy(node->time, state->time, sizeof(node->time));
	node->name = strdup(state->node);
	return node->name ? add_findings(fleet, node, &state->findings) : -ENOMEM;
}

static void free_node(struct fleet_node *node)
{
	free(node->name);
	free(node->finding);
}

int fleet_add(struct fleet *fleet, const struct node_state *state)
{
	size_t room = fleet->room ? 2 * fleet->room : 64;
	struct fleet_node *grown, *node;
	int ret;

	if (fleet->nodes == fleet->room) {
		grown = reallocarray(fleet->node, room, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		fleet->node = grown;
		fleet->room = room;
	}
	node = &fleet->node[fleet->nodes];
	*node = (struct fleet_node){ 0 };
	ret = fill_node(fleet, node, state);
	if (ret)
		free_node(node);
	else
		fleet->nodes++;
	return ret;
}

int fleet_refuse(struct fleet *fleet, const char *file, const char *why)
{
	int ret = words_add_format(&fleet->refused, "%s: %s", file, why);

	if (!ret)
		why_clean(fleet->refused.word[fleet->refused.n - 1]);
	return ret;
}

/* By name; documents of one node: the newest first. */
static int compare_nodes(const void *a, const void *b)
{
	const struct fleet_node *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order ? order : strcmp(other->time, one->time);
}

static void drop_older(struct fleet *fleet)
{
	size_t i, n = 0;

	if (fleet->nodes)
		qsort(fleet->node, fleet->nodes, sizeof(*fleet->node),
		      compare_nodes);
	for (i = 0; i < fleet->nodes; i++)
		if (n && !strcmp(fleet->node[n - 1].name, fleet->node[i].name))
			free_node(&fleet->node[i]);
		else
			fleet->node[n++] = fleet->node[i];
	fleet->older += fleet->nodes - n;
	fleet->nodes = n;
}

/* The column of "COLUMN=VALUE", and where its value stands; FLEET_COLUMNS: none. */
static enum fleet_column split(const char *condition, const char **value)
{
	size_t len = strcspn(condition, "=");
	enum fleet_column column;

	*value = condition + len + 1;
	for (column = 0; condition[len] && column < FLEET_COLUMNS; column++)
		if (len == strlen(fleet_column_names[column]) &&
		    !strncmp(condition, fleet_column_names[column], len))
			break;
	return condition[len] ? column : FLEET_COLUMNS;
}

#define BY_NAME	"node="

static int check_condition(const char *condition, char why[WHY_SIZE])
{
	const char *value;

	if (split(condition, &value) < FLEET_COLUMNS ||
	    !strncmp(condition, BY_NAME, strlen(BY_NAME)))
		return 0;
	return why_fail(why, -EINVAL, "--only %s: give it engine, driver, flavour, kernel, mpu, finding or node, and behind a = what that has to be",
			condition);
}

static bool fulfils(const struct fleet_node *node, const char *condition)
{
	const char *value;
	enum fleet_column column = split(condition, &value);
	size_t i;

	if (column == FLEET_COLUMNS)
		return !strcmp(node->name, condition + strlen(BY_NAME));
	if (column < FLEET_FINDING)
		return !strcmp(node->value[column]->text, value);
	for (i = 0; i < node->findings; i++)
		if (!strcmp(node->finding[i]->text, value))
			return true;
	return false;
}

static void count_node(struct fleet *fleet, struct fleet_node *node)
{
	size_t i;

	fleet->chosen++;
	for (i = 0; i < FLEET_FINDING; i++)
		node->value[i]->nodes++;
	for (i = 0; i < node->findings; i++)
		node->finding[i]->nodes++;
}

static int compare_values(const void *a, const void *b)
{
	const struct fleet_value *const *one = a, *const *other = b;

	if ((*one)->verdict != (*other)->verdict)
		return (*one)->verdict > (*other)->verdict ? -1 : 1;
	if ((*one)->nodes != (*other)->nodes)
		return (*one)->nodes > (*other)->nodes ? -1 : 1;
	return strcmp((*one)->text, (*other)->text);
}

int fleet_count(struct fleet *fleet, const struct words *only, char why[WHY_SIZE])
{
	size_t i, k;
	int ret = 0;

	for (k = 0; !ret && k < only->n; k++)
		ret = check_condition(only->word[k], why);
	if (ret)
		return ret;
	drop_older(fleet);
	for (i = 0; i < fleet->nodes; i++) {
		struct fleet_node *node = &fleet->node[i];

		node->chosen = true;
		for (k = 0; node->chosen && k < only->n; k++)
			node->chosen = fulfils(node, only->word[k]);
		if (node->chosen)
			count_node(fleet, node);
	}
	for (i = 0; i < FLEET_COLUMNS; i++)
		if (fleet->column[i].n)
			qsort(fleet->column[i].value, fleet->column[i].n,
			      sizeof(*fleet->column[i].value), compare_values);
	return 0;
}

const struct fleet_value *fleet_usual(const struct fleet *fleet,
				      enum fleet_column column)
{
	const struct fleet_values *values = &fleet->column[column];

	return values->n && values->value[0]->nodes * 2 > fleet->chosen ?
	       values->value[0] : NULL;
}

bool fleet_is_unlike(const struct fleet *fleet, const struct fleet_node *node)
{
	const struct fleet_value *usual;
	enum fleet_column column;

	for (column = 0; node->chosen && column < FLEET_FINDING; column++) {
		usual = fleet_usual(fleet, column);
		if (usual && node->value[column] != usual)
			return true;
	}
	return false;
}

bool fleet_is_first(const struct fleet *fleet, const struct fleet_node *node)
{
	const struct fleet_node *other;

	for (other = fleet->node; other < node; other++)
		if (other->chosen &&
		    !memcmp(other->value, node->value, sizeof(node->value)))
			return false;
	return node->chosen;
}

bool fleet_has_problem(const struct fleet *fleet)
{
	const struct fleet_values *findings = &fleet->column[FLEET_FINDING];
	size_t i;

	for (i = 0; i < findings->n; i++)
		if (findings->value[i]->verdict == PROBLEM &&
		    findings->value[i]->nodes)
			return true;
	return false;
}

static void free_values(struct fleet_values *values)
{
	size_t i;

	for (i = 0; i < values->n; i++)
		free_value(values->value[i]);
	free(values->value);
}

void fleet_free(struct fleet *fleet)
{
	size_t i;

	for (i = 0; i < fleet->nodes; i++)
		free_node(&fleet->node[i]);
	free(fleet->node);
	for (i = 0; i < FLEET_COLUMNS; i++)
		free_values(&fleet->column[i]);
	words_free(&fleet->refused);
	*fleet = (struct fleet){ 0 };
}
