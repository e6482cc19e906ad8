/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Handover from an agent that was stopped or killed to the next one: no manager keeps
 * its descriptors then, but the worker that serves its containers has them.
 */
#ifndef MPU_NOTIFY_AGENT_HANDOVER_H
#define MPU_NOTIFY_AGENT_HANDOVER_H

#include <sys/types.h>

#include "core/env.h"

struct monitor;
struct state;

/** handover_start() - when a process started, in ticks since the machine did; 0: it is gone */
u64 handover_start(pid_t pid);

/**
 * handover_kill() - kill a worker, and wait until it is dead
 * @start:	its handover_start(); another process of its PID is left alone
 *
 * As long as it lives it may still receive a call, into a slot that is its
 * successor's by then: that call would hang for ever.
 *
 * Return: 0, or -ETIMEDOUT: a thread of it is in the hands of the kernel, or of a
 * container's own file system. Such a thread receives no calls.
 */
int handover_kill(pid_t pid, u64 start);

/**
 * handover_write_note() - write down which worker has state and listeners, to be done
 * as soon as a worker lives
 * @sock:	the agent's, bound to a path: the note is a file beside it
 */
void handover_write_note(const struct monitor *monitor, int sock);

/** handover_remove_note() - remove a note that is of no use any more */
void handover_remove_note(int sock);

/**
 * handover_adopt() - take state and listeners over from the worker that a note names
 * @monitor:	receives them
 * @worker:	receives the PID of that worker, 0: there is no note, or no worker
 *
 * Return: 0, or negative errno: they are left to that worker.
 */
int handover_adopt(struct monitor *monitor, int sock, pid_t *worker);

/**
 * handover_start_twin() - take connections over from the twin of the agent before, which
 * ends, and start another
 * @sock:	the agent's, to which they were made
 * @take:	called with each connection
 *
 * A connection that was accepted is the agent's alone, and with it a listener that has
 * not reached the manager: an agent that is killed would lose both. A twin is a process
 * that does nothing, and shares the descriptors, those of the future, too.
 *
 * Return: 0 or negative errno: there is none.
 */
int handover_start_twin(struct state *state, int sock, void (*take)(int sock));

/** handover_end_twin() - end it: nobody is in the agent's hands any more */
void handover_end_twin(struct state *state);

#endif /* MPU_NOTIFY_AGENT_HANDOVER_H */
