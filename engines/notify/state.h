/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State that outlives a worker: memory shared by the worker, which handles calls, and
 * the monitor, which starts the next one. One slot per listener.
 */
#ifndef MPU_NOTIFY_STATE_H
#define MPU_NOTIFY_STATE_H

#include <linux/seccomp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/env.h"
#include "core/row.h"
#include "core/controls.h"
#include "core/counters.h"

#define STATE_SLOTS	10240
#define STATE_NAME	80	/* a container's id has 64 characters */

/* Counted by control; one more for calls of which that cannot be told. */
#define NOTIFY_UNKNOWN	MPU_CONTROLS
#define NOTIFY_CONTROLS	(MPU_CONTROLS + 1)

/** notify_control_name() - for people, @control below NOTIFY_CONTROLS */
const char *notify_control_name(unsigned int control);

/**
 * struct slot - one listener
 *
 * Up to and with @fd it never changes: see struct old_state.
 *
 * @name:	the container's id; empty: not known, or not yet
 * @request:	the call being handled, received right here: if its worker is
 *		killed, the next one finds it. All zero between two calls. The
 *		kernel's structure may grow, hence the room.
 * @fd:		the listener's number in the worker, below 0 if it is not there
 * @tries:	workers that died of handling @request: see listener_thread.c
 * @waiting:	the worker could not start a thread for it, and tries again
 * @calls:	received so far
 * @abandoned:	calls that were refused because they had killed two workers
 * @count:	per control; written by the slot's worker alone
 */
struct slot {
	char name[STATE_NAME];
	union {
		struct seccomp_notif request;
		u8 room[256];
	};
	_Atomic int fd;
	_Atomic u32 tries;
	_Atomic bool waiting;
	_Atomic u64 calls;
	_Atomic u64 abandoned;
	_Atomic u64 count[NOTIFY_CONTROLS][MPU_COUNTERS];
} __attribute__((__aligned__(4096)));

/**
 * struct totals - sums over several slots
 */
struct totals {
	_Atomic u64 calls;
	_Atomic u64 abandoned;
	_Atomic u64 count[NOTIFY_CONTROLS][MPU_COUNTERS];
};

/**
 * struct state - the whole memory
 *
 * Up to and with @worker_start it never changes; the slots are its end.
 *
 * @version:	of its layout: a newer program may find an older one's
 * @worker:	PID of the worker; 0: none, it is about to be started again
 * @worker_start: when it started, as in /proc: a PID may be given again
 * @restarts:	workers that have died, and had to be replaced
 * @twin:	PID of the process that shares the agent's descriptors; 0: none
 * @twin_start:	when it started
 * @cpu_percent: see struct monitor_options
 * @pass_unknown: the same
 * @adopted:	if the monitor dies the next agent takes over, and the worker makes no
 *		other monitor
 * @leaving:	the monitor went on purpose; no other is to come
 * @gone:	sums of the slots that are free again
 * @used:	which slots are in use; outside of them, so that a look at all of
 *		them takes no memory
 */
struct state {
	u32 version;
	_Atomic int worker;
	_Atomic u64 worker_start;
	_Atomic u64 restarts;
	_Atomic int twin;
	_Atomic u64 twin_start;
	_Atomic u32 cpu_percent;
	_Atomic bool pass_unknown;
	_Atomic bool adopted;
	_Atomic bool leaving;
	struct totals gone;
	_Atomic bool used[STATE_SLOTS];
	struct slot slot[STATE_SLOTS];
};

/**
 * state_new() - memory for all slots; none of it is taken before it is used
 * @fd:	receives its descriptor, to be kept or handed on
 *
 * Return: NULL and errno.
 */
struct state *state_new(int *fd);

/**
 * state_map() - map memory that was handed on; NULL and errno, EPROTO: it is of
 * another version
 */
struct state *state_map(int fd);

/**
 * struct old_state - memory that a program of another version left
 * @memory:	all of it, @size bytes
 * @stride:	bytes of one slot
 */
struct old_state {
	char *memory;
	size_t size, stride;
};

/** old_state_map() - map it, to be unmapped by the caller. Return: 0 or negative errno */
int old_state_map(struct old_state *old, int fd);

/** old_state_head() - its fields up to worker_start */
static inline const struct state *old_state_head(const struct old_state *old)
{
	return (const struct state *)old->memory;
}

/** old_state_slot() - a slot of it, of which the fields up to fd can be read */
const struct slot *old_state_slot(const struct old_state *old, unsigned int index);

/** slot_set_name() - name a slot, whose worker may be reading: its name is whole, or empty */
void slot_set_name(struct slot *slot, const char *name);

/** slot_carry_over() - take the name and the call in hand of an old_state_slot() */
void slot_carry_over(struct slot *slot, const struct slot *old);

/** totals_add() - add what a slot has counted */
void totals_add(struct totals *totals, const struct slot *slot);

/** slot_free() - free a slot that the worker is done with; its sums are kept */
void slot_free(struct state *state, unsigned int index);

#endif /* MPU_NOTIFY_STATE_H */
