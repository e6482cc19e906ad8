/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of calls: /sys/kernel/mpu/controls.
 */
#ifndef MPU_STATS_H
#define MPU_STATS_H

#include <linux/types.h>

#include "core/counters.h"

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
void mpu_stats_count(u32 control, enum mpu_counter outcome, u32 seen,
		     u32 hidden);

/* Count a call of that control with a paramsSize that is not in the table. */
void mpu_stats_count_odd(u32 control);

#endif /* MPU_STATS_H */
