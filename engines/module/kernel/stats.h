/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened, counted: /sys/kernel/mpu/controls.
 */
#ifndef MPU_STATS_H
#define MPU_STATS_H

#include <linux/types.h>

/* How a translated call ended. Each has a counter per control. */
enum mpu_outcome {
	MPU_TRANSLATED,	/* the answer reached the caller in its own numbers */
	MPU_REFUSED,	/* the driver gave no answer (RM status) */
	MPU_FAULT,	/* the caller's memory could not be read or written */
	MPU_NO_MEMORY,	/* no memory to keep the caller's numbers: refused */
	MPU_OUTCOMES,
};

struct kobject;

/* Make the folder of counters below @parent. */
int mpu_stats_init(struct kobject *parent);
void mpu_stats_exit(void);

/**
 * mpu_stats_count() - count one call
 * @control:	index of the control (struct mpu_row)
 * @outcome:	how it ended
 * @seen:	PIDs met
 * @hidden:	those of them not shown
 */
void mpu_stats_count(u32 control, enum mpu_outcome outcome, u32 seen,
		     u32 hidden);

/* Count a call of that control with a paramsSize that is not in the table. */
void mpu_stats_odd(u32 control);

#endif /* MPU_STATS_H */
