/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened, for people: /sys/kernel/mpu.
 */
#ifndef MPU_STATS_H
#define MPU_STATS_H

#include <linux/types.h>

struct mpu_tally;

/* How a translated call ended. Each has a counter per control. */
enum mpu_outcome {
	MPU_TRANSLATED,	/* the answer reached the caller in its own numbers */
	MPU_REFUSED,	/* the driver gave no answer (RM status) */
	MPU_FAULT,	/* the caller's memory could not be read or written */
	MPU_NO_MEMORY,	/* no memory to keep the caller's numbers: refused */
	MPU_OUTCOMES,
};

int mpu_stats_init(void);
void mpu_stats_exit(void);

/* Count one call of the control with index @control (struct mpu_row). */
void mpu_stats_count(u32 control, enum mpu_outcome outcome,
		     const struct mpu_tally *tally);

/* Count a call of that control with a paramsSize that is not in the table. */
void mpu_stats_odd(u32 control);

#endif /* MPU_STATS_H */
