/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread for the calls of one listener.
 */
#ifndef MPU_NOTIFY_LISTENER_THREAD_H
#define MPU_NOTIFY_LISTENER_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "engines/notify/budget.h"
#include "engines/notify/call.h"
#include "engines/notify/caller.h"

/**
 * struct listener_thread - a thread and what it works on
 * @next:	for the owner's list
 * @fd:		the listener; closed by listener_thread_end()
 * @index:	of its slot
 * @last:	thread that made the last call
 * @in_row:	calls of @last with none of another thread in between
 * @budget:	that its container has for all of its threads
 * @charged, @cpu: when the thread last charged it, and the CPU time it had used by then
 * @sync:	the kernel is to wake the thread on the caller's CPU, and back
 * @over:	nobody is left under the filter: the thread is to end
 * @ended:	the thread has ended
 */
struct listener_thread {
	struct listener_thread *next;
	struct call_context context;
	struct caller caller;
	int fd;
	u32 index;
	pthread_t id;
	u32 last;
	u32 in_row;
	struct budget *budget;
	u64 charged, cpu;
	bool sync;
	bool over;
	_Atomic bool ended;
};

/** listener_thread_is_over() - has the last process under a listener's filter gone? */
bool listener_thread_is_over(int fd);

/** listener_thread_init() - once, before the first thread */
void listener_thread_init(void);

/**
 * listener_thread_start() - handle the calls of a listener from now on
 * @fd:		taken over
 *
 * Return: NULL and errno.
 */
struct listener_thread *listener_thread_start(struct state *state, u32 index, int fd);

/** listener_thread_wake() - interrupt a thread that waits for a call, to see that it is over */
void listener_thread_wake(struct listener_thread *thread);

/** listener_thread_end() - free a thread that has ended */
void listener_thread_end(struct listener_thread *thread);

#endif /* MPU_NOTIFY_LISTENER_THREAD_H */
