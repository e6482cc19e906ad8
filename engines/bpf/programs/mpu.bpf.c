// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs: three hooks, each at the driver's entry and at its return; and one that
 * sees drivers come.
 *
 * The headers hold functions and maps of this one object. Each is included once,
 * in one order: kernel, pidns and memory, view and call, slot, rule, entry, return.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "return.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/*
 * fentry and fexit get the function's arguments, fexit then its result. Drivers up
 * to 535 have an entry of their own for 32-bit callers, which wants its own pair.
 */
SEC("fentry")
int enter_fentry(u64 *args)
{
	return on_entry(args[1], args[2], 0);
}

SEC("fexit")
int leave_fexit(u64 *args)
{
	return on_return(args[3]);
}

SEC("fentry")
int enter_fentry_compat(u64 *args)
{
	return on_entry(args[1], args[2], 0);
}

SEC("fexit")
int leave_fexit_compat(u64 *args)
{
	return on_return(args[3]);
}

SEC("kprobe")
int enter_kprobe(struct pt_regs *regs)
{
	return on_entry(PT_REGS_PARM2(regs), PT_REGS_PARM3(regs),
			PT_REGS_RET(regs));
}

SEC("kretprobe")
int leave_kretprobe(struct pt_regs *regs)
{
	return on_return(PT_REGS_RC(regs));
}

/*
 * A module is loaded and has not run yet (do_init_module()): the driver, perhaps another
 * than the last. User space hears of it later, and reads its version then.
 */
SEC("raw_tracepoint/module_load")
int meet_module(struct bpf_raw_tracepoint_args *ctx)
{
	const struct module *module = (void *)ctx->args[0];
	char name[MODULE_NAME];
	u32 i;

	if (bpf_core_read(name, sizeof(name), &module->name))
		return 0;
	for (i = 0; i < MODULE_NAME; i++) {
		if (name[i] != state.awaited[i])
			return 0;
		if (!name[i])
			break;
	}
	__sync_fetch_and_add(&state.coming, 1);
	return 0;
}

/* What the tracepoints of a system call get: its arguments, and its result. */
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

/* The tracepoints see every ioctl of the host: is it one of the driver's? */
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
	return on_entry(ctx->args[1], ctx->args[2], 0);
}

SEC("tracepoint/syscalls/sys_exit_ioctl")
int leave_tracepoint(struct syscall_exit *ctx)
{
	return on_return(ctx->ret);
}
