/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps that the parts of plan_edits() share.
 */
#ifndef MPU_CONTAINER_PLAN_PLANNER_H
#define MPU_CONTAINER_PLAN_PLANNER_H

#include "container/plan/edits.h"
#include "container/plan/inputs.h"

/**
 * struct planner - a list that is being made
 * @failed:	there was no memory for some of it
 */
struct planner {
	const struct plan_inputs *plan;
	struct edits *edits;
	bool failed;
};

/** planner_text() - a string, or NULL and @planner->failed */
char *planner_text(struct planner *planner, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * planner_add() - add an edit, for a reason
 * @edit:	as of edits_add()
 * @input:	what asked for it
 */
void planner_add(struct planner *planner, struct edit *edit, const char *input,
		 const char *rule, ...) __attribute__((format(printf, 4, 5)));

/** planner_lack() - say what is not there */
void planner_lack(struct planner *planner, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** planner_index() - the number that GPUs are chosen by */
size_t planner_index(const struct planner *planner, const struct gpu *gpu);

/** planner_add_nodes() - nodes of the driver, of GPUs, of MIG devices, of IMEX */
void planner_add_nodes(struct planner *planner);

/** planner_add_proc() - what of /proc/driver/nvidia is shown, and hidden */
void planner_add_proc(struct planner *planner);

/**
 * planner_add_cache() - a new ld.so.cache, if the image's own does not lead to the
 * libraries that the list has
 */
void planner_add_cache(struct planner *planner);

#endif /* MPU_CONTAINER_PLAN_PLANNER_H */
