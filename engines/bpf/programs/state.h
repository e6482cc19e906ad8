/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs and their owner in user space tell each other: one map of
 * one element, pinned, so that it outlives both.
 */
#ifndef MPU_BPF_STATE_H
#define MPU_BPF_STATE_H

#include "core/controls.h"
#include "core/counters.h"
#include "core/env.h"

/* Room for a power of two, so that a masked index is inside. */
#define BPF_PADDED(n)	((n) <= 16 ? 16 : 256)

/* Ways to be there when the driver is entered and left. */
enum bpf_hook {
	BPF_FENTRY,
	BPF_KPROBE,
	BPF_TRACEPOINT,
	BPF_HOOKS
};

/* What becomes of a call. */
enum call_fate {
	CALL_ASKED,	/* RM answers it, and the answer is turned */
	CALL_REFUSED,	/* RM was given a size that it refuses */
	CALL_BLIND,	/* that could not be done: what it answers goes */
};

/**
 * struct call - a PID control in flight, by the thread that makes it
 * @arg:	the ioctl's third argument
 * @block:	address of the argument block
 * @params:	and of the params
 * @array:	and of the array, if it is in a buffer of the caller's; else 0
 * @bytes:	of that buffer
 * @size:	of the params, as the caller says
 * @row:	index of the layout, of the control's first if none has @size;
 *		MPU_ROWS: the block could not be read yet
 * @nr:		number of the ioctl
 * @asked:	numbers turned in the params
 * @fate:	enum call_fate
 * @back:	where the driver's entry returns to, 0: not known
 *
 * What stands here is what the driver reads. What stands in the caller's memory
 * when the driver has answered may be part of the answer.
 */
struct call {
	u64 arg;
	u64 block;
	u64 params;
	u64 array;
	u32 bytes;
	u32 size;
	u32 row;
	u32 nr;
	u32 asked;
	u32 fate;
	u64 back;
};

/**
 * struct bpf_state - written by user space, from @calls on by the programs
 * @on:		PID controls are translated; else nothing is touched
 * @hook:	enum bpf_hook that is attached
 * @pass_unknown: a control of the table with a size it does not have passes as
 *		it is; else RM is kept from answering it
 * @spared:	a process whose calls are left alone (tgid): calibration
 * @spared_until: when that ends, as bpf_ktime_get_ns(): it must not be the next
 *		process of that number, if nobody lives to end it
 * @branch:	of the driver, the number before the first dot; 0: not known
 * @epoch:	when the machine started, in ns since the epoch
 * @speech:	by control, enum mpu_speech: whose numbers the driver speaks
 * @measured:	by control: that was measured, not looked up
 * @module:	the driver's, "" if there is none
 * @version:	its version
 * @why:	why this hook, a sentence
 * @calls:	PID controls in flight
 * @trampoline:	where a call returns to whose return is probed, 0: not known yet
 * @missed:	calls whose end was never seen
 * @counter:	by control
 */
struct bpf_state {
	u32 on;
	u32 hook;
	u32 pass_unknown;
	u32 spared;
	u32 branch;
	u64 spared_until;
	u64 epoch;
	u8 speech[BPF_PADDED(MPU_CONTROLS)];
	u8 measured[BPF_PADDED(MPU_CONTROLS)];
	char module[64];
	char version[64];
	char why[256];

	u64 calls;
	u64 trampoline;
	u64 missed;
	u64 counter[MPU_CONTROLS][MPU_COUNTERS];
};

#endif /* MPU_BPF_STATE_H */
