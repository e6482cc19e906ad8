/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread for the calls of one listener.
 */
#ifndef MPU_NOTIFY_LANE_H
#define MPU_NOTIFY_LANE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "engines/notify/budget.h"
#include "engines/notify/call.h"
#include "engines/notify/caller.h"

/**
 * struct lane - a thread and what it works on
 * @next:	for the owner's list
 * @fd:		the listener; closed by lane_end()
 * @index:	of its slot
 * @last:	thread that made the last call
 * @in_row:	calls of @last with none of another thread in between
 * @budget:	that its container has for all of its lanes
 * @charged, @cpu: when the thread last charged it, and the CPU time it had used by then
 * @sync:	the kernel is to wake the thread on the caller's CPU, and back
 * @over:	nobody is left under the filter: the thread is to end
 * @ended:	the thread has ended
 */
struct lane {
	struct lane *next;
	struct call_context context;
	struct caller caller;
	int fd;
	u32 index;
	pthread_t thread;
	u32 last;
	u32 in_row;
	struct budget *budget;
	u64 charged, cpu;
	bool sync;
	bool over;
	_Atomic bool ended;
};

/** lane_is_over() - has the last process under a listener's filter gone? */
bool lane_is_over(int fd);

/** lane_init() - once, before the first lane */
void lane_init(void);

/**
 * lane_start() - handle the calls of a listener from now on
 * @fd:		taken over
 *
 * Return: NULL and errno.
 */
struct lane *lane_start(struct state *state, u32 index, int fd);

/** lane_wake() - interrupt a lane that waits for a call, to see that it is over */
void lane_wake(struct lane *lane);

/** lane_end() - free a lane that has ended */
void lane_end(struct lane *lane);

#endif /* MPU_NOTIFY_LANE_H */
