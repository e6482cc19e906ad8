/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program at the driver's return: the caller gets its own numbers back, and the
 * answer is translated where the driver wrote it, or cleared.
 */
#ifndef MPU_BPF_RETURN_H
#define MPU_BPF_RETURN_H

#include "entry.bpf.h"

/* include/uapi/asm-generic/errno-base.h */
#define EFAULT		14

/* The kinds of answer that RM has given. */
enum answer {
	ANSWER_NONE,	/* nothing was copied to the caller */
	ANSWER_TORN,	/* perhaps something was, perhaps all */
	ANSWER_WHOLE,
};

/*
 * RM copies its answer, says so in the block, and the block is copied: the last
 * two may fail after the first (nvidia_ioctl(), nv.c).
 */
static __always_inline enum answer find_answer(u32 ret, u32 status)
{
	if (ret)
		return ret == (u32)-EFAULT ? ANSWER_TORN : ANSWER_NONE;
	if (status == NV_OK)
		return ANSWER_WHOLE;
	return status == NV_ERR_INVALID_ADDRESS ? ANSWER_TORN : ANSWER_NONE;
}

/* Clears RM's answer, and says that it failed. */
static __always_inline void discard_answer(const struct call *call, enum answer answer)
{
	clear_user(call->params, 0, call->size);
	if (call->array)
		clear_user(call->array, 0, call->bytes);
	if (answer == ANSWER_WHOLE)
		call_set_status(call, NV_ERR_INVALID_ADDRESS);
}

/* Return: 0, or -1: what stands there could not be judged. */
static __always_inline int translate_answer(struct scratch *scratch,
					    const struct mpu_row *row,
					    const struct call *call)
{
	int err;

	scratch_begin(scratch, row);
	if (row->ptr == MPU_NO_OFFSET)
		err = answer_params(scratch, row, call->params);
	else
		err = answer_buffer(scratch, row, call);
	count(row->control, MPU_SEEN, scratch->tally.seen - scratch->view.again);
	count(row->control, MPU_HIDDEN, scratch->tally.hidden - scratch->view.again);
	return err;
}

/*
 * Reads a block that was not present at entry. If the driver wrote it back, it is the
 * block that it had read. Others, an outer block or one that cannot be written, may by
 * now be a part of the answer. Return: is it a PID control after all?
 */
static __always_inline bool read_late_block(struct scratch *scratch, struct call *call, u32 ret)
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
	scratch->call = *call;
	if (identify_control() <= 0)
		return false;
	*call = scratch->call;
	return true;
}

/*
 * The block was read late. Where the array is the params said, before they were
 * written over: then the caller is killed. Return: must the answer go unseen? To
 * a question it must: that was not translated, and so was about others.
 */
static __always_inline bool late_is_lost(const struct mpu_row *row, enum answer answer)
{
	if (answer != ANSWER_NONE && row->ptr != MPU_NO_OFFSET)
		call_kill();
	return row->dir == MPU_IN;
}

/* RM was kept from answering: the caller's block gets its own size back. */
static __always_inline void end_refused(const struct call *call, const struct mpu_row *row)
{
	call_set_size(call, call->size);
	if (call->odd)
		call_set_status(call, mpu_status_unknown(row));
	if (call->driver_unknown)
		count(row->control, MPU_IMPOSSIBLE, 1);
	else if (!call->odd)	/* counted at entry otherwise */
		count(row->control, MPU_FAULT, 1);
}

/* @discard: whatever RM answered must not be seen. Return: what is counted. */
static __always_inline enum mpu_counter end_answered(struct scratch *scratch,
						     const struct mpu_row *row,
						     const struct call *call,
						     enum answer answer,
						     bool discard)
{
	if (answer == ANSWER_NONE)
		return MPU_REFUSED;
	if (!discard && row->dir == MPU_IN)
		return answer == ANSWER_WHOLE ? MPU_TRANSLATED : MPU_FAULT;
	if (!discard && answer == ANSWER_WHOLE && !translate_answer(scratch, row, call))
		return MPU_TRANSLATED;
	discard_answer(call, answer);
	return MPU_FAULT;
}

/*
 * Does the block, which the driver copied to its caller after the params, lie over the time
 * when the record began? Then the caller has written that. One page of memory can be at two
 * addresses: the block is written to see.
 */
static __always_inline bool block_covers(struct scratch *scratch, u64 block, u64 time)
{
	u64 *was = (u64 *)scratch->head, *other = was + 4, when, now;
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

/* Clears a record that is not of the process that was asked about. Return: not 0: it did. */
__attribute__((__noinline__)) int check_record(void)
{
	u64 key = bpf_get_current_pid_tgid(), len;
	struct question *question = bpf_map_lookup_elem(&questions, &key);
	struct call *call = bpf_map_lookup_elem(&calls, &key);
	struct scratch *scratch = scratch_here();
	const struct mpu_row *row;
	u32 from;

	if (!scratch || !call || !question)
		return 0;
	row = mpu_row_at(call->row);
	if (!row)
		return 0;
	scratch_begin(scratch, row);
	if (!block_covers(scratch, call->block,
			  call->params + row->base + row->time) &&
	    !read_elements(scratch, row, call->params, &len) &&
	    mpu_record_check(row, scratch->array, question->saved[0], &scratch->view,
			     &scratch->tally))
		return 0;
	count(row->control, MPU_HIDDEN, 1);
	from = mpu_pid_offset(row, 0) + row->blank_off;
	clear_user(call->params, from, from + row->blank_len);
	return 1;
}

static __always_inline void end_call(u32 ret, u64 key, struct call *call)
{
	struct scratch *scratch = scratch_here();
	bool late = call->row >= MPU_ROWS, discard;
	const struct mpu_row *row;
	enum answer answer;

	if (!scratch || (late && !read_late_block(scratch, call, ret)))
		return;
	row = mpu_row_at(call->row);
	if (!row)
		return;
	answer = find_answer(ret, call_status(call));
	/* RM says in the params whose record it is: before they are restored. */
	if (answer != ANSWER_NONE && row->dir == MPU_IN &&
	    row->time != MPU_NO_OFFSET && call->asked && check_record() &&
	    answer == ANSWER_WHOLE)
		call_set_status(call, NV_ERR_OBJECT_NOT_FOUND);
	/* Whatever became of the call, the numbers are the caller's own again. */
	if (call->asked)
		restore_question(key, row, call);
	if (call->disposition == CALL_REFUSED) {
		end_refused(call, row);
		return;
	}
	discard = late && (late_is_lost(row, answer) || !driver_is_known(&state));
	/* A layout that is not known may hold anything. */
	discard |= call->disposition == CALL_DISCARDED || call->odd;
	count(row->control, end_answered(scratch, row, call, answer, discard), 1);
}

/* A part of the program itself: one call less, where calls share 512 bytes of stack. */
static __always_inline int on_return(u64 ret)
{
	u64 key = bpf_get_current_pid_tgid();
	struct call *call;

	if (!*(volatile u64 *)&state.calls)
		return 0;
	call = bpf_map_lookup_elem(&calls, &key);
	if (!call)
		return 0;
	end_call(ret, key, call);
	if (!state.trampoline)
		state.trampoline = call->back;
	__sync_fetch_and_add(&state.calls, -1);
	bpf_map_delete_elem(&calls, &key);
	return 0;
}

#endif /* MPU_BPF_RETURN_H */
