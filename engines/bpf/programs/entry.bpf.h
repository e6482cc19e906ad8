/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program at the driver's entry. If the call is a PID control from a container, its
 * question is translated in the caller's memory, before the driver reads it.
 */
#ifndef MPU_BPF_ENTRY_H
#define MPU_BPF_ENTRY_H

#include "rule.bpf.h"

#include "core/page.h"

#define NO_CONTROL	(-1)
#define ODD(row)	(-2 - (int)(row))

/* Return: index of a row; NO_CONTROL, or ODD() of one: see struct call. */
__attribute__((__noinline__)) int find_row(u32 cmd, u32 size)
{
	u32 control = mpu_index_of(cmd);
	u32 row = mpu_index_sized(control, size);

	if (row < MPU_ROWS)
		return row;
	if (control == MPU_ROWS)
		control = mpu_index_like(cmd, size);
	return control < MPU_ROWS ? ODD(control) : NO_CONTROL;
}

/* Does the driver answer it in the caller's own numbers, whatever its layout? */
static __always_inline bool is_native(u32 cmd, const struct mpu_row *row)
{
	return cmd == row->cmd && row->native && driver_is_known(&state) &&
	       state.pid_space[row->control & (BPF_PADDED(MPU_CONTROLS) - 1)] ==
		       MPU_PIDS_LOCAL;
}

/*
 * The word by which something is asked for that carries PIDs: it is changed where the
 * caller has it, before the driver reads it.
 */
static __always_inline void limit_word(u32 cmd, u64 params)
{
	u64 word, allowed;

	if (bpf_probe_read_user(&word, sizeof(word), (void *)params))
		return;
	allowed = mpu_word_allowed(cmd, word);
	if (allowed != word)
		bpf_probe_write_user((void *)params, &allowed, sizeof(allowed));
}

static __always_inline void clear_page_alloc(u64 arg)
{
	struct nv_alloc_head alloc;

	if (!bpf_probe_read_user(&alloc, sizeof(alloc), (void *)arg) &&
	    alloc.class == RM_USER_SHARED_DATA)
		limit_word(0, alloc.params);
}

/*
 * Looks the control up. Return: 1 one with PIDs, 0 none of ours, -1 the block is not
 * present in memory: the driver will see to that, and on_return() asks again.
 */
__attribute__((__noinline__)) int identify_control(void)
{
	struct scratch *scratch = scratch_here();
	const struct mpu_row *row;
	struct nv_control ctl;
	struct nv_xfer xfer;
	struct call *call;
	int found;

	if (!scratch)
		return 0;
	call = &scratch->call;
	call->block = call->arg;
	if (call->nr == NV_ESC_XFER) {
		if (bpf_probe_read_user(&xfer, sizeof(xfer), (void *)call->arg))
			return -1;
		if (xfer.nr == NV_ESC_RM_ALLOC)
			clear_page_alloc(xfer.ptr);
		if (xfer.nr != NV_ESC_RM_CONTROL)
			return 0;
		call->block = xfer.ptr;
	}
	if (bpf_probe_read_user(&ctl, sizeof(ctl), (void *)call->block))
		return -1;
	found = find_row(ctl.cmd, ctl.size);
	if (found == NO_CONTROL) {
		if (mpu_word_asks(ctl.cmd))
			limit_word(ctl.cmd, ctl.params);
		return 0;
	}
	call->params = ctl.params;
	call->size = ctl.size;
	call->row = found < 0 ? -2 - found : found;
	call->odd = found < 0;
	row = mpu_row_at(call->row);
	if (found >= 0 || !row)
		return 1;
	count(row->control, MPU_ODD_SIZE, 1);
	/* RM itself refuses these, whatever control it is. */
	return !state.pass_unknown && !is_native(ctl.cmd, row) && ctl.size && ctl.size <= CLEAR_MAX;
}

static __always_inline int locate_array(struct scratch *scratch, const struct mpu_row *row)
{
	u64 len = mpu_fixed(row->size) & (sizeof(scratch->head) - 1), bytes;

	if (bpf_probe_read_user(scratch->head, len, (void *)scratch->call.params))
		return -1;
	if (row->bytes != MPU_NO_OFFSET)
		bytes = mpu_get32(scratch->head, row->bytes);
	else
		bytes = (u64)mpu_get32(scratch->head, row->count) * row->stride;
	/* RM is asked for no longer array. */
	if (bytes > CLEAR_MAX)
		return -1;
	scratch->call.array = mpu_get64(scratch->head, row->ptr);
	scratch->call.bytes = bytes;
	return 0;
}

/*
 * Translates the question before RM is asked; the caller's memory is not written yet.
 * Return: how many numbers were translated, -1 if RM must not be asked.
 */
static __always_inline int prepare_call(struct scratch *scratch, const struct mpu_row *row)
{
	int asked;

	scratch->call.driver_unknown = !driver_is_known(&state);
	if (scratch->call.driver_unknown || scratch->call.odd)
		return -1;
	if (row->dir == MPU_OUT)
		return row->ptr == MPU_NO_OFFSET ? 0 : locate_array(scratch, row);
	scratch_begin(scratch, row);
	asked = ask_question(scratch, row);
	count(row->control, MPU_SEEN, scratch->tally.seen);
	count(row->control, MPU_HIDDEN, scratch->tally.hidden);
	return asked;
}

__attribute__((__noinline__)) int begin_call(void)
{
	u64 key = bpf_get_current_pid_tgid();
	struct scratch *scratch = scratch_here();
	const struct mpu_row *row;
	struct call *call;
	int asked = 0;

	if (!scratch)
		return 0;
	call_forget_missed(key);
	row = mpu_row_at(scratch->call.row);
	if (row)
		asked = prepare_call(scratch, row);
	scratch->call.asked = asked > 0 ? asked : 0;
	if (!call_return_is_seen(&scratch->call) ||
	    call_keep(&scratch->call, scratch->saved, key)) {
		if (call_set_size(&scratch->call, 0))
			call_kill();
		if (row)
			count(row->control, MPU_NO_MEMORY, 1);
		return 0;
	}
	__sync_fetch_and_add(&state.calls, 1);
	if (!asked || (asked > 0 && !tell_question(asked)))
		return 0;
	call = bpf_map_lookup_elem(&calls, &key);
	if (call)
		call_refuse(call, call->odd);
	return 0;
}

static __always_inline bool is_control(u32 nr)
{
	return nr == NV_ESC_RM_CONTROL || nr == NV_ESC_XFER;
}

/* Most controls carry no PIDs, and this is all they pay. */
static __always_inline bool has_no_pids(u32 nr, u64 arg)
{
	u32 cmd;

	return nr == NV_ESC_RM_CONTROL &&
	       !bpf_probe_read_user(&cmd, sizeof(cmd),
				    (void *)(arg + __builtin_offsetof(
						struct nv_control, cmd))) &&
	       mpu_index_of(cmd) == MPU_ROWS && !mpu_has_relatives(cmd) &&
	       !mpu_word_asks(cmd);
}

static __always_inline bool caller_is_exempt(void)
{
	return bpf_get_current_pid_tgid() >> 32 == state.exempt_pid &&
	       bpf_ktime_get_ns() < state.exempt_until;
}

/* @back: where the entry returns to: see call_return_is_seen() */
static __always_inline int on_entry(u32 cmd, u64 arg, u64 back)
{
	u32 nr = cmd & 0xff;
	struct scratch *scratch;

	if (nr == NV_ESC_RM_ALLOC && caller_outside() && state.on)
		clear_page_alloc(arg);
	if (!is_control(nr) || !caller_outside() || has_no_pids(nr, arg) ||
	    !state.on || caller_is_exempt())
		return 0;
	scratch = scratch_here();
	if (!scratch)
		return 0;
	scratch->call.arg = arg;
	scratch->call.nr = nr;
	scratch->call.row = MPU_ROWS;
	scratch->call.array = 0;
	scratch->call.disposition = CALL_ASKED;
	scratch->call.back = back;
	return identify_control() ? begin_call() : 0;
}

#endif /* MPU_BPF_ENTRY_H */
