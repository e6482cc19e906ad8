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
 * State for sysfs; none of these waits for calls. The name of the driver's module goes
 * to @buf, or "none": no driver is there.
 */
ssize_t mpu_driver_name(char *buf);

/*
 * Returns how the hooks are attached, "direct" or "ftrace", as the driver's
 * instructions say at this moment; "off": a driver is there, and its answers pass as
 * they are; "none": no driver is there.
 */
const char *mpu_driver_hook(void);

/*
 * Returns whose copy of a call's arguments is believed: "driver", "caller", or "none".
 */
const char *mpu_driver_arguments(void);

#endif /* MPU_DRIVER_H */
