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

/** past_start() - when a process started, as proc_start(); 0: it is gone */
u64 past_start(pid_t pid);

/**
 * past_write_note() - write down which worker has state and listeners, to be done
 * as soon as a worker lives
 * @sock:	the agent's, bound to a path: the note is a file beside it
 */
void past_write_note(const struct keeper *keeper, int sock);

/** past_remove_note() - remove a note that is of no use any more */
void past_remove_note(int sock);

/**
 * past_adopt() - take state and listeners over from the worker that a note names
 * @keeper:	receives them
 * @worker:	receives the PID of that worker, 0: there is no note, or no worker
 *
 * Return: 0, or negative errno: they are left to that worker.
 */
int past_adopt(struct keeper *keeper, int sock, pid_t *worker);

#endif /* MPU_NOTIFY_AGENT_PAST_H */
