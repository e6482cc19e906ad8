/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of trampoline_*.S: where ftrace sends the driver's functions, and the
 * way back into them.
 *
 * A trampoline asks a gate, which gets the driver's arguments, whether this call is
 * ours; a gate may not sleep and may not take long. If it says NULL, the
 * driver's function runs as if nothing had happened. Else the replacement runs in
 * its stead: with its three arguments, the body of the function, and what the
 * gate said.
 *
 *	trampoline		gate			replacement
 *	mpu_trampoline_ioctl	mpu_gate_ioctl()	mpu_ioctl()
 *	..._copy_in		mpu_gate_marked()	mpu_copy_in()
 *	..._copy_out		mpu_gate_marked()	mpu_copy_out()
 *	..._find_ns_pid		mpu_gate_marked()	mpu_find_ns_pid()
 *	..._is_init_ns		mpu_gate_marked()	mpu_is_init_ns()
 *	..._get_pid_info	mpu_gate_outside()	mpu_get_pid_info()
 *	..._close		mpu_gate_close()	none: it says NULL
 */
#ifndef MPU_TRAMPOLINE_H
#define MPU_TRAMPOLINE_H

/* A place inside a function of the driver, behind its ftrace entry. */
typedef unsigned long mpu_body_t;

/* Each takes the arguments of a driver's function, however few it looks at. */
typedef void *(*mpu_gate_t)(unsigned long a, unsigned long b, unsigned long c);

/* Addresses for ftrace, never called from C. */
void mpu_trampoline_ioctl(void);
void mpu_trampoline_copy_in(void);
void mpu_trampoline_copy_out(void);
void mpu_trampoline_find_ns_pid(void);
void mpu_trampoline_is_init_ns(void);
void mpu_trampoline_get_pid_info(void);
void mpu_trampoline_close(void);

/* Run the driver's own function, in the context it was called in. */
long mpu_body_run(unsigned long a, unsigned long b, unsigned long c,
		  mpu_body_t body);

#endif /* MPU_TRAMPOLINE_H */
