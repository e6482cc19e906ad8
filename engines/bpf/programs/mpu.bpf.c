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

/* By what an RM_CONTROL comes. */
static __always_inline bool is_control(u32 nr)
{
	return nr == NV_ESC_RM_CONTROL || nr == NV_ESC_XFER;
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

static __always_inline bool is_spared(void)
{
	return bpf_get_current_pid_tgid() >> 32 == state.spared &&
	       bpf_ktime_get_ns() < state.spared_until;
}

/* @back: where the entry returns to, 0: its return cannot be missed */
static __always_inline int enter(u32 cmd, u64 arg, u64 back)
{
	u32 nr = cmd & 0xff, at;
	struct slot *slot;

	if (!is_control(nr) || !caller_outside() ||
	    is_other_control(nr, arg) || !state.on || is_spared())
		return 0;
	at = slot_now(false);
	slot = bpf_map_lookup_elem(&slots, &at);
	if (!slot)
		return 0;
	slot->call.arg = arg;
	slot->call.nr = nr;
	slot->call.row = MPU_ROWS;
	slot->call.array = 0;
	slot->call.fate = CALL_ASKED;
	slot->call.back = back;
	return call_identify(at) ? call_begin(at) : 0;
}

static __always_inline int leave(u64 ret)
{
	return *(volatile u64 *)&state.calls ? call_end(ret) : 0;
}

/*
 * Of fentry and fexit: the function's arguments, then its result. Drivers up to
 * 535 have an entry of their own for 32-bit callers, which wants its own pair.
 */
SEC("fentry")
int enter_fentry(u64 *args)
{
	return enter(args[1], args[2], 0);
}

SEC("fexit")
int leave_fexit(u64 *args)
{
	return leave(args[3]);
}

SEC("fentry")
int enter_fentry_compat(u64 *args)
{
	return enter(args[1], args[2], 0);
}

SEC("fexit")
int leave_fexit_compat(u64 *args)
{
	return leave(args[3]);
}

SEC("kprobe")
int enter_kprobe(struct pt_regs *regs)
{
	return enter(PT_REGS_PARM2(regs), PT_REGS_PARM3(regs),
		     PT_REGS_RET(regs));
}

SEC("kretprobe")
int leave_kretprobe(struct pt_regs *regs)
{
	return leave(PT_REGS_RC(regs));
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
	if (!is_control(ctx->args[1] & 0xff) || !is_driver(ctx->args[0]))
		return 0;
	return enter(ctx->args[1], ctx->args[2], 0);
}

SEC("tracepoint/syscalls/sys_exit_ioctl")
int leave_tracepoint(struct syscall_exit *ctx)
{
	return leave(ctx->ret);
}
