/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver's functions on x86-64: one test that fails for nearly everybody, and back.
 */
#include <linux/linkage.h>
#include <asm/frame.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>
#include "core/nvrm.h"

#ifdef CONFIG_X86_KERNEL_IBT
#include <asm/ibt.h>	/* 5.18 */
#else
#define ENDBR
#endif

#ifndef RET
#define RET ret
#endif

#ifndef SYM_FUNC_START	/* 5.5, and later ones of 5.4 */
#define SYM_FUNC_START ENTRY
#define SYM_FUNC_END ENDPROC
#endif

/*
 * On entry the stack holds the way back into the driver's function and below it the way back to
 * that function's caller; the function has three arguments, untouched. Returning runs the
 * function as if nothing had happened. To take its place, the first address is popped into the
 * fourth argument (so that the replacement can still run the function, see mpu_body_run()), what
 * the gate said is the fifth, and a jump makes the replacement look called in its stead.
 *
 * With retbleed=stuff (6.2) the kernel counts calls and returns, but not the call that ftrace
 * makes here, so we do. Where the first test already returns it is left out: then the return
 * stack is refilled one return too early.
 *
 * Nothing of a call that is let through stays on its stack: whoever sleeps in the driver without
 * being ours does not keep mpu.ko from going away.
 */
.macro MPU_CALL gate
	FRAME_BEGIN
#if defined(CONFIG_MITIGATION_CALL_DEPTH_TRACKING) || \
	defined(CONFIG_CALL_DEPTH_TRACKING)	/* its name up to 6.8 */
	CALL_DEPTH_ACCOUNT
#endif
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	call	\gate
	popq	%rdx
	popq	%rsi
	popq	%rdi
	FRAME_END
.endm

.macro MPU_ASK gate, replacement
	MPU_CALL \gate
	testq	%rax, %rax
	je	.Lpass\@
	movq	%rax, %r8
	popq	%rcx
	UNWIND_HINT_FUNC
	jmp	\replacement
.Lpass\@:
	UNWIND_HINT_FUNC
	RET
.endm

/* long nvidia_unlocked_ioctl(struct file *, unsigned int cmd, unsigned long) */
SYM_FUNC_START(mpu_trampoline_ioctl)
	ENDBR
	cmpb	$NV_ESC_RM_CONTROL, %sil
	je	1f
	cmpb	$NV_ESC_XFER, %sil
	je	1f
	cmpb	$NV_ESC_RM_ALLOC, %sil
	je	1f
	RET
1:	MPU_ASK	mpu_gate_ioctl, mpu_ioctl
SYM_FUNC_END(mpu_trampoline_ioctl)

.macro MPU_TRAMPOLINE name, replacement
SYM_FUNC_START(\name)
	ENDBR
	cmpl	$0, mpu_marked(%rip)
	jne	1f
	RET
1:	MPU_ASK	mpu_gate_marked, \replacement
SYM_FUNC_END(\name)
.endm

/* NV_STATUS os_memcpy_from_user(void *to, const void *from, NvU32 n) */
MPU_TRAMPOLINE mpu_trampoline_copy_in, mpu_copy_in
/* NV_STATUS os_memcpy_to_user(void *to, const void *from, NvU32 n) */
MPU_TRAMPOLINE mpu_trampoline_copy_out, mpu_copy_out
/* NV_STATUS os_find_ns_pid(void *pid_info, NvU32 *ns_pid) */
MPU_TRAMPOLINE mpu_trampoline_find_ns_pid, mpu_find_ns_pid
/* NvBool os_is_init_ns(void) */
MPU_TRAMPOLINE mpu_trampoline_is_init_ns, mpu_is_init_ns

/* void *os_get_pid_info(void) */
SYM_FUNC_START(mpu_trampoline_get_pid_info)
	ENDBR
	MPU_ASK	mpu_gate_outside, mpu_get_pid_info
SYM_FUNC_END(mpu_trampoline_get_pid_info)

/* int nvidia_close(struct inode *, struct file *) */
SYM_FUNC_START(mpu_trampoline_close)
	ENDBR
	MPU_CALL mpu_gate_close
	RET
SYM_FUNC_END(mpu_trampoline_close)

/*
 * long mpu_body_run(a, b, c, body): run the driver's function from behind its
 * ftrace entry. A return, not an indirect call: the target is no function
 * start, so neither IBT nor kCFI would let a call through.
 */
SYM_FUNC_START(mpu_body_run)
	pushq	%rcx
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(mpu_body_run)

	.section .note.GNU-stack, "", @progbits
