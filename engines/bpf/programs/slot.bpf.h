/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs have in memory: the calls in flight, and a slot to work in.
 * What the verifier would otherwise follow for every value that is possible
 * stands there, where it knows nothing of it.
 */
#ifndef MPU_BPF_SLOT_H
#define MPU_BPF_SLOT_H

#include "pidns.bpf.h"
#include "state.h"

#include "core/nvrm.h"
#include "core/regimes.h"
#include "core/rule.h"

/* PID controls in flight at a time, and questions among them. */
#define CALLS		8192
#define QUESTIONS	4096

/* Processes known to the driver by a thread. */
#define THREADS		4096

/* Numbers already in a list: several times its longest of native ones. */
#define LISTED		2048
#define LISTED_TRIES	32

/**
 * struct mpu_view - what the caller sees, and whose numbers the driver speaks
 * @ns:		its PID namespace
 * @level:	of that
 * @speech:	enum mpu_speech, for this control
 * @once:	a number is given once only, as the list has each process once
 * @record:	asked for a record, about one process
 * @again:	how often it was not, for that reason
 * @slot:	index of the slot that this is in
 * @stamp:	marks what is valid in @listed: number of this call
 * @pid:	the struct pid looked at
 * @host:	PIDs of the initial namespace
 * @own:	PIDs of its own
 * @listed:	hash table of the numbers given, @stamp in the upper half
 */
struct mpu_view {
	u64 ns;
	u32 level;
	u32 speech;
	u32 once;
	u32 record;
	u32 again;
	u32 slot;
	u32 stamp;
	struct pid_tree host;
	struct pid_tree own;
	u8 pid[PID_ROOM + PID_ROOM];
	u64 listed[LISTED];
};

/**
 * struct slot - room to work in; a program has it to itself while it runs
 * @head:	params whose array is in a user buffer
 * @array:	params with the array inside, or that user buffer
 * @call:	that begins
 *
 * Both are long enough for any offset of the rule: env.h, MPU_REACH.
 */
struct slot {
	u8 head[64];
	u8 array[MPU_REACH + MPU_RUN];
	struct mpu_view view;
	struct mpu_tally tally;
	struct mpu_pass pass;
	u32 row;
	u32 saved[MPU_ASK_MAX];
	struct call call;
};

struct question {
	u32 saved[MPU_ASK_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* set before loading: see slot_now() */
	__type(key, u32);
	__type(value, struct slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CALLS);
	__type(key, u64);
	__type(value, struct call);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, QUESTIONS);
	__type(key, u64);
	__type(value, struct question);
} questions SEC(".maps");

/*
 * Processes whose client the driver knows by a thread (R2, R3), and which: their
 * own number finds nothing there. Learned from lists, which come first.
 */
struct process {
	u64 ns;
	u64 global;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, THREADS);
	__type(key, struct process);
	__type(value, u32);
} threads SEC(".maps");

struct bpf_state state;
static const u8 nothing[MPU_RUN];

/*
 * Probes run with preemption off. fentry and fexit do not, but neither runs
 * twice at a time on one CPU: they have a slot each.
 */
const volatile u32 slots_per_cpu = 1;

static __always_inline u32 slot_now(bool leaving)
{
	u32 each = slots_per_cpu;

	return bpf_get_smp_processor_id() * each + (each > 1 && leaving);
}

static void mpu_zero(void *buf, u32 off, u32 len)
{
	u32 i;

	for (i = 0; i < MPU_REACH / MPU_RUN && len >= MPU_RUN; i++) {
		bpf_probe_read_kernel(buf + mpu_offset(off), MPU_RUN, nothing);
		off += MPU_RUN;
		len -= MPU_RUN;
	}
	bpf_probe_read_kernel(buf + mpu_offset(off),
			      mpu_fixed(len) & (MPU_RUN - 1), nothing);
}

/* No element is as long as MPU_RUN. */
static void mpu_move(void *buf, u32 to, u32 from, u32 len)
{
	if (len == 4)
		mpu_put32(buf, to, mpu_get32(buf, from));
	else
		bpf_probe_read_kernel(buf + mpu_offset(to),
				      mpu_fixed(len) & (MPU_RUN - 1),
				      buf + mpu_offset(from));
}

/*
 * To the caller's memory, which must be present: programs cannot wait for it.
 * The driver has just been there. Never a length of 0 in the verifier's eyes,
 * and none above @room, a power of two.
 */
static __always_inline long put_user(u64 to, const void *from, u64 len,
				     u64 room)
{
	if (!len)
		return 0;
	len = mpu_fixed(len - 1) & (room - 1);
	return bpf_probe_write_user((void *)to, from, mpu_fixed(len) + 1);
}

/* One more, or @n, of a control. */
static __always_inline void count(u64 control, enum mpu_counter which, u32 n)
{
	control = mpu_fixed(control);
	if (n && control < MPU_CONTROLS)
		__sync_fetch_and_add(&state.counter[mpu_fixed(control)][which], n);
}

#endif /* MPU_BPF_SLOT_H */
