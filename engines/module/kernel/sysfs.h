/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /sys/kernel/mpu.
 */
#ifndef MPU_SYSFS_H
#define MPU_SYSFS_H

int mpu_sysfs_init(void);
void mpu_sysfs_exit(void);

#endif /* MPU_SYSFS_H */
