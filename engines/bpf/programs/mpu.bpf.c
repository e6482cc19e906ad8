// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs: one at the driver's entry, one at its return, and one that sees drivers come.
 *
 * The headers hold functions and maps of this one object. Each is included once, in one order:
 * kernel, pidns and memory, view and call, scratch, rule, entry, return.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "return.bpf.h"

char LICENSE[] SEC("license") = "GPL";

SEC("kprobe")
int enter_driver(struct pt_regs *regs)
{
	return on_entry(PT_REGS_PARM2(regs), PT_REGS_PARM3(regs), PT_REGS_RET(regs));
}

SEC("kretprobe")
int leave_driver(struct pt_regs *regs)
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
