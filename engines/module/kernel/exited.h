/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes of containers that are done with the driver, remembered beyond
 * their end: the driver keeps its accounting records by global number, and once a
 * process is gone the kernel no longer knows what its container called it.
 */
#ifndef MPU_EXITED_H
#define MPU_EXITED_H

#include <linux/types.h>

struct pid_namespace;

/* A driver is about to be attached to; and it leaves, and its records with it. */
void mpu_exited_begin(void);
void mpu_exited_end(void);

/* The current process closes the driver's control node. Does not sleep. */
void mpu_exited_note(void);

/**
 * mpu_exited_local() - what a namespace called a process that has ended
 * @global:	its number in the initial namespace
 *
 * Return: 0 if it is not remembered, or another process has one of the numbers.
 */
u32 mpu_exited_local(struct pid_namespace *ns, u32 global);

/**
 * mpu_exited_global() - global number of a process that has ended
 * @local:	a number that no process has in @ns
 *
 * Return: that of the last process that @ns called @local, 0 if none is remembered.
 */
u32 mpu_exited_global(struct pid_namespace *ns, u32 local);

/* mpu_pidns_lived(), asked of the last process that @ns called @local. */
bool mpu_exited_lived(struct pid_namespace *ns, u32 local, u32 global,
		      u64 when);

#endif /* MPU_EXITED_H */
