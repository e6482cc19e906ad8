/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rm_ioctl(), where the driver's own copy of the arguments can be seen. It is
 * in the prelinked part of the driver, which has no ftrace entries: a kprobe.
 */
#ifndef MPU_PROBE_H
#define MPU_PROBE_H

#include <linux/kprobes.h>

extern struct kprobe mpu_watch_probe;

/*
 * The driver is there, about to be attached to. Without rm_ioctl, or where no
 * probe can be had, nothing happens: mpu_watching() says so.
 */
void mpu_watch_begin(const char *module);
void mpu_watch_end(void);

/*
 * Will the next call be seen? Looks at the instruction: all kprobes of the
 * kernel may be switched off and on again at any time, by
 * /sys/kernel/debug/kprobes/enabled.
 */
static inline bool mpu_watching(void)
{
	return mpu_watch_probe.addr &&
	       READ_ONCE(*mpu_watch_probe.addr) != mpu_watch_probe.opcode;
}

#endif /* MPU_PROBE_H */
