/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A limit of the CPU time that the worker spends on the calls of one container, and by
 * which a container could slow the host down: to handle a call takes up to nine times as
 * long as to make it (/dev/null, Linux 6.18). Beyond its share the container waits.
 */
#ifndef MPU_NOTIFY_BUDGET_H
#define MPU_NOTIFY_BUDGET_H

#include <pthread.h>

#include "core/env.h"

#define BUDGET_PERCENT	50		/* per cent of one CPU, unless told otherwise */
#define BUDGET_ADVANCE	1000000000ull	/* ns that may be taken at once */
#define BUDGET_PERIOD	10000000ull	/* ns of a thread between two charges */

/**
 * struct budget - of one container: each exec is one more listener, and all of their
 * threads have it together
 * @next, @users: of budget_join()
 * @name:	of the container; empty: not known, and the budget is one thread's
 * @percent:	of one CPU is the share; with 100 one thread never has to rest
 * @lock:	of the rest
 * @charged:	when it was charged last, 0: never
 * @taken:	ns beyond its share
 */
struct budget {
	struct budget *next;
	unsigned int users;
	const char *name;
	unsigned int percent;
	pthread_mutex_t lock;
	u64 charged;
	u64 taken;
};

/**
 * budget_join() - find or make the budget of a container
 *
 * Return: the budget, the caller's to leave, or NULL: there is no memory.
 */
struct budget *budget_join(const char *name, unsigned int percent);

/** budget_leave() - the last to leave one frees it; NULL is none */
void budget_leave(struct budget *budget);

/**
 * budget_charge() - account for CPU time
 * @now:	nanoseconds, of a clock that does not jump
 * @used:	CPU time that a thread has used since it last charged it
 *
 * Return: how many nanoseconds the thread is to rest.
 */
u64 budget_charge(struct budget *budget, u64 now, u64 used);

#endif /* MPU_NOTIFY_BUDGET_H */
