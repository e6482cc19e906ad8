/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One RM_CONTROL of a caller outside the initial PID namespace, from the
 * driver's entry to its return, and what stands in for the driver's functions
 * meanwhile.
 */
#ifndef MPU_CALL_H
#define MPU_CALL_H

#include <linux/types.h>

struct file;
struct nv_control;

/* A place inside a function of the driver, behind its ftrace entry. */
typedef unsigned long mpu_body_t;

/*
 * Gates, asked by the trampolines with the driver's arguments parked: may not
 * sleep and may not take long.
 */
bool mpu_call_wanted(void);
bool mpu_call_marked(void);

/* Trampolines: addresses for ftrace, never called from C. */
void mpu_on_ioctl(void);
void mpu_on_copy_in(void);
void mpu_on_copy_out(void);
void mpu_on_find_ns_pid(void);
void mpu_on_get_pid_info(void);
void mpu_on_is_init_ns(void);

/* Run the driver's own function, in the context it was called in. */
long mpu_body(unsigned long a, unsigned long b, unsigned long c,
	      mpu_body_t body);

/* Replacements: the driver's signature plus the way into its function. */
long mpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg,
	       mpu_body_t body);
u32 mpu_copy_in(void *to, const void __user *from, u32 n, mpu_body_t body);
u32 mpu_copy_out(void __user *to, void *from, u32 n, mpu_body_t body);
u32 mpu_find_ns_pid(void *pid_info, u32 *ns_pid, unsigned long unused,
		    mpu_body_t body);
void *mpu_get_pid_info(unsigned long a, unsigned long b, unsigned long c,
		       mpu_body_t body);
u8 mpu_is_init_ns(unsigned long a, unsigned long b, unsigned long c,
		  mpu_body_t body);

/**
 * mpu_call_identify() - tell the current call what it is
 * @ctl:	the driver's own copy of the argument block
 *
 * May be called with preemption disabled. Does nothing for a task that is in
 * no call of ours.
 */
void mpu_call_identify(const struct nv_control *ctl);

/* The name of the driver's module, whose calls these are from now on. */
void mpu_calls_serve(const char *module);

/* Return: 0; -EINVAL, after one line that says which parameter is wrong. */
int mpu_calls_init(void);

#endif /* MPU_CALL_H */
