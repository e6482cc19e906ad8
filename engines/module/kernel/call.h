/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of containers, from the driver's entry to its return: a record for each task
 * that is inside, and what stands in for the driver's functions meanwhile.
 */
#ifndef MPU_CALL_H
#define MPU_CALL_H

#include <linux/types.h>

#include "trampoline.h"

struct file;
struct module;
struct mpu_call;
struct pid_namespace;

/*
 * Gates: see trampoline.h. mpu_gate_outside() says the caller's PID namespace, NULL if
 * that is the initial one; so does mpu_gate_ioctl(), but NULL, too, if the call seems to
 * carry no PIDs; mpu_gate_marked() says the current call, NULL if its copies are not to be
 * looked at; mpu_gate_close() only takes note.
 */
void *mpu_gate_ioctl(unsigned long file, unsigned long cmd, unsigned long arg);
void *mpu_gate_outside(unsigned long a, unsigned long b, unsigned long c);
void *mpu_gate_marked(unsigned long a, unsigned long b, unsigned long c);
void *mpu_gate_close(unsigned long inode, unsigned long file, unsigned long c);

/*
 * Replacements: the driver's signature, the way into its function, and what the
 * gate said.
 */
long mpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg,
	       mpu_body_t body, struct pid_namespace *ns);
u32 mpu_copy_in(void *to, const void __user *from, u32 n, mpu_body_t body,
		struct mpu_call *call);
u32 mpu_copy_out(void __user *to, void *from, u32 n, mpu_body_t body,
		 struct mpu_call *call);
u32 mpu_find_ns_pid(void *pid_info, u32 *ns_pid, unsigned long unused,
		    mpu_body_t body, struct mpu_call *call);
u8 mpu_is_init_ns(unsigned long a, unsigned long b, unsigned long c,
		  mpu_body_t body, struct mpu_call *call);
void *mpu_get_pid_info(unsigned long a, unsigned long b, unsigned long c,
		       mpu_body_t body);

/* How many records are marked: while none is, no copy is looked at. */
extern atomic_t mpu_marked;

/* How many tasks have a record; a snapshot. Records of dead tasks are given up. */
unsigned int mpu_calls_count(void);

/* Free all records: none is in use, and no task can enter any more. */
void mpu_calls_free(void);

/*
 * A driver is about to be attached to; each of its calls has come by the gate; one may
 * not any more; and it has been left by the last that did.
 */
void mpu_calls_begin(const struct module *module);
void mpu_calls_start(void);
void mpu_calls_stop(void);
void mpu_calls_end(void);

/*
 * Are a call's arguments taken from the driver's own copy? Else they are read
 * from the caller's memory.
 */
bool mpu_calls_are_seen(void);

/* Return: 0; -EINVAL, after one line that says which parameter is wrong. */
int mpu_calls_init(void);

#endif /* MPU_CALL_H */
