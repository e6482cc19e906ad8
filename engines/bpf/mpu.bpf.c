// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs: three ways to be there when the driver is entered and left,
 * and the two things done there.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "call.bpf.h"

char LICENSE[] SEC("license") = "GPL";

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

/* Most controls carry no PIDs, and this is all they pay. */
static __always_inline bool is_other_control(u32 nr, u64 arg)
{
	u32 cmd;

	return nr == NV_ESC_RM_CONTROL &&
	       !bpf_probe_read_user(&cmd, sizeof(cmd),
				    (void *)(arg + __builtin_offsetof(
						struct nv_control, cmd))) &&
	       mpu_index_of(cmd) == MPU_ROWS;
}

static __always_inline bool begins_here(enum bpf_hook hook)
{
	return state.on && (state.hook == hook || state.hook == BPF_HOOKS) &&
	       bpf_get_current_pid_tgid() >> 32 != state.spared;
}

static __always_inline int enter(enum bpf_hook hook, u32 cmd, u64 arg)
{
	u32 nr = cmd & 0xff, at;
	struct slot *slot;

	if (nr != NV_ESC_RM_CONTROL && nr != NV_ESC_XFER)
		return 0;
	if (!caller_outside() || is_other_control(nr, arg) ||
	    !begins_here(hook))
		return 0;
	at = slot_now(false);
	slot = bpf_map_lookup_elem(&slots, &at);
	if (!slot)
		return 0;
	slot->call.arg = arg;
	slot->call.nr = nr;
	slot->call.row = MPU_ROWS;
	slot->call.asked = 0;
	slot->call.refused = 0;
	slot->call.hook = hook;
	return call_identify(at) ? call_begin(at) : 0;
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

static __always_inline int leave(enum bpf_hook hook, u64 ret)
{
	return *(volatile u64 *)&state.calls[hook] ? call_end(ret) : 0;
}

/*
 * Of fentry and fexit: the function's arguments, then its result. Drivers up to
 * 535 have an entry of their own for 32-bit callers, which wants its own pair.
 */
SEC("fentry")
int enter_fentry(u64 *args)
{
	return enter(BPF_FENTRY, args[1], args[2]);
}

SEC("fexit")
int leave_fexit(u64 *args)
{
	return leave(BPF_FENTRY, args[3]);
}

SEC("fentry")
int enter_fentry_compat(u64 *args)
{
	return enter(BPF_FENTRY, args[1], args[2]);
}

SEC("fexit")
int leave_fexit_compat(u64 *args)
{
	return leave(BPF_FENTRY, args[3]);
}

SEC("kprobe")
int enter_kprobe(struct pt_regs *regs)
{
	return enter(BPF_KPROBE, PT_REGS_PARM2(regs), PT_REGS_PARM3(regs));
}

SEC("kretprobe")
int leave_kretprobe(struct pt_regs *regs)
{
	return leave(BPF_KPROBE, PT_REGS_RC(regs));
}

/* Where a tracepoint of a system call has its arguments, and its result. */
struct syscall_enter {
	u64 common;
	long nr;
	u64 args[6];
};

struct syscall_exit {
	u64 common;
	long nr;
	long ret;
};

/* Every ioctl of the host comes by: is it one of the driver's? */
static __always_inline bool is_driver(u32 fd)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	struct file **files = BPF_CORE_READ(table, fd);
	struct file *file;

	if (fd >= BPF_CORE_READ(table, max_fds) ||
	    bpf_probe_read_kernel(&file, sizeof(file), &files[fd]))
		return false;
	/* MAJOR(), include/linux/kdev_t.h */
	return BPF_CORE_READ(file, f_inode, i_rdev) >> 20 == NV_MAJOR;
}

SEC("tracepoint/syscalls/sys_enter_ioctl")
int enter_tracepoint(struct syscall_enter *ctx)
{
	u32 nr = ctx->args[1] & 0xff;

	if ((nr != NV_ESC_RM_CONTROL && nr != NV_ESC_XFER) ||
	    !is_driver(ctx->args[0]))
		return 0;
	return enter(BPF_TRACEPOINT, ctx->args[1], ctx->args[2]);
}

SEC("tracepoint/syscalls/sys_exit_ioctl")
int leave_tracepoint(struct syscall_exit *ctx)
{
	return leave(BPF_TRACEPOINT, ctx->ret);
}
