/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a task began, on the clock that goes on while the machine sleeps: named start_boottime
 * since 5.5 (kernel commit cf25e24db61c), real_start_time before. Kbuild asks the headers which.
 */
#ifndef MPU_COMPAT_TASK_H
#define MPU_COMPAT_TASK_H

#include <linux/sched.h>

#ifdef MPU_START_BOOTTIME
#define mpu_task_boottime(task) ((task)->start_boottime)
#else
#define mpu_task_boottime(task) ((task)->real_start_time)
#endif

#endif /* MPU_COMPAT_TASK_H */
