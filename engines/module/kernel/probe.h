/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the driver: where they are, and probes at those that have no
 * ftrace entry (the prelinked part of the driver) or that nothing is to stand in
 * for.
 */
#ifndef MPU_PROBE_H
#define MPU_PROBE_H

#include <linux/kprobes.h>

/**
 * mpu_symbol_find() - address of a function of a module
 * @module:	name of the module, or NULL: wherever it is
 * @symbol:	name of the function
 *
 * Asked of kprobes, which is exported everywhere where kallsyms is not. On
 * IBT kernels the address is behind the ENDBR: good for ftrace and kprobes,
 * never to be called.
 *
 * Return: address, 0 if there is none or the module is on its way out.
 */
unsigned long mpu_symbol_find(const char *module, const char *symbol);

/**
 * mpu_probe_begin() - have a function seen when it is entered
 * @probe:	not begun
 * @addr:	from mpu_symbol_find(); 0: nothing happens
 * @handler:	called with preemption disabled; returns 0
 *
 * Where no probe can be had, nothing happens, either: mpu_probe_is_live() says
 * so.
 */
void mpu_probe_begin(struct kprobe *probe, unsigned long addr,
		     kprobe_pre_handler_t handler);

/** mpu_probe_end() - no handler runs any more; @probe may not have begun */
void mpu_probe_end(struct kprobe *probe);

/**
 * mpu_probe_is_live() - will the next call of the function be seen?
 *
 * Looks at the instruction: all kprobes of the kernel may be switched off and on
 * again at any time, by /sys/kernel/debug/kprobes/enabled.
 */
static inline bool mpu_probe_is_live(const struct kprobe *probe)
{
	const kprobe_opcode_t *addr = READ_ONCE(probe->addr);

	return addr && READ_ONCE(*addr) != probe->opcode;
}

#endif /* MPU_PROBE_H */
