/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The page that drivers from 545 on share with all clients of a GPU (class 0x00de):
 * firmware writes there what any client of the host has asked for: how the GPU is, and
 * from 590 on utilisation samples by PIDs of the host. No ioctl carries these, so nobody
 * may ask for them. One word says what is asked for: the params of two controls, and of
 * the allocation.
 *
 * Events of a GPU are asked for by a word, too: their number is its lower half. And a limit
 * of memory is set by one: its upper half is the GPU. Every user may do that at 610, and so
 * lift a limit that the host has set.
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

/* Are a control's params such a mask? */
static __always_inline bool mpu_page_is_asked(u32 cmd)
{
	return cmd == NV_CTRL_REQUEST_DATA_POLL || cmd == NV_CTRL_GPU_RUSD_SET_FEATURES;
}

/*
 * NV2080_NOTIFIERS_MEMACCT_SOFT_LIMIT_EXCEEDED and _RETURNED_BELOW, from 615 on: they come
 * with the PID of whoever crossed a soft limit of memory.
 */
#define MPU_EVENT_ABOVE		200
#define MPU_EVENT_BELOW		201
#define MPU_EVENT_NONE		0xffffffffull	/* RM refuses it, whatever is asked */
#define MPU_GPU_NONE		(0xffffffffull << 32)	/* the same: NV0000_CTRL_GPU_INVALID_ID */

/* Is the first word (u64) of a control's params what it asks for? */
static __always_inline bool mpu_word_asks(u32 cmd)
{
	return mpu_page_is_asked(cmd) || cmd == NV_CTRL_EVENT_SET_NOTIFICATION ||
	       cmd == NV_CTRL_MEMACCT_SET_LIMITS;
}

/* Returns what a container may ask for by that word; @cmd may be 0 for an allocation. */
static __always_inline u64 mpu_word_allowed(u32 cmd, u64 word)
{
	if (cmd == NV_CTRL_MEMACCT_SET_LIMITS)
		return word | MPU_GPU_NONE;
	if (cmd != NV_CTRL_EVENT_SET_NOTIFICATION)
		return word & ~MPU_PAGE_PROCESSES;
	if ((u32)word == MPU_EVENT_ABOVE || (u32)word == MPU_EVENT_BELOW)
		return word | MPU_EVENT_NONE;
	return word;
}

#endif /* MPU_CORE_PAGE_H */
