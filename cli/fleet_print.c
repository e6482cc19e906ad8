// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu fleet: the answers.
 */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/fleet.h"

/* As many nodes that are unlike most are shown; nodes --unlike shows all. */
#define SHOWN	20

static void print_column(const struct fleet *fleet, enum fleet_column column)
{
	const struct fleet_values *values = &fleet->column[column];
	size_t i;

	printf("\n%8s  %s\n", "nodes", fleet_column_names[column]);
	for (i = 0; i < values->n; i++)
		if (values->value[i]->nodes)
			printf("%8zu  %s\n", values->value[i]->nodes,
			       values->value[i]->text);
}

static void print_findings(const struct fleet *fleet)
{
	const struct fleet_values *findings = &fleet->column[FLEET_FINDING];
	bool any = false;
	size_t i;

	for (i = 0; i < findings->n; i++) {
		const struct fleet_value *one = findings->value[i];

		if (!one->nodes)
			continue;
		if (!any)
			printf("\n%8s  %-8s %-28s %s\n", "nodes", "verdict",
			       "finding", "for example");
		any = true;
		printf("%8zu  %-8s %-28s %s\n", one->nodes,
		       verdict_names[one->verdict], one->text, one->example);
	}
}

/* "node7: kernel 5.10.0-30-amd64, engine none" */
static void print_unlike(const struct fleet *fleet, const struct fleet_node *node)
{
	const char *separator = ": ";
	enum fleet_column column;

	printf("%10s%s", "", node->name);
	for (column = 0; column < FLEET_FINDING; column++) {
		const struct fleet_value *usual = fleet_usual(fleet, column);

		if (!usual || node->value[column] == usual)
			continue;
		printf("%s%s %s", separator, fleet_column_names[column],
		       node->value[column]->text);
		separator = ", ";
	}
	putchar('\n');
}

static void print_all_unlike(const struct fleet *fleet)
{
	size_t i, n = 0;

	for (i = 0; i < fleet->nodes; i++) {
		if (!fleet_is_unlike(fleet, &fleet->node[i]))
			continue;
		if (!n++)
			printf("\n%8s  unlike most\n", "nodes");
		if (n <= SHOWN)
			print_unlike(fleet, &fleet->node[i]);
	}
	if (n > SHOWN)
		printf("%10sand %zu more: mpu fleet nodes --unlike\n", "", n - SHOWN);
}

static struct json_object *describe_column(const struct fleet *fleet,
					   enum fleet_column column)
{
	const struct fleet_values *values = &fleet->column[column];
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < values->n; i++) {
		const struct fleet_value *value = values->value[i];
		struct json_object *one;

		if (!value->nodes)
			continue;
		one = json_object_new_object();
		member_add_text(one, fleet_column_names[column], value->text);
		member_add_number(one, "nodes", (int64_t)value->nodes);
		if (column == FLEET_FINDING) {
			member_add_text(one, "verdict", verdict_names[value->verdict]);
			member_add_text(one, "example", value->example);
		}
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *describe_node(const struct fleet_node *node)
{
	struct json_object *one = json_object_new_object();
	struct json_object *findings = json_object_new_array();
	enum fleet_column column;
	size_t i;

	member_add_text(one, "node", node->name);
	member_add_text(one, "time", node->time);
	for (column = 0; column < FLEET_FINDING; column++)
		member_add_text(one, fleet_column_names[column],
				node->value[column]->text);
	for (i = 0; i < node->findings; i++)
		json_object_array_add(findings,
			json_object_new_string(node->finding[i]->text));
	json_object_object_add(one, "findings", findings);
	return one;
}

static struct json_object *list_unlike(const struct fleet *fleet)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < fleet->nodes; i++)
		if (fleet_is_unlike(fleet, &fleet->node[i]))
			json_object_array_add(list,
				json_object_new_string(fleet->node[i].name));
	return list;
}

static void add_refused(struct json_object *answer, const struct fleet *fleet)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < fleet->refused.n; i++)
		json_object_array_add(list,
			json_object_new_string(fleet->refused.word[i]));
	json_object_object_add(answer, "refused", list);
}

static void print_report_json(const struct fleet *fleet)
{
	struct json_object *answer = json_object_new_object();
	enum fleet_column column;

	member_add_number(answer, "nodes", (int64_t)fleet->chosen);
	member_add_number(answer, "older", (int64_t)fleet->older);
	for (column = 0; column < FLEET_COLUMNS; column++)
		json_object_object_add(answer, fleet_column_names[column],
				       describe_column(fleet, column));
	json_object_object_add(answer, "unlike", list_unlike(fleet));
	add_refused(answer, fleet);
	cli_print_json(answer);
}

void fleet_print_report(const struct fleet *fleet, bool json)
{
	enum fleet_column column;

	if (json) {
		print_report_json(fleet);
		return;
	}
	printf("%8zu  nodes", fleet->chosen);
	if (fleet->older)
		printf("; %zu documents of nodes that have a newer one", fleet->older);
	putchar('\n');
	for (column = 0; fleet->chosen && column < FLEET_FINDING; column++)
		print_column(fleet, column);
	print_findings(fleet);
	print_all_unlike(fleet);
}

void fleet_print_nodes(const struct fleet *fleet, fleet_test wanted, bool json)
{
	struct json_object *answer = json_object_new_object();
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < fleet->nodes; i++) {
		const struct fleet_node *node = &fleet->node[i];

		if (!wanted(fleet, node))
			continue;
		if (json)
			json_object_array_add(list, describe_node(node));
		else
			puts(node->name);
	}
	json_object_object_add(answer, "nodes", list);
	add_refused(answer, fleet);
	if (json)
		cli_print_json(answer);
	else
		json_object_put(answer);
}
