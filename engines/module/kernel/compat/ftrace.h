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

/*
 * For a redirect: the registers of a function that ftrace has stopped, and members of
 * them: its arguments, counted from 0, and MPU_NEXT, where it goes on. arm64 keeps no
 * struct pt_regs for that since 6.2 (kernel commit 26299b3f6ba2), but the arguments
 * without being told to: it refuses FTRACE_OPS_FL_SAVE_REGS.
 */
#if defined(CONFIG_X86_64)
#define mpu_redirect_regs(regs) mpu_ftrace_pt_regs(regs)
#define MPU_REDIRECT_FLAGS FTRACE_OPS_FL_SAVE_REGS
#define MPU_ARGUMENT_0 di
#define MPU_ARGUMENT_1 si
#define MPU_ARGUMENT_2 dx
#define MPU_ARGUMENT_3 cx
#define MPU_ARGUMENT_4 r8
#define MPU_NEXT ip
#elif defined(CONFIG_ARM64)
#if !defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define mpu_redirect_regs(regs) mpu_ftrace_pt_regs(regs)
#define MPU_REDIRECT_FLAGS FTRACE_OPS_FL_SAVE_REGS
#elif defined(MPU_ARCH_FTRACE_REGS)	/* 6.13 */
#define mpu_redirect_regs(regs) arch_ftrace_regs(regs)
#define MPU_REDIRECT_FLAGS 0
#else
#define mpu_redirect_regs(regs) (regs)
#define MPU_REDIRECT_FLAGS 0
#endif
#define MPU_ARGUMENT_0 regs[0]
#define MPU_ARGUMENT_1 regs[1]
#define MPU_ARGUMENT_2 regs[2]
#define MPU_ARGUMENT_3 regs[3]
#define MPU_ARGUMENT_4 regs[4]
#define MPU_NEXT pc
#endif

#endif /* MPU_COMPAT_FTRACE_H */
