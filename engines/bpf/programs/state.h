/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State shared by the programs and user space: one map of one element, pinned, outlives both.
 */
#ifndef MPU_BPF_STATE_H
#define MPU_BPF_STATE_H

#include "core/controls.h"
#include "core/counters.h"
#include "core/env.h"

/* Room for a power of two, so that a masked index is inside. */
#define BPF_PADDED(n)	((n) <= 16 ? 16 : 256)

/**
 * struct bpf_state - written by user space, from @coming to @counter by the programs
 *
 * The members before @epoch stay where they are: a version of MPU that takes over from
 * another one writes to that one's state.
 *
 * @layout:	size of this structure: in another version all from @epoch on is unknown
 * @pass_unknown: a control of the table with a size it does not have passes as
 *		it is; else RM is kept from answering it
 * @exempt_until: when that ends, as bpf_ktime_get_ns(): the next process of that
 *		number must not be exempt, if nobody lives to end it
 * @awaited:	name of the module that the programs are attached to, there or not
 * @pid_space:	by control, enum mpu_pid_space: whose PIDs the driver uses
 * @coming:	how often the kernel has loaded a module named @awaited: perhaps another
 *		driver each time, of which nothing is known until @known is this
 */
struct bpf_state {
	u32 on;		/* PID controls are translated; else nothing is touched */
	u32 layout;
	u32 pass_unknown;
	u32 exempt_pid;	/* a process whose calls are left alone (tgid): calibration's */
	u32 branch;	/* the driver's, 0: not known */
	u64 exempt_until;
	u64 epoch;	/* when the machine started, in ns since the epoch */
	char awaited[64];
	u32 known;	/* @coming of the driver that @branch and @pid_space are of */
	u8 pid_space[BPF_PADDED(MPU_CONTROLS)];
	u8 measured[BPF_PADDED(MPU_CONTROLS)];	/* a truth for each control: measured, not looked up */
	char module[64];	/* the driver's, "" if there is none */
	char version[64];

	u32 coming;
	u64 calls;	/* PID controls in flight */
	u64 trampoline;	/* address that probed calls return to, 0: not known yet */
	u64 missed;	/* calls whose return was never seen */
	u64 counter[MPU_CONTROLS][MPU_COUNTERS];	/* counters of each control */

	u64 missed_known;	/* calls that user space knew to be missed a moment ago */
	u64 missed_until;	/* when the last of them is long ago, on the clock of clock_ms() */
};

/* Are PID spaces and layouts of the driver that is loaded now known? */
static __always_inline bool driver_is_known(const struct bpf_state *state)
{
	return *(volatile const u32 *)&state->known ==
	       *(volatile const u32 *)&state->coming;
}

#endif /* MPU_BPF_STATE_H */
