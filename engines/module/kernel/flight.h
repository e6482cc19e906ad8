/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls in flight: a record for each task that is inside the driver.
 *
 * A task that dies in there (an oops) never comes back to give its record up,
 * and its stack is gone. So records are not on stacks, hold their task, and
 * stay where they are until mpu.ko goes: nobody who walks them can fall. There
 * are no more of them than tasks were in the driver at once.
 */
#ifndef MPU_FLIGHT_H
#define MPU_FLIGHT_H

#include <linux/types.h>

struct task_struct;

/**
 * struct mpu_flight - begins a record; what follows it is its user's
 * @next:	in its bucket, for good
 * @task:	who is inside, NULL: the record is free
 * @marked:	counted in mpu_marked
 * @owned:	memory to be freed with it, or NULL
 */
struct mpu_flight {
	struct mpu_flight *next;
	struct task_struct *task;
	bool marked;
	void *owned;
};

/* How many are marked: the others' copies are nobody's business. */
extern atomic_t mpu_marked;

/**
 * mpu_flight_begin() - the current task enters the driver
 * @size:	of a record, always the same
 *
 * Does not sleep: whoever waits for the last one out relies on that.
 *
 * Return: a record, what follows its head as it was left; NULL: no memory.
 */
struct mpu_flight *mpu_flight_begin(size_t size);

/* That of the current task, NULL: it is not inside. Takes no lock. */
struct mpu_flight *mpu_flight_current(void);

/* Mark it, if it is not. */
void mpu_flight_mark(struct mpu_flight *flight);

/* The current task has left the driver. */
void mpu_flight_end(struct mpu_flight *flight);

/* How many are inside; a snapshot. Records of the dead are given up. */
unsigned int mpu_flights(void);

/* Free all records: none is in use, and nobody can come. */
void mpu_flights_free(void);

#endif /* MPU_FLIGHT_H */
