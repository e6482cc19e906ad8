/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PID control from the driver's entry to its return: its question turned in
 * the caller's memory before the driver reads it, its answer after the driver
 * wrote it.
 */
#ifndef MPU_BPF_CALL_H
#define MPU_BPF_CALL_H

#include "rule.bpf.h"

/* Of every system: include/uapi/asm-generic/errno-base.h, signal.h. */
#define EFAULT		14
#define SIGKILL		9

#define NO_CONTROL	(-1)
#define ODD_SIZE(row)	(-2 - (int)(row))

/* Return: index of a row; NO_CONTROL, or ODD_SIZE() of a control's first. */
__attribute__((__noinline__)) int find_row(u32 cmd, u32 size)
{
	u32 control = mpu_index_of(cmd);
	u32 row = mpu_index_sized(control, size);

	if (row < MPU_ROWS)
		return row;
	return control < MPU_ROWS ? ODD_SIZE(control) : NO_CONTROL;
}

/*
 * Will the end of this call be seen? A return probe has so many instances, for
 * all callers together; for a call that gets one, the kernel has already put its
 * own trampoline in the place of the address that the driver returns to. Which
 * one that is, the first end that was seen tells.
 */
static __always_inline bool end_is_seen(struct call *call)
{
#if defined(__TARGET_ARCH_x86)	/* there it stands on the stack */
	if (call->back)
		bpf_probe_read_kernel(&call->back, sizeof(call->back),
				      (void *)call->back);
#endif
	return !call->back || !state.trampoline ||
	       call->back == state.trampoline;
}

/* A call of this thread that is known still: the program at its end was skipped. */
static __always_inline void call_forget_last(u64 key)
{
	if (bpf_map_delete_elem(&calls, &key))
		return;
	bpf_map_delete_elem(&questions, &key);
	__sync_fetch_and_add(&state.calls, -1);
	__sync_fetch_and_add(&state.missed, 1);
}

/* Of a size that the table does not have: a driver may be newer than it. */
static __always_inline bool call_is_odd(const struct call *call,
					const struct mpu_row *row)
{
	return call->size != row->size;
}

/* Return: not 0 if it could not be written. */
static __always_inline long call_set_size(const struct call *call, u32 size)
{
	return bpf_probe_write_user((void *)(call->block +
			__builtin_offsetof(struct nv_control, size)), &size,
			sizeof(size));
}

/*
 * What must not reach RM as it stands gets a size that RM refuses, and its own
 * back afterwards. None at all is no call; one byte is what RM says of any size
 * that is not its own.
 */
static __always_inline void call_refuse(struct call *call, u32 size)
{
	call->fate = call_set_size(call, size) ? CALL_BLIND : CALL_REFUSED;
}

/*
 * The driver answers, and nobody can tell where. It has never been seen to be
 * asked so by a program that means well.
 */
static __always_inline void call_kill(void)
{
	bpf_send_signal(SIGKILL);
}

/*
 * Which control is it? Return: 1 one with PIDs, 0 none of ours, -1 not present
 * in memory: the driver will see to that, and call_end() asks again.
 */
__attribute__((__noinline__)) int call_identify(u32 at)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	const struct mpu_row *row;
	struct nv_control ctl;
	struct nv_xfer xfer;
	struct call *call;
	int found;

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
	found = find_row(ctl.cmd, ctl.size);
	if (found == NO_CONTROL)
		return 0;
	call->params = ctl.params;
	call->size = ctl.size;
	call->row = found < 0 ? -2 - found : found;
	row = mpu_row_at(call->row);
	if (found >= 0 || !row)
		return 1;
	count(row->control, MPU_ODD_SIZE, 1);
	/* What RM itself refuses, whatever control it is. */
	return !state.pass_unknown && ctl.size && ctl.size <= CLEARED_MAX;
}

/* Where the driver will put an array that is not in the params. */
static __always_inline int call_locate(struct slot *slot,
				       const struct mpu_row *row)
{
	u64 len = mpu_fixed(row->size) & (sizeof(slot->head) - 1), bytes;

	if (bpf_probe_read_user(slot->head, len, (void *)slot->call.params))
		return -1;
	if (row->bytes != MPU_NO_OFFSET)
		bytes = mpu_get32(slot->head, row->bytes);
	else
		bytes = (u64)mpu_get32(slot->head, row->count) * row->stride;
	if (bytes > CLEARED_MAX)
		return -1;
	slot->call.array = mpu_get64(slot->head, row->ptr);
	slot->call.bytes = bytes;
	return 0;
}

/*
 * Before RM is asked; the caller's memory is not touched yet. Return: numbers
 * turned, -1 if RM must not be asked.
 */
static __always_inline int call_prepare(u32 at, struct slot *slot,
					const struct mpu_row *row)
{
	int asked;

	if (call_is_odd(&slot->call, row))
		return -1;
	if (row->dir == MPU_OUT)
		return row->ptr == MPU_NO_OFFSET ? 0 : call_locate(slot, row);
	view_open(at, slot, caller_pid(), row);
	asked = call_ask(at, slot, row);
	count(row->control, MPU_SEEN, slot->tally.seen);
	count(row->control, MPU_HIDDEN, slot->tally.hidden);
	return asked;
}

/* What is needed at its end. Return: not 0 if there is no room. */
static __always_inline long call_keep(const struct slot *slot, u64 key)
{
	if (slot->call.asked && bpf_map_update_elem(&questions, &key,
						    slot->saved, BPF_ANY))
		return -1;
	if (!bpf_map_update_elem(&calls, &key, &slot->call, BPF_ANY))
		return 0;
	bpf_map_delete_elem(&questions, &key);
	return -1;
}

__attribute__((__noinline__)) int call_begin(u32 at)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	u64 key = bpf_get_current_pid_tgid();
	const struct mpu_row *row;
	struct call *call;
	int asked = 0;

	if (!slot)
		return 0;
	call_forget_last(key);
	row = mpu_row_at(slot->call.row);
	if (row)
		asked = call_prepare(at, slot, row);
	slot->call.asked = asked > 0 ? asked : 0;
	if (!end_is_seen(&slot->call) || call_keep(slot, key)) {
		if (call_set_size(&slot->call, 0))
			call_kill();
		if (row)
			count(row->control, MPU_NO_MEMORY, 1);
		return 0;
	}
	__sync_fetch_and_add(&state.calls, 1);
	if (!asked || (asked > 0 && !call_tell(at, asked)))
		return 0;
	call = bpf_map_lookup_elem(&calls, &key);
	if (call)
		call_refuse(call, row && call_is_odd(call, row));
	return 0;
}

/* What RM made of a call. */
enum call_outcome {
	CALL_UNANSWERED,	/* nothing was copied to the caller */
	CALL_TORN,		/* perhaps something, perhaps all */
	CALL_ANSWERED,
};

/*
 * RM copies its answer, says so in the block, and the block is copied: the last
 * two may fail after the first (nvidia_ioctl(), nv.c).
 */
static __always_inline enum call_outcome call_outcome(u32 ret, u32 status)
{
	if (ret)
		return ret == (u32)-EFAULT ? CALL_TORN : CALL_UNANSWERED;
	if (status == NV_OK)
		return CALL_ANSWERED;
	return status == NV_ERR_INVALID_ADDRESS ? CALL_TORN : CALL_UNANSWERED;
}

static __always_inline void call_say(const struct call *call, u32 status)
{
	bpf_probe_write_user((void *)(call->block +
			__builtin_offsetof(struct nv_control, status)),
			&status, sizeof(status));
}

/* What RM answered, gone, and said to have failed. */
static __always_inline void call_void(const struct call *call,
				      enum call_outcome outcome)
{
	clear_rest(call->params, 0, call->size);
	if (call->array)
		clear_rest(call->array, 0, call->bytes);
	if (outcome == CALL_ANSWERED)
		call_say(call, NV_ERR_INVALID_ADDRESS);
}

/* The driver has answered. Return: 0, or -1: what stands there was not judged. */
static __always_inline int call_answer(u32 at, struct slot *slot,
				       const struct mpu_row *row,
				       const struct call *call)
{
	int err;

	view_open(at, slot, caller_pid(), row);
	if (row->ptr == MPU_NO_OFFSET)
		err = answer_params(at, slot, row, call->params);
	else
		err = answer_buffer(at, slot, row, call);
	count(row->control, MPU_SEEN, slot->tally.seen - slot->view.again);
	count(row->control, MPU_HIDDEN, slot->tally.hidden - slot->view.again);
	return err;
}

/*
 * A block that could be read only now. What the driver wrote back is what it
 * had read. What it did not, an outer block or one that cannot be written, may
 * by now be a part of the answer.
 */
static __always_inline bool call_meet_late(u32 at, struct slot *slot,
					   struct call *call, u32 ret)
{
	struct nv_control ctl;
	u64 len = call->nr == NV_ESC_XFER ? sizeof(struct nv_xfer) : sizeof(ctl);

	if (ret && ret != (u32)-EFAULT)
		return false;
	if (bpf_probe_read_user(&ctl, len, (void *)call->arg))
		return false;
	if (ret || call->nr == NV_ESC_XFER) {
		call_kill();
		return false;
	}
	slot->call = *call;
	if (call_identify(at) <= 0)
		return false;
	*call = slot->call;
	return true;
}

static __always_inline u32 call_status(const struct call *call)
{
	u32 status;

	return bpf_probe_read_user(&status, sizeof(status), (void *)(call->block +
			__builtin_offsetof(struct nv_control, status))) ?
	       NV_ERR_INVALID_ADDRESS : status;
}

/*
 * Must what RM answered go unseen? A question that was not turned was about
 * others, and a layout that is not known may hold anything.
 */
static __always_inline bool call_is_blind(const struct call *call,
					  const struct mpu_row *row, bool late)
{
	return call->fate == CALL_BLIND || call_is_odd(call, row) ||
	       (late && row->dir == MPU_IN);
}

/* Return: what the counters will say. */
static __always_inline enum mpu_counter call_settle(u32 at, struct slot *slot,
						    const struct mpu_row *row,
						    const struct call *call,
						    enum call_outcome outcome,
						    bool late)
{
	bool blind = call_is_blind(call, row, late);

	if (outcome == CALL_UNANSWERED)
		return MPU_REFUSED;
	/* Where the array is the params said, before they were written over. */
	if (late && row->ptr != MPU_NO_OFFSET)
		call_kill();
	if (!blind && row->dir == MPU_IN)
		return outcome == CALL_ANSWERED ? MPU_TRANSLATED : MPU_FAULT;
	if (!blind && outcome == CALL_ANSWERED &&
	    !call_answer(at, slot, row, call))
		return MPU_TRANSLATED;
	call_void(call, outcome);
	return MPU_FAULT;
}

/*
 * The driver copied the block to its caller after the params. Does it lie over
 * when the record began? Then the caller has written that. One page of memory can
 * be at two addresses: the block is written to see.
 */
static __always_inline bool block_covers(struct slot *slot, u64 block, u64 time)
{
	u64 *was = (u64 *)slot->head, *other = was + 4, when, now;
	u32 i;

	if (bpf_probe_read_user(was, 32, (void *)block) ||
	    bpf_probe_read_user(&when, sizeof(when), (void *)time))
		return true;
	for (i = 0; i < 4; i++)
		other[i] = ~was[i];
	/* If it cannot be written, the driver could not, either. */
	if (bpf_probe_write_user((void *)block, other, 32))
		return false;
	if (bpf_probe_read_user(&now, sizeof(now), (void *)time))
		now = ~when;
	bpf_probe_write_user((void *)block, was, 32);
	return now != when;
}

/*
 * The answer is a record: is it of the process that this thread asked about? If
 * not it goes. Return: not 0: it did.
 */
__attribute__((__noinline__)) int call_record(u32 at)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	u64 key = bpf_get_current_pid_tgid(), len;
	struct question *question = bpf_map_lookup_elem(&questions, &key);
	struct call *call = bpf_map_lookup_elem(&calls, &key);
	const struct mpu_row *row;
	u32 from;

	if (!slot || !call || !question)
		return 0;
	row = mpu_row_at(call->row);
	if (!row)
		return 0;
	view_open(at, slot, caller_pid(), row);
	if (!block_covers(slot, call->block, call->params + row->base +
			  row->time) &&
	    !read_elements(slot, row, call->params, &len) &&
	    mpu_record(row, slot->array, question->saved[0], &slot->view,
		       &slot->tally))
		return 0;
	count(row->control, MPU_HIDDEN, 1);
	from = mpu_pid_offset(row, 0) + row->blank_off;
	clear_rest(call->params, from, from + row->blank_len);
	return 1;
}

static __always_inline void call_finish(u32 ret, u64 key, struct call *call)
{
	u32 at = slot_now(true);
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	bool late = call->row >= MPU_ROWS;
	const struct mpu_row *row;
	enum call_outcome made;
	enum mpu_counter outcome;

	if (!slot || (late && !call_meet_late(at, slot, call, ret)))
		return;
	row = mpu_row_at(call->row);
	if (!row)
		return;
	made = call_outcome(ret, call_status(call));
	/* RM says in the params whose it is: before they are restored. */
	if (made != CALL_UNANSWERED && row->dir == MPU_IN &&
	    row->time != MPU_NO_OFFSET && call->asked && call_record(at) &&
	    made == CALL_ANSWERED)
		call_say(call, NV_ERR_OBJECT_NOT_FOUND);
	/* Whatever became of it, the numbers are the caller's own again. */
	if (call->asked)
		call_restore(key, row, call);
	if (call->fate != CALL_REFUSED) {
		outcome = call_settle(at, slot, row, call, made, late);
	} else {
		call_set_size(call, call->size);
		outcome = MPU_FAULT;
	}
	if (call->fate != CALL_REFUSED || !call_is_odd(call, row))
		count(row->control, outcome, 1);
}

/* In each program itself: one call less, where calls share 512 bytes of stack. */
static __always_inline int call_end(u64 ret)
{
	u64 key = bpf_get_current_pid_tgid();
	struct call *call = bpf_map_lookup_elem(&calls, &key);

	if (!call)
		return 0;
	call_finish(ret, key, call);
	if (!state.trampoline)
		state.trampoline = call->back;
	__sync_fetch_and_add(&state.calls, -1);
	bpf_map_delete_elem(&calls, &key);
	return 0;
}

#endif /* MPU_BPF_CALL_H */
