/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The NVIDIA driver underneath: found, followed through unload and reload,
 * never held.
 */
#ifndef MPU_DRIVER_H
#define MPU_DRIVER_H

#include <linux/types.h>

/* Attach to the driver if it is there, now and whenever it comes. */
int mpu_driver_init(void);

/* Detach; waits for the calls in flight. */
void mpu_driver_exit(void);

/*
 * For sysfs; none of these waits. The name of the driver's module goes to @buf,
 * or "none": it is not there.
 */
ssize_t mpu_driver_name(char *buf);
/*
 * "direct" or "ftrace": seen at this moment in the driver's instructions;
 * "off": a driver is there, and its answers pass as they are; or "none".
 */
const char *mpu_driver_hook(void);
/* "driver": read by it in our sight; "caller": see call.h; or "none". */
const char *mpu_driver_arguments(void);

#endif /* MPU_DRIVER_H */
