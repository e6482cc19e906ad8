/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rule at work: memory of the caller's is read into the scratch, translated there, and
 * written back. Loops call a function of their own for each element, into which the
 * verifier looks once, not 4000 times.
 */
#ifndef MPU_BPF_RULE_H
#define MPU_BPF_RULE_H

#include "scratch.bpf.h"

__attribute__((__noinline__)) int ask_element(u32 i)
{
	struct scratch *scratch = scratch_here();
	const struct mpu_row *row;
	u64 to = mpu_fixed(i);
	u32 own;

	if (!scratch)
		return 0;
	row = mpu_row_at(scratch->row);
	if (!row)
		return 0;
	own = mpu_question_translate_element(row, scratch->array, i, &scratch->view,
					     &scratch->tally);
	if (to < MPU_ASK_MAX)
		scratch->saved[mpu_fixed(to)] = own;
	return 0;
}

/* Reads params: the count, if there is one, and the elements it counts, @len bytes of them. */
static __always_inline int read_elements(struct scratch *scratch,
					 const struct mpu_row *row, u64 params,
					 u64 *len)
{
	u64 base = mpu_fixed(row->base) & (MPU_RUN - 1);

	if (row->count != MPU_NO_OFFSET &&
	    bpf_probe_read_user(scratch->array + mpu_offset(row->count), 4,
				(void *)(params + row->count)))
		return -1;
	*len = mpu_fixed(mpu_elements_count(row, scratch->array, row->size) * row->stride) &
	       (MPU_REACH - 1);
	return bpf_probe_read_user(scratch->array + base, *len, (void *)(params + base)) ? -1 : 0;
}

/*
 * Writes a translated number of the question to the caller's memory. Nothing else
 * is written: a caller can have one page of memory at two addresses, and what is
 * no number here may be one there.
 */
__attribute__((__noinline__)) int tell_element(u32 i)
{
	struct scratch *scratch = scratch_here();
	const struct mpu_row *row;
	u32 off, number;

	if (!scratch)
		return -1;
	row = mpu_row_at(scratch->row);
	if (!row)
		return -1;
	off = mpu_pid_offset(row, i);
	number = mpu_get32(scratch->array, off);
	return bpf_probe_write_user((void *)(scratch->call.params + off), &number, 4) ? -1 : 0;
}

/* Works in scratch memory. Return: how many numbers; -1: they could not be read. */
static __always_inline int ask_question(struct scratch *scratch, const struct mpu_row *row)
{
	u32 i, n;
	u64 len;

	if (read_elements(scratch, row, scratch->call.params, &len))
		return -1;
	n = mpu_elements_count(row, scratch->array, row->size);
	for (i = 0; i < MPU_ASK_MAX && i < n; i++)
		ask_element(i);
	return n;
}

/*
 * A function of its own: the verifier would follow this loop from each end of
 * ask_question(). Return: -1: some of it could not be written.
 */
__attribute__((__noinline__)) int tell_question(u32 n)
{
	u32 i;

	for (i = 0; i < MPU_ASK_MAX && i < n; i++)
		if (tell_element(i))
			return -1;
	return 0;
}

static __always_inline void restore_question(u64 key, const struct mpu_row *row,
					     const struct call *call)
{
	struct question *question = bpf_map_lookup_elem(&questions, &key);
	u32 i;

	if (!question)
		return;
	for (i = 0; i < MPU_ASK_MAX && i < call->asked; i++)
		bpf_probe_write_user((void *)(call->params +
					      mpu_pid_offset(row, i)),
				     &question->saved[i], 4);
	bpf_map_delete_elem(&questions, &key);
}

__attribute__((__noinline__)) int answer_element(u32 i)
{
	struct scratch *scratch = scratch_here();
	const struct mpu_row *row;

	if (!scratch)
		return 0;
	row = mpu_row_at(scratch->row);
	if (row)
		mpu_answer_translate_element(row, scratch->array, i, &scratch->pass,
					     &scratch->view, &scratch->tally);
	return 0;
}

__attribute__((__noinline__)) int answer_column(u32 f)
{
	struct scratch *scratch = scratch_here();
	const struct mpu_row *row;

	if (!scratch)
		return 0;
	row = mpu_row_at(scratch->row);
	if (row)
		mpu_answer_fill_column(row, scratch->array, f, &scratch->pass);
	return 0;
}

/* A loop in a loop: the verifier follows 64 steps of each, not their product. */
#define ANSWER_STEP	64

__attribute__((__noinline__)) int answer_elements(u32 from, u32 n)
{
	u32 i;

	for (i = 0; i < ANSWER_STEP && from + i < n; i++)
		answer_element(from + i);
	return 0;
}

/* Translates the array in scratch memory, whose count stands in @params there. */
static __always_inline void answer_array(struct scratch *scratch,
					 const struct mpu_row *row,
					 void *params, u32 size)
{
	u32 i, n;

	mpu_answer_begin(row, params, scratch->array, size, &scratch->pass);
	n = scratch->pass.n;
	for (i = 0; i < (MPU_LIST_MAX + ANSWER_STEP - 1) / ANSWER_STEP && i * ANSWER_STEP < n; i++)
		answer_elements(i * ANSWER_STEP, n);
	if (mpu_answer_has_gaps(row, &scratch->tally))
		for (i = 0; i < MPU_FIELDS_MAX && i < row->fields; i++)
			answer_column(i);
	mpu_answer_end(row, params, scratch->array, &scratch->pass);
}

static __always_inline int write_count(struct scratch *scratch,
				       const struct mpu_row *row,
				       const void *params, u64 to)
{
	u32 n;

	if (row->count == MPU_NO_OFFSET || scratch->pass.kept == scratch->pass.n)
		return 0;
	n = mpu_get32(params, row->count);
	return bpf_probe_write_user((void *)(to + row->count), &n, 4);
}

/*
 * Translates an array inside the params: reads it, judges it and writes it back. After
 * that, nothing there is taken for the caller's own: the count itself may lie where the
 * caller had the driver write something else.
 */
static __always_inline int answer_params(struct scratch *scratch,
					 const struct mpu_row *row, u64 params)
{
	u64 base = mpu_fixed(row->base) & (MPU_RUN - 1), len;

	if (read_elements(scratch, row, params, &len))
		return -1;
	answer_array(scratch, row, scratch->array, row->size);
	if (write_user(params + base, scratch->array + base, len, MPU_REACH) ||
	    clear_user(params, base + len, base + row->cap * row->stride))
		return -1;
	return write_count(scratch, row, scratch->array, params);
}

/*
 * Translates an array in a buffer of the caller's, like answer_params(). Only the
 * elements that the answer counts have to be there: a driver that has no list leaves
 * the buffer alone (open 515 to 545, encoder sessions), and NVML's is new memory. A
 * missing end of the buffer is one that the driver has not written.
 */
static __always_inline int answer_buffer(struct scratch *scratch,
					 const struct mpu_row *row,
					 const struct call *call)
{
	u64 len = mpu_fixed(row->size) & (sizeof(scratch->head) - 1);
	u64 user = call->array;
	u32 bytes = call->bytes, room;

	if (!user)
		return 0;
	if (bpf_probe_read_user(scratch->head, len, (void *)call->params))
		return -1;
	row = mpu_row_buffer(row, state.branch);
	if (!row)
		return clear_user(user, 0, bytes);
	room = bytes < MPU_REACH ? bytes : MPU_REACH - 1;
	len = mpu_fixed(mpu_elements_count(row, scratch->head, room) * row->stride) &
	      (MPU_REACH - 1);
	if (bpf_probe_read_user(scratch->array, len, (void *)user))
		return -1;
	scratch->row = mpu_row_index(row);
	answer_array(scratch, row, scratch->head, room);
	if (write_user(user, scratch->array, len, MPU_REACH))
		return -1;
	clear_user(user, len, bytes);
	return write_count(scratch, row, scratch->head, call->params);
}

#endif /* MPU_BPF_RULE_H */
