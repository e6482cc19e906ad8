/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many nodes, and how many of them have what.
 */
#ifndef MPU_CLI_FLEET_COUNT_H
#define MPU_CLI_FLEET_COUNT_H

#include "cli/doctor/node_state.h"
#include "lib/words.h"

/* What nodes are counted by. Of the last one a node has many, of the others one. */
enum fleet_column {
	FLEET_ENGINE, FLEET_DRIVER, FLEET_FLAVOUR, FLEET_KERNEL, FLEET_MPU,
	FLEET_FINDING,
	FLEET_COLUMNS,
};

extern const char *const fleet_column_names[FLEET_COLUMNS];

/**
 * struct fleet_value - something that nodes have
 * @text:	"none": a node has none, or it is not known
 * @nodes:	chosen ones that have it
 * @verdict:	of a finding, the worst that a node gives it
 * @example:	of a finding, what was found on the first node that has it
 */
struct fleet_value {
	char *text;
	size_t nodes;
	enum verdict verdict;
	char *example;
};

/**
 * struct fleet_values - those of one column; once counted, the most frequent first;
 * findings: the worst first
 */
struct fleet_values {
	struct fleet_value **value;
	size_t n;
};

/**
 * struct fleet_node - a node, as its newest document has it
 * @value:	of each column but the last
 * @finding:	those that are not fine
 * @chosen:	it is counted
 */
struct fleet_node {
	char *name;
	char time[sizeof(((struct node_state *)NULL)->time)];
	struct fleet_value *value[FLEET_FINDING];
	struct fleet_value **finding;
	size_t findings;
	bool chosen;
};

/**
 * struct fleet - all zeroes: an empty one
 * @node:	once counted, by name
 * @chosen:	how many are
 * @older:	documents of nodes that have a newer one
 * @refused:	a sentence for each file with documents that could not be read
 */
struct fleet {
	struct fleet_values column[FLEET_COLUMNS];
	struct fleet_node *node;
	size_t nodes;
	size_t room;
	size_t chosen;
	size_t older;
	struct words refused;
};

/** fleet_add() - one more document. Return: 0 or -ENOMEM */
int fleet_add(struct fleet *fleet, const struct node_state *state);

/** fleet_refuse() - a file that could not be read, or not all of it. Return: likewise */
int fleet_refuse(struct fleet *fleet, const char *file, const char *why);

/**
 * fleet_count() - leave one document of each node, and count those that have all of
 * some things
 * @only:	"COLUMN=VALUE" or "node=NAME" each
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int fleet_count(struct fleet *fleet, const struct words *only, char why[WHY_SIZE]);

/** fleet_usual() - what more than half of the chosen nodes have; NULL: nothing */
const struct fleet_value *fleet_usual(const struct fleet *fleet,
				      enum fleet_column column);

/**
 * fleet_is_unlike() - is it chosen, and has something else than most in a column?
 * Findings do not matter.
 */
bool fleet_is_unlike(const struct fleet *fleet, const struct fleet_node *node);

/**
 * fleet_is_first() - is it chosen, and of no chosen node before it all the same but the
 * findings? So there is one such node of each kind.
 */
bool fleet_is_first(const struct fleet *fleet, const struct fleet_node *node);

/** fleet_has_problem() - has a chosen node one? */
bool fleet_has_problem(const struct fleet *fleet);

void fleet_free(struct fleet *fleet);

#endif /* MPU_CLI_FLEET_COUNT_H */
