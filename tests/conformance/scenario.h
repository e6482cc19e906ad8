/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scenario most cases play in.
 *
 *	host		the one whose answers are taken for complete
 *	mounts		a container with the host's PIDs
 *	a, a2		container A
 *	b		container B inside A
 *	c		container C inside B
 *	d, d2		container D beside A
 *	rootless	a container with a user namespace of its own
 *	guest		started on the host, in A's PID namespace
 *	idle		in A, no GPU process
 */
#ifndef MPU_TESTS_CONFORMANCE_SCENARIO_H
#define MPU_TESTS_CONFORMANCE_SCENARIO_H

#include "tests/conformance/ask.h"
#include "tests/conformance/fixture.h"

struct scenario {
	struct actor *host, *mounts;
	struct actor *a, *a2, *idle, *guest;
	struct actor *b, *c;
	struct actor *d, *d2;
	struct actor *rootless;
	u32 class;		/* compute class they have objects of */
};

/** scenario_open() - fork them all and start their GPU work; false: failed */
bool scenario_open(struct scenario *scenario);

/** scenario_open_small() - the same of host, a and d only */
bool scenario_open_small(struct scenario *scenario);

/** scenario_new_process() - a new actor with GPU work of its own size */
struct actor *scenario_new_process(struct actor *parent, enum actor_place place);

/** scenario_start_work() - the same for an actor that is there already */
bool scenario_start_work(struct actor *actor, u32 *class);

/**
 * question_name_two() - let a question be about two processes
 *
 * @seer, and @scenario's d, which @seer cannot see, by its global number.
 */
void question_name_two(const struct scenario *scenario, const struct actor *seer,
		       struct question *q);

/**
 * actor_has_entry_path() - does the kernel have this way of a call (enum entry_path)?
 *
 * Where that cannot be found out the case is failed.
 */
bool actor_has_entry_path(struct actor *actor, u32 path);

/** actor_sees_no_stranger() - does no list name a stranger? It may lack processes */
bool actor_sees_no_stranger(struct scenario *scenario, struct actor *seer);
/** actor_sees_right_lists() - is every list what @seer may see of it? */
bool actor_sees_right_lists(struct scenario *scenario, struct actor *seer);
/** actor_sees_right() - is the memory of each process, too? Else the case is failed. */
bool actor_sees_right(struct scenario *scenario, struct actor *seer);

#endif /* MPU_TESTS_CONFORMANCE_SCENARIO_H */
