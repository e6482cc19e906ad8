// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu.ko: every container sees its own GPU processes, by its own PIDs.
 */
#include <linux/module.h>

#include "internal.h"

static int __init mpu_init(void)
{
	int err;

	err = mpu_sysfs_init();
	if (err)
		return err;
	err = mpu_driver_init();
	if (err)
		mpu_sysfs_exit();
	return err;
}

static void __exit mpu_exit(void)
{
	mpu_driver_exit();
	mpu_sysfs_exit();
}

module_init(mpu_init);
module_exit(mpu_exit);

MODULE_DESCRIPTION("PID namespaces for the NVIDIA driver's answers");
MODULE_AUTHOR("The MPU developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(MPU_VERSION);
