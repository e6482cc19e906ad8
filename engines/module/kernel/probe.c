// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of the driver: where they are, and probes at those that have no ftrace entry
 * (the prelinked part of the driver) or that nothing is to stand in for.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "internal.h"
#include "compat/uaccess.h"

/*
 * Returns the address of a function of @module, or wherever it is (NULL); 0: there is none,
 * or the module is on its way out. Asked of kprobes, which is exported everywhere where
 * kallsyms is not. On IBT kernels the address is behind the ENDBR: good for ftrace and
 * kprobes, never to be called.
 */
unsigned long mpu_symbol_find(const char *module, const char *symbol)
{
	char name[MODULE_NAME_LEN + KSYM_NAME_LEN];
	/* Disabled: looked up and prepared, nothing is written anywhere. */
	struct kprobe probe = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long addr;

	snprintf(name, sizeof(name), "%s%s%s", module ?: "", module ? ":" : "", symbol);
	if (register_kprobe(&probe))
		return 0;
	addr = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return addr;
}

/* Nothing happens where no probe can be had, and mpu_probe_is_live() says so. */
void mpu_probe_begin(struct kprobe *probe, unsigned long addr, kprobe_pre_handler_t handler)
{
	memset(probe, 0, sizeof(*probe));
	if (!addr)
		return;
	probe->addr = (kprobe_opcode_t *)addr;
	probe->pre_handler = handler;
	if (register_kprobe(probe))
		probe->addr = NULL;
}

/*
 * Kprobes makes a jump of a probe at a function that ftrace does not know, and takes
 * it out some ticks after the probe itself (OPTIMIZE_DELAY, kernel/kprobes.c). If the
 * driver is unloaded before that, kill_optimized_kprobe() of 5.10.223 forgets what it
 * had still to free. The next probe at that address, in the next driver, then meets it:
 * a warning in reuse_unused_kprobe(), and no probe.
 *
 * Whoever else has a probe there keeps the jump: hence no longer than five seconds.
 */
static void wait_for_removal(struct kprobe *probe)
{
	unsigned long end = jiffies + 5 * HZ;
	kprobe_opcode_t opcode;

	if (kprobe_ftrace(probe) || kprobe_gone(probe))
		return;
	while (!get_kernel_nofault(opcode, probe->addr) &&
	       opcode != probe->opcode && time_before(jiffies, end))
		msleep(20);
}

void mpu_probe_end(struct kprobe *probe)
{
	if (!probe->addr)
		return;
	unregister_kprobe(probe);
	wait_for_removal(probe);
	probe->addr = NULL;
}
