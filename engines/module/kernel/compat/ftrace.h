/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace callbacks get struct ftrace_regs since 5.11 (kernel commit
 * d19ad0775dcd), struct pt_regs before. Kbuild asks the headers which.
 */
#ifndef MPU_COMPAT_FTRACE_H
#define MPU_COMPAT_FTRACE_H

#include <linux/ftrace.h>

#ifdef MPU_FTRACE_REGS
typedef struct ftrace_regs mpu_ftrace_regs;
#define mpu_ftrace_pt_regs(regs) ftrace_get_regs(regs)
#else
typedef struct pt_regs mpu_ftrace_regs;
#define mpu_ftrace_pt_regs(regs) (regs)
#endif

/*
 * 5.5 (kernel commit 7162431dcf72): kernel.ftrace_enabled cannot be switched
 * off while such a hook is there. An enumerator: #ifdef never sees it.
 */
#ifndef MPU_FTRACE_PERMANENT
#define FTRACE_OPS_FL_PERMANENT 0
#endif

#endif /* MPU_COMPAT_FTRACE_H */
