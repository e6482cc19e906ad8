/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes of containers that are done with the driver, remembered beyond
 * their end: the driver keeps its accounting records by number, and what a
 * container called a number is known to nobody once the process is gone.
 */
#ifndef MPU_FINISHED_H
#define MPU_FINISHED_H

#include <linux/types.h>

struct pid_namespace;

/*
 * The driver is there, or leaves, and its records with it. Where no probe can be
 * had, nobody is remembered.
 */
void mpu_finished_begin(const char *module);
void mpu_finished_end(void);

/**
 * mpu_finished_local() - what a namespace called a process that has ended
 * @global:	its number in the initial namespace
 *
 * Return: 0 if it is not known, or one of the numbers is another's by now.
 */
u32 mpu_finished_local(struct pid_namespace *ns, u32 global);

/**
 * mpu_finished_global() - the inverse, of the last one that was called so
 *
 * For numbers that are no process's there.
 */
u32 mpu_finished_global(struct pid_namespace *ns, u32 local);

/* mpu_pidns_lived(), of the last one that was called so. */
bool mpu_finished_lived(struct pid_namespace *ns, u32 local, u32 global,
			u64 when);

#endif /* MPU_FINISHED_H */
