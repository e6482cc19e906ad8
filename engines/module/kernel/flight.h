/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls in flight: a record for each task that is inside the driver.
 *
 * A task that dies in the driver (an oops) never comes back to give its record
 * up, and its stack is gone. So records are not on stacks, hold their task, and
 * stay where they are until mpu.ko goes: lists of them can be walked without a
 * lock. There are no more of them than tasks were in the driver at once.
 */
#ifndef MPU_FLIGHT_H
#define MPU_FLIGHT_H

#include <linux/types.h>

struct task_struct;

/**
 * struct mpu_flight - head of a record; what follows the head is its user's
 * @next:	in its bucket, for good
 * @task:	the task that is inside, NULL: the record is free
 * @marked:	counted in mpu_marked
 * @owned:	memory to be freed with it, or NULL
 */
struct mpu_flight {
	struct mpu_flight *next;
	struct task_struct *task;
	bool marked;
	void *owned;
};

/* The number of marked records: while there is none, no copy is looked at. */
extern atomic_t mpu_marked;

/**
 * mpu_flight_begin() - a record for the current task, which enters the driver
 * @size:	of a record, always the same
 *
 * Does not sleep: synchronize_rcu_tasks() waits for tasks that are in here.
 *
 * Return: a record, what follows its head as it was left; NULL: no memory.
 */
struct mpu_flight *mpu_flight_begin(size_t size);

/* Record of the current task, NULL: it is not inside the driver. Takes no lock. */
struct mpu_flight *mpu_flight_current(void);

/* Mark a record, if it is not marked. */
void mpu_flight_mark(struct mpu_flight *flight);

/* The current task has left the driver. */
void mpu_flight_end(struct mpu_flight *flight);

/* Returns how many tasks are inside; a snapshot. Records of dead tasks are given up. */
unsigned int mpu_flights_count(void);

/* Free all records: none is in use, and no task can enter any more. */
void mpu_flights_free(void);

#endif /* MPU_FLIGHT_H */
