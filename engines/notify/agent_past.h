/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an agent that was stopped or killed leaves to the next one: no manager
 * keeps its descriptors then, but the worker that serves its containers has them.
 */
#ifndef MPU_NOTIFY_AGENT_PAST_H
#define MPU_NOTIFY_AGENT_PAST_H

#include <sys/types.h>

#include "core/env.h"

struct keeper;

/** past_start() - when a process started, in ticks since boot; 0: it is gone */
u64 past_start(pid_t pid);

/**
 * past_note() - have it known where they are: of each worker, as soon as it lives
 * @sock:	the agent's, bound to a path: the note is beside it
 */
void past_note(const struct keeper *keeper, int sock);

/** past_forget() - a note that is of no use any more */
void past_forget(int sock);

/**
 * past_adopt() - take over what a note tells of
 * @keeper:	receives state and listeners
 * @worker:	receives who has them, 0: there is no note, or nobody is left
 *
 * Return: 0 or negative errno: they are left to their worker.
 */
int past_adopt(struct keeper *keeper, int sock, pid_t *worker);

#endif /* MPU_NOTIFY_AGENT_PAST_H */
