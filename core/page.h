/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The page that drivers from 590 on share with all clients of a GPU (class 0x00de):
 * firmware writes there what any client of the host has asked for, utilisation samples
 * by PIDs of the host among it. No ioctl carries these, so nobody may ask for them.
 *
 * One word says what is asked for: the params of two controls, and of the allocation.
 */
#ifndef MPU_CORE_PAGE_H
#define MPU_CORE_PAGE_H

#include "env.h"
#include "nvrm.h"

/* Does a driver of that branch have such a page? 0: the branch is not known. */
static __always_inline bool mpu_page_is_shared(u32 branch)
{
	return !branch || branch >= 590;
}

/* NV00DE_RUSD_POLL_PROC_UTIL, of a mask (u64). */
#define MPU_PAGE_PROCESSES	0x80ull
#define MPU_PAGE_MASK		8	/* bytes */

/* Are a control's params such a mask? */
static __always_inline bool mpu_page_is_asked(u32 cmd)
{
	return cmd == NV_CTRL_REQUEST_DATA_POLL ||
	       cmd == NV_CTRL_GPU_RUSD_SET_FEATURES;
}

#endif /* MPU_CORE_PAGE_H */
