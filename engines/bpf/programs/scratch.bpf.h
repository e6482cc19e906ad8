/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scratch: room for one program to work in, on one CPU. Values that the verifier would
 * otherwise follow one by one stand there, where it knows nothing of them.
 *
 * The view is part of it, and asks for the scratch in turn (scratch_view()). BPF forces this
 * circle: a function that the verifier looks into once (noinline) takes numbers alone on the
 * oldest kernels, so view_once() has to find the view that it works on by itself.
 */
#ifndef MPU_BPF_SCRATCH_H
#define MPU_BPF_SCRATCH_H

#include "call.bpf.h"
#include "view.bpf.h"

/* Head and array are long enough for any offset of the rule: env.h, MPU_REACH. */
struct scratch {
	u8 head[64];			/* params whose array is in a user buffer */
	u8 array[MPU_REACH + MPU_RUN];	/* params with the array inside, or that user buffer */
	struct mpu_view view;
	struct mpu_tally tally;
	struct mpu_pass pass;		/* progress through an array */
	u32 row;			/* index of the row that it goes by */
	u32 saved[MPU_ASK_MAX];		/* the caller's own numbers, of a question */
	struct call call;		/* the call that is entered */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* set before loading: one for each CPU */
	__type(key, u32);
	__type(value, struct scratch);
} scratch SEC(".maps");

/* Returns the scratch memory of this CPU; it stays while a program runs: preemption is off. */
static __always_inline struct scratch *scratch_here(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&scratch, &cpu);
}

static __always_inline struct mpu_view *scratch_view(void)
{
	struct scratch *scratch = scratch_here();

	return scratch ? &scratch->view : 0;
}

/* Use the scratch memory for a row from now on, as the caller sees it. */
static __always_inline void scratch_begin(struct scratch *scratch, const struct mpu_row *row)
{
	view_open(&scratch->view, row);
	scratch->tally.seen = 0;
	scratch->tally.hidden = 0;
	scratch->row = mpu_row_index(row);
}

#endif /* MPU_BPF_SCRATCH_H */
