/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where ftrace sends the driver's functions on arm64: the same tests as in
 * trampoline_x86.S, which says what they are for.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>
#include "core/nvrm.h"

/*
 * On entry x9 is the way back to the caller of the driver's function and x30
 * the way into that function (samples/ftrace/ftrace-direct.c).
 */
.macro MPU_CALL gate
	stp	x29, x30, [sp, #-48]!
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x9, [sp, #32]
	bl	\gate
	mov	x4, x0
	ldp	x2, x9, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #48
	mov	x3, x30
	mov	x30, x9
.endm

.macro MPU_ASK gate, replacement
	MPU_CALL \gate
	cbz	x4, .Lpass\@
	b	\replacement
.Lpass\@:
	ret	x3
.endm

.macro MPU_PASS
	mov	x16, x30
	mov	x30, x9
	ret	x16
.endm

SYM_FUNC_START(mpu_trampoline_ioctl)
	and	w16, w1, #0xff
	cmp	w16, #NV_ESC_RM_CONTROL
	b.eq	1f
	cmp	w16, #NV_ESC_XFER
	b.eq	1f
	cmp	w16, #NV_ESC_RM_ALLOC
	b.eq	1f
	MPU_PASS
1:	MPU_ASK	mpu_gate_ioctl, mpu_ioctl
SYM_FUNC_END(mpu_trampoline_ioctl)

.macro MPU_TRAMPOLINE name, replacement
SYM_FUNC_START(\name)
	adrp	x16, mpu_marked
	ldr	w16, [x16, #:lo12:mpu_marked]
	cbnz	w16, 1f
	MPU_PASS
1:	MPU_ASK	mpu_gate_marked, \replacement
SYM_FUNC_END(\name)
.endm

MPU_TRAMPOLINE mpu_trampoline_copy_in, mpu_copy_in
MPU_TRAMPOLINE mpu_trampoline_copy_out, mpu_copy_out
MPU_TRAMPOLINE mpu_trampoline_find_ns_pid, mpu_find_ns_pid
MPU_TRAMPOLINE mpu_trampoline_is_init_ns, mpu_is_init_ns

SYM_FUNC_START(mpu_trampoline_get_pid_info)
	MPU_ASK	mpu_gate_outside, mpu_get_pid_info
SYM_FUNC_END(mpu_trampoline_get_pid_info)

SYM_FUNC_START(mpu_trampoline_close)
	MPU_CALL mpu_gate_close
	ret	x3
SYM_FUNC_END(mpu_trampoline_close)

/* A return, not a branch: its target carries no BTI landing pad. */
SYM_FUNC_START(mpu_body_run)
	ret	x3
SYM_FUNC_END(mpu_body_run)
