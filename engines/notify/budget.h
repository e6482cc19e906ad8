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
#define BUDGET_LOOK	10000000ull	/* ns between two looks at it */

/**
 * struct budget - of one thread
 * @percent:	of one CPU is its share; with 100 it never has to rest
 * @looked:	when it was looked at last, 0: never
 * @cpu:	what the thread had used by then
 * @taken:	ns beyond its share
 */
struct budget {
	unsigned int percent;
	u64 looked;
	u64 cpu;
	u64 taken;
};

/** budget_is_due() - is it worth a look? */
static inline bool budget_is_due(const struct budget *budget, u64 now)
{
	return now - budget->looked >= BUDGET_LOOK;
}

/**
 * budget_look() - account for what was used since the last look
 * @now:	nanoseconds, of a clock that does not jump
 * @cpu:	that the thread has used since it began
 *
 * Return: how many nanoseconds it is to rest.
 */
u64 budget_look(struct budget *budget, u64 now, u64 cpu);

#endif /* MPU_NOTIFY_BUDGET_H */
