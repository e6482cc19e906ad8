/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu fleet: many nodes' answers of mpu doctor, digested.
 */
#ifndef MPU_CLI_FLEET_H
#define MPU_CLI_FLEET_H

#include "cli/fleet_count.h"
#include "cli/tool.h"

extern const struct tool tool_fleet;	/* mpu fleet */

/** fleet_print_report() - how many nodes have what, for people or as JSON */
void fleet_print_report(const struct fleet *fleet, bool json);

/* Is it one of those that are asked for? */
typedef bool (*fleet_test)(const struct fleet *fleet,
			   const struct fleet_node *node);

/** fleet_print_nodes() - names of nodes, or all that is known of them as JSON */
void fleet_print_nodes(const struct fleet *fleet, fleet_test wanted, bool json);

#endif /* MPU_CLI_FLEET_H */
