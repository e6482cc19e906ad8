/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state, and moves of memory whose bounds the verifier can see.
 */
#ifndef MPU_BPF_MEMORY_H
#define MPU_BPF_MEMORY_H

#include <bpf/bpf_helpers.h>

#include "core/env.h"
#include "state.h"

struct bpf_state state;
static const u8 nothing[MPU_RUN];

static void mpu_zero(void *buf, u32 off, u32 len)
{
	u32 i;

	for (i = 0; i < MPU_REACH / MPU_RUN && len >= MPU_RUN; i++) {
		bpf_probe_read_kernel(buf + mpu_offset(off), MPU_RUN, nothing);
		off += MPU_RUN;
		len -= MPU_RUN;
	}
	bpf_probe_read_kernel(buf + mpu_offset(off), mpu_fixed(len) & (MPU_RUN - 1), nothing);
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
 * Writes to the caller's memory, which must be present: programs cannot wait for it.
 * The driver has just been there. The verifier must see a length that is never 0 and
 * never above @room, a power of two.
 */
static __always_inline long write_user(u64 to, const void *from, u64 len, u64 room)
{
	if (!len)
		return 0;
	len = mpu_fixed(len - 1) & (room - 1);
	return bpf_probe_write_user((void *)to, from, mpu_fixed(len) + 1);
}

/* RM takes no larger params (RMAPI_PARAM_COPY_MAX_PARAMS_SIZE). */
#define CLEAR_MAX	(1u << 20)

#define CLEAR_STEP	4096u	/* the smallest page */

/*
 * Clears the caller's memory from offset @from to @size, each page by itself: the driver's
 * own copy may have ended in the middle. Return: -1: some of it cannot be written.
 */
__attribute__((__noinline__)) int clear_user(u64 user, u32 from, u32 size)
{
	int err = 0;
	u32 i, len;

	for (i = 0; i <= CLEAR_MAX / CLEAR_STEP && from < size; i++) {
		len = CLEAR_STEP - ((user + from) & (CLEAR_STEP - 1));
		if (len > size - from)
			len = size - from;
		if (write_user(user + from, nothing, len, CLEAR_STEP))
			err = -1;
		from += len;
	}
	return err;
}

static __always_inline void count(u64 control, enum mpu_counter which, u32 n)
{
	control = mpu_fixed(control);
	if (n && control < MPU_CONTROLS)
		__sync_fetch_and_add(&state.counter[mpu_fixed(control)][which], n);
}

#endif /* MPU_BPF_MEMORY_H */
