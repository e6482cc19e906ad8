/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reading made by hand, for tests of mpu top.
 */
#ifndef MPU_TESTS_UNIT_CLI_VIEW_TOP_WORLD_H
#define MPU_TESTS_UNIT_CLI_VIEW_TOP_WORLD_H

#include "cli/view/top/internal.h"

#define WORLD_OWNERS	8

/**
 * struct world - a reading, and what it points at
 * @room:	processes that it has room for
 */
struct world {
	struct usage usage;
	struct recent uses;
	size_t room;
	struct owner owner[WORLD_OWNERS];
	struct host_process *process;
};

/* Owners of its processes. */
enum world_owner {
	WORLD_NOBODY, WORLD_DOCKER, WORLD_POD, WORLD_POD_SIDE, WORLD_UNIT, WORLD_NAMELESS,
};

/* The small reading, taken once: before each test of mpu top. */
extern struct world world;
extern struct top top;

int world_start(void);
int world_stop(void);

/** press() - a key, on a screen of 80 columns */
enum top_step press(unsigned int key);

/** world_begin() - with the owners of enum world_owner, and no GPU; 14:03:22 UTC */
void world_begin(struct world *world, size_t room);

/** world_add_gpu() - a GPU of 80 GiB that nobody uses */
void world_add_gpu(struct world *world);

/** world_add() - a process; its GPU's figures grow. @sm: percent. Return: it */
struct host_process *world_add(struct world *world, size_t gpu, pid_t pid, enum world_owner owner,
			       uint32_t sm, uint64_t mib, const char *command);

/** world_small() - two GPUs and six processes of all kinds of owners */
void world_small(struct world *world);

/** world_take() - as top_take() of a reading that begins now */
void world_take(struct world *world, struct top *top);

void world_end(struct world *world);

/** world_start_child() - a process that waits for a signal. Return: its PID */
pid_t world_start_child(void);

/** world_text() - a screen as text, valid until the next call */
const char *world_text(const struct screen *screen);

#endif /* MPU_TESTS_UNIT_CLI_VIEW_TOP_WORLD_H */
