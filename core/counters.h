/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The counters of a PID control. Each engine counts some, and has a list of them.
 */
#ifndef MPU_CORE_COUNTERS_H
#define MPU_CORE_COUNTERS_H

#include "env.h"

/* Counts of one pass of the rule, without "no process". */
struct mpu_tally {
	u32 seen;
	u32 hidden;	/* PIDs of these that the caller may not see */
};

/* X(enumerator, name), for each counter; man mpu tells users what they mean. */
#define MPU_EACH_COUNTER(X)						\
	/* calls whose answer reached the caller, in its own numbers */	\
	X(MPU_TRANSLATED, "translated")					\
	/* PIDs met in them */						\
	X(MPU_SEEN, "seen")						\
	/* those of them not shown */					\
	X(MPU_HIDDEN, "hidden")						\
	/* calls of a size that the table does not have */		\
	X(MPU_ODD_SIZE, "odd_size")					\
	/* calls that the driver gave no answer to (RM status) */	\
	X(MPU_REFUSED, "refused")					\
	/* calls whose memory could not be read or written */		\
	X(MPU_FAULT, "fault")						\
	/* the same, where only the engine could not read it: refused */ \
	X(MPU_UNREADABLE, "unreadable")					\
	/* calls that there was no memory to translate: refused */	\
	X(MPU_NO_MEMORY, "no_memory")					\
	/* calls that could not be translated: refused */		\
	X(MPU_IMPOSSIBLE, "impossible")					\
	/* calls that only the caller itself can make: refused */	\
	X(MPU_OWN, "own")

#define MPU_ENUMERATOR(counter, name) counter,
enum mpu_counter {
	MPU_EACH_COUNTER(MPU_ENUMERATOR)
	MPU_COUNTERS
};
#undef MPU_ENUMERATOR

#ifndef __bpf__
#define MPU_NAME(counter, name) name,
static const char *const mpu_counter_names[MPU_COUNTERS]
	__attribute__((__unused__)) = {
	MPU_EACH_COUNTER(MPU_NAME)
};
#undef MPU_NAME
#endif

#endif /* MPU_CORE_COUNTERS_H */
