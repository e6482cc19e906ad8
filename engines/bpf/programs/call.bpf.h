/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PID control in flight: what is kept of it, and what can be done to it as a whole.
 */
#ifndef MPU_BPF_CALL_H
#define MPU_BPF_CALL_H

#include "memory.bpf.h"

#include "core/table.h"
#include "core/nvrm.h"

/* PID controls in flight at a time, and questions among them. */
#define CALLS		8192
#define QUESTIONS	4096

/* include/uapi/asm-generic/signal.h */
#define SIGKILL		9

/* The ways in which a call ends. */
enum call_disposition {
	CALL_ASKED,	/* RM answers it, and the answer is translated */
	CALL_REFUSED,	/* RM was given a size that it refuses */
	CALL_DISCARDED,	/* RM could not be kept from answering: that is cleared */
};

/**
 * struct call - a PID control in flight, by the thread that makes it
 * @row:	index of the layout; if @odd, of one of the control that this is, or is
 *		taken for; MPU_ROWS: the block could not be read yet
 *
 * The driver reads the values that are kept here. By the time it has answered, the
 * caller's memory in their place may be part of the answer.
 */
struct call {
	u64 arg;	/* the ioctl's third argument */
	u64 block;	/* address of the argument block */
	u64 params;	/* address of the params */
	u64 array;	/* address of the array, if it is in a buffer of the caller's; else 0 */
	u32 bytes;	/* size of that buffer */
	u32 size;	/* size of the params, as the caller says */
	u32 row;
	u32 odd;	/* a layout that is not known: a driver may be newer than the table */
	u32 nr;		/* number of the ioctl */
	u32 asked;	/* numbers of the params that were translated */
	u32 disposition;	/* enum call_disposition */
	u32 driver_unknown;	/* to be kept from RM: the driver is not known yet */
	u64 back;	/* address that the driver's entry returns to */
};

/* The caller's own numbers, which stand in the params again at return. */
struct question {
	u32 saved[MPU_ASK_MAX];
};

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
 * Will the return of this call be seen? Return probes have so many instances in all; for a
 * call that gets one, the kernel has already put its own trampoline in the place of the
 * address that the driver returns to. Which one that is, the first return tells.
 */
static __always_inline bool call_return_is_seen(struct call *call)
{
#if defined(__TARGET_ARCH_x86)	/* there it stands on the stack */
	bpf_probe_read_kernel(&call->back, sizeof(call->back), (void *)call->back);
#endif
	return !state.trampoline || call->back == state.trampoline;
}

/* Keeps what the return needs. Return: not 0 if there is no room. */
static __always_inline long call_keep(const struct call *call, const u32 *saved, u64 key)
{
	if (call->asked && bpf_map_update_elem(&questions, &key, saved, BPF_ANY))
		return -1;
	if (!bpf_map_update_elem(&calls, &key, call, BPF_ANY))
		return 0;
	bpf_map_delete_elem(&questions, &key);
	return -1;
}

/* Forgets a call of this thread whose return was not seen: a program was skipped. */
static __always_inline void call_forget_missed(u64 key)
{
	if (bpf_map_delete_elem(&calls, &key))
		return;
	bpf_map_delete_elem(&questions, &key);
	__sync_fetch_and_add(&state.calls, -1);
	__sync_fetch_and_add(&state.missed, 1);
}

/* Return: not 0 if the size could not be written. */
static __always_inline long call_set_size(const struct call *call, u32 size)
{
	return bpf_probe_write_user((void *)(call->block +
			__builtin_offsetof(struct nv_control, size)), &size,
			sizeof(size));
}

/*
 * Gives a call that must not reach RM a size that RM refuses, and its own size back at return.
 * Size 0 would not be a call; RM refuses one byte like any size that is not the control's.
 */
static __always_inline void call_refuse(struct call *call, u32 size)
{
	call->disposition = call_set_size(call, size) ? CALL_DISCARDED : CALL_REFUSED;
}

/* RM's status of the call, "invalid address" if it cannot be read. */
static __always_inline u32 call_status(const struct call *call)
{
	u32 status;

	return bpf_probe_read_user(&status, sizeof(status), (void *)(call->block +
			__builtin_offsetof(struct nv_control, status))) ?
	       NV_ERR_INVALID_ADDRESS : status;
}

static __always_inline void call_set_status(const struct call *call, u32 status)
{
	bpf_probe_write_user((void *)(call->block +
			__builtin_offsetof(struct nv_control, status)),
			&status, sizeof(status));
}

/* The driver answers where nobody can tell: no program that means well was seen to ask so. */
static __always_inline void call_kill(void)
{
	bpf_send_signal(SIGKILL);
}

#endif /* MPU_BPF_CALL_H */
