/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function's arguments at its entry: since 4.20 on x86-64 (kernel commit
 * 3c88ee194c28), and since 5.1 on arm64. Kbuild asks the headers.
 */
#ifndef MPU_COMPAT_REGS_H
#define MPU_COMPAT_REGS_H

#include <linux/ptrace.h>

#ifndef MPU_KERNEL_ARGUMENT
static inline unsigned long regs_get_kernel_argument(struct pt_regs *regs, unsigned int n)
{
#if defined(CONFIG_X86_64)
	const unsigned long arguments[] = {
		regs->di, regs->si, regs->dx, regs->cx, regs->r8, regs->r9,
	};

	return arguments[n];
#elif defined(CONFIG_ARM64)
	return regs->regs[n];
#endif
}
#endif

#endif /* MPU_COMPAT_REGS_H */
