/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PID control from the driver's entry to its return: its question turned in
 * the caller's memory before the driver reads it, its answer after the driver
 * wrote it.
 */
#ifndef MPU_BPF_CALL_H
#define MPU_BPF_CALL_H

#include "rule.bpf.h"

#define NO_CONTROL	(-1)
#define ODD_SIZE(c)	(-2 - (int)(c))

/* Return: index of a row; NO_CONTROL, or ODD_SIZE() of a control. */
__attribute__((__noinline__)) int find_row(u32 cmd, u32 size)
{
	u32 control = mpu_index_of(cmd);
	u32 row = mpu_index_sized(control, size);

	if (row < MPU_ROWS)
		return row;
	return control < MPU_ROWS ? ODD_SIZE(mpu_rows[control].control) :
				    NO_CONTROL;
}

static __always_inline void count_call(u64 hook, u64 n)
{
	hook = mpu_fixed(hook);
	if (hook < BPF_HOOKS)
		__sync_fetch_and_add(&state.calls[mpu_fixed(hook)], n);
}

/*
 * Is a call of this thread known already? If another hook began it, this is the
 * same call, while the one takes over from the other. Else its end was not
 * seen: a program was skipped.
 */
static __always_inline bool call_is_begun(u64 key, const struct call *call)
{
	struct call *last = bpf_map_lookup_elem(&calls, &key);

	if (!last)
		return false;
	if (last->hook != call->hook && last->arg == call->arg)
		return true;
	count_call(last->hook, -1);
	bpf_map_delete_elem(&calls, &key);
	bpf_map_delete_elem(&questions, &key);
	__sync_fetch_and_add(&state.missed, 1);
	return false;
}

/*
 * A question that must not reach RM as it stands gets a size that RM refuses:
 * else it would be about somebody else's process.
 */
static __always_inline void call_set_size(const struct call *call, u32 size)
{
	bpf_probe_write_user((void *)(call->block +
				      __builtin_offsetof(struct nv_control, size)),
			     &size, sizeof(size));
}

/*
 * Which control is it? Return: 1 one with PIDs, 0 none of ours, -1 not present
 * in memory: the driver will see to that, and call_end() asks again.
 */
__attribute__((__noinline__)) int call_identify(u32 at)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	struct nv_control ctl;
	struct nv_xfer xfer;
	struct call *call;
	int row;

	if (!slot)
		return 0;
	call = &slot->call;
	call->block = call->arg;
	if (call->nr == NV_ESC_XFER) {
		if (bpf_probe_read_user(&xfer, sizeof(xfer), (void *)call->arg))
			return -1;
		if (xfer.nr != NV_ESC_RM_CONTROL)
			return 0;
		call->block = xfer.ptr;
	}
	if (bpf_probe_read_user(&ctl, sizeof(ctl), (void *)call->block))
		return -1;
	row = find_row(ctl.cmd, ctl.size);
	if (row < 0) {
		if (row != NO_CONTROL)
			count(-2 - row, BPF_ODD_SIZE, 1);
		return 0;
	}
	call->row = row;
	call->params = ctl.params;
	return 1;
}

/* Turn the question of the call in the slot. */
static __always_inline void call_question(u32 at, struct slot *slot,
					  const struct mpu_row *row)
{
	int asked;

	view_open(at, slot, caller_pid(), row);
	asked = call_ask(at, slot, row, slot->call.params);
	count(row->control, BPF_SEEN, slot->tally.seen);
	count(row->control, BPF_HIDDEN, slot->tally.hidden);
	slot->call.asked = asked > 0 ? asked : 0;
	slot->call.refused = asked < 0;
	if (asked < 0)
		call_set_size(&slot->call, 0);
}

__attribute__((__noinline__)) int call_begin(u32 at)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	u64 key = bpf_get_current_pid_tgid();
	const struct mpu_row *row;

	if (!slot || call_is_begun(key, &slot->call))
		return 0;
	row = mpu_row_at(slot->call.row);
	if (row && row->dir == MPU_IN)
		call_question(at, slot, row);
	if ((slot->call.asked && bpf_map_update_elem(&questions, &key,
						     slot->saved, BPF_ANY)) ||
	    bpf_map_update_elem(&calls, &key, &slot->call, BPF_ANY)) {
		bpf_map_delete_elem(&questions, &key);
		call_set_size(&slot->call, 0);
		if (row)
			count(row->control, BPF_NO_MEMORY, 1);
		return 0;
	}
	count_call(slot->call.hook, 1);
	return 0;
}

/* The driver has answered. Return: what the counters will say. */
static __always_inline enum bpf_counter call_answer(u32 at, struct slot *slot,
						    const struct mpu_row *row,
						    u64 params)
{
	int err;

	view_open(at, slot, caller_pid(), row);
	if (row->ptr == MPU_NO_OFFSET)
		err = answer_params(at, slot, row, params);
	else
		err = answer_buffer(at, slot, row, params);
	count(row->control, BPF_SEEN, slot->tally.seen - slot->view.again);
	count(row->control, BPF_HIDDEN, slot->tally.hidden - slot->view.again);
	return err ? BPF_FAULT : BPF_TRANSLATED;
}

/*
 * A block that could be read only now: an answer is translated as ever, a
 * question was about others, and what it was told goes.
 */
static __always_inline int call_meet_late(u32 at, struct slot *slot,
					  struct call *call)
{
	slot->call = *call;
	if (call_identify(at) <= 0)
		return 0;
	*call = slot->call;
	return 1;
}

static __always_inline enum bpf_counter call_outcome(u64 ret, u32 status)
{
	return !ret && status == NV_OK ? BPF_TRANSLATED : BPF_REFUSED;
}

static __always_inline void call_settle(u64 ret, u64 key, struct call *call)
{
	u32 at = slot_now(true), status;
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	bool late = call->row >= MPU_ROWS;
	const struct mpu_row *row;
	enum bpf_counter outcome;

	if (!slot || (late && !call_meet_late(at, slot, call)))
		return;
	row = mpu_row_at(call->row);
	if (!row)
		return;
	if (bpf_probe_read_user(&status, sizeof(status),
				(void *)(call->block +
					 __builtin_offsetof(struct nv_control, status))))
		status = NV_ERR_INVALID_ADDRESS;
	outcome = call_outcome(ret, status);
	/* Whatever became of it, the numbers are the caller's own again. */
	if (call->asked)
		call_restore(key, row, call);
	if (call->refused) {
		call_set_size(call, row->size);
		outcome = BPF_FAULT;
	}
	if (row->dir == MPU_IN && late && outcome == BPF_TRANSLATED)
		clear_rest(call->params, 0, row->size);
	/* The params were not to be written, after their buffer was. */
	if (row->dir == MPU_OUT &&
	    (outcome == BPF_TRANSLATED || (row->ptr != MPU_NO_OFFSET &&
					   status == NV_ERR_INVALID_ADDRESS)))
		outcome = call_answer(at, slot, row, call->params);
	count(row->control, outcome, 1);
}

/* In each program itself: one call less, where calls share 512 bytes of stack. */
static __always_inline int call_end(u64 ret)
{
	u64 key = bpf_get_current_pid_tgid();
	struct call *call = bpf_map_lookup_elem(&calls, &key);

	if (!call)
		return 0;
	call_settle(ret, key, call);
	count_call(call->hook, -1);
	bpf_map_delete_elem(&calls, &key);
	return 0;
}

#endif /* MPU_BPF_CALL_H */
