// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes at functions of the driver: see probe.h.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "probe.h"

unsigned long mpu_symbol_find(const char *module, const char *symbol)
{
	char name[MODULE_NAME_LEN + KSYM_NAME_LEN];
	/* Disabled: looked up and prepared, nothing is written anywhere. */
	struct kprobe probe = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long addr;

	snprintf(name, sizeof(name), "%s%s%s", module ?: "",
		 module ? ":" : "", symbol);
	if (register_kprobe(&probe))
		return 0;
	addr = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return addr;
}

void mpu_probe_begin(struct kprobe *probe, unsigned long addr,
		     kprobe_pre_handler_t handler)
{
	memset(probe, 0, sizeof(*probe));
	if (!addr)
		return;
	probe->addr = (kprobe_opcode_t *)addr;
	probe->pre_handler = handler;
	if (register_kprobe(probe))
		probe->addr = NULL;
}

void mpu_probe_end(struct kprobe *probe)
{
	if (probe->addr)
		unregister_kprobe(probe);
	probe->addr = NULL;
}
