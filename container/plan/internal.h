/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps that the parts of plan_edits() share.
 */
#ifndef MPU_CONTAINER_PLAN_INTERNAL_H
#define MPU_CONTAINER_PLAN_INTERNAL_H

#include "container/plan/plan.h"
#include "lib/xalloc.h"

/**
 * struct planner - a list that is being made
 */
struct planner {
	const struct plan_inputs *plan;
	struct edits *edits;
};

/* files.c */
void planner_add(struct planner *planner, struct edit *edit, const char *input,
		 const char *rule, ...) __attribute__((format(printf, 4, 5)));

/* nodes.c, proc.c */
void planner_add_nodes(struct planner *planner);
void planner_add_proc(struct planner *planner);

#endif /* MPU_CONTAINER_PLAN_INTERNAL_H */
