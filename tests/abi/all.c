// SPDX-License-Identifier: GPL-2.0-only
/*
 * Everything of core/ used once, with a view of one process: does it compile,
 * and does it need nothing but its own headers?
 */
#include "core/counters.h"
#include "core/nvrm.h"
#include "core/regimes.h"
#include "core/rule.h"

struct mpu_view {
	u32 local;
	u32 global;
	u64 began;
};

static u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left)
{
	(void)left;
	return global == view->global ? view->local : 0;
}

static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	return local == view->local ? view->global : 0;
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global, u64 when)
{
	return local == view->local && global == view->global && when >= view->began;
}

#ifdef __bpf__
static void mpu_zero(void *buf, u32 off, u32 len)
{
	while (len--)
		((u8 *)buf)[off + len] = 0;
}

static void mpu_move(void *buf, u32 to, u32 from, u32 len)
{
	while (len--)
		((u8 *)buf)[to++] = ((u8 *)buf)[from++];
}
#endif

/* A BPF function takes five arguments at most. */
struct buffers {
	void *params;
	void *array;
	u32 array_size;
	u32 branch;
	u32 *saved;
};

u32 translate(const struct nv_control *ctl, const struct buffers *buf, struct mpu_view *view);

u32 translate(const struct nv_control *ctl, const struct buffers *buf, struct mpu_view *view)
{
	const struct mpu_row *row = mpu_row_sized(mpu_row_of(ctl->cmd), ctl->size);
	struct mpu_tally tally = { 0, 0 };

	if (!row)
		return 0;
	if (row->dir == MPU_IN) {
		u32 n = mpu_question_translate(row, buf->params, buf->saved, view, &tally);

		return mpu_question_restore(row, buf->params, buf->saved, n, view, &tally);
	}
	if (row->ptr != MPU_NO_OFFSET)
		row = mpu_row_buffer(row, buf->branch);
	if (row)
		mpu_answer_translate(row, buf->params, buf->array, buf->array_size, view, &tally);
	return tally.hidden;
}
