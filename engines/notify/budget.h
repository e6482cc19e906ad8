/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU time that the calls of one container may take. Handling a call is up
 * to nine times the work of making it (/dev/null, Linux 6.18), and at the host's
 * cost: what is taken beyond a share the container waits for.
 */
#ifndef MPU_NOTIFY_BUDGET_H
#define MPU_NOTIFY_BUDGET_H

#include <stdbool.h>

#include "core/env.h"

#define BUDGET_PERCENT	50		/* of one CPU, unless told otherwise */
#define BUDGET_ADVANCE	1000000000ull	/* ns that may be taken at once */
#define BUDGET_PERIOD	10000000ull	/* ns between two charges */

/**
 * struct budget - of one thread
 * @percent:	of one CPU is its share; with 100 it never has to rest
 * @charged:	when it was charged last, 0: never
 * @cpu:	CPU time that the thread had used by then
 * @taken:	ns beyond its share
 */
struct budget {
	unsigned int percent;
	u64 charged;
	u64 cpu;
	u64 taken;
};

/** budget_is_due() - has so much time passed that a charge is worth its cost? */
static inline bool budget_is_due(const struct budget *budget, u64 now)
{
	return now - budget->charged >= BUDGET_PERIOD;
}

/**
 * budget_charge() - account for the CPU time used since the last charge
 * @now:	nanoseconds, of a clock that does not jump
 * @cpu:	CPU time that the thread has used since it began
 *
 * Return: how many nanoseconds the thread is to rest.
 */
u64 budget_charge(struct budget *budget, u64 now, u64 cpu);

#endif /* MPU_NOTIFY_BUDGET_H */
