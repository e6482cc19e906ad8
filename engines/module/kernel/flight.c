// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls in flight: see flight.h.
 *
 * No locks, so that a record can be found from a probe that interrupts
 * anything. A record is taken by an exchange of its task, and given up by a
 * store; lists only grow, at their head.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "flight.h"

/*
 * A look-up walks one bucket: with 30,000 threads of some container stuck in
 * the driver it holds seven records.
 */
#define MPU_BUCKET_BITS 12

static struct mpu_flight *mpu_buckets[1 << MPU_BUCKET_BITS];
static DEFINE_MUTEX(mpu_burial_lock);

atomic_t mpu_marked = ATOMIC_INIT(0);

static struct mpu_flight **mpu_bucket_of(struct task_struct *task)
{
	return &mpu_buckets[hash_ptr(task, MPU_BUCKET_BITS)];
}

struct mpu_flight *mpu_flight_current(void)
{
	struct mpu_flight *flight = READ_ONCE(*mpu_bucket_of(current));

	while (flight && READ_ONCE(flight->task) != current)
		flight = flight->next;
	return flight;
}

static struct mpu_flight *mpu_flight_add(struct mpu_flight **bucket,
					 size_t size)
{
	struct mpu_flight *flight = kzalloc(size, GFP_ATOMIC | __GFP_NOWARN);

	if (!flight)
		return NULL;
	flight->task = current;
	do {
		flight->next = READ_ONCE(*bucket);
	} while (cmpxchg(bucket, flight->next, flight) != flight->next);
	return flight;
}

struct mpu_flight *mpu_flight_begin(size_t size)
{
	struct mpu_flight **bucket = mpu_bucket_of(current);
	struct mpu_flight *flight = READ_ONCE(*bucket);

	while (flight && (READ_ONCE(flight->task) ||
			  cmpxchg(&flight->task, NULL, current)))
		flight = flight->next;
	if (!flight)
		flight = mpu_flight_add(bucket, size);
	if (!flight)
		return NULL;
	get_task_struct(current);
	flight->marked = false;
	flight->owned = NULL;
	return flight;
}

void mpu_flight_mark(struct mpu_flight *flight)
{
	if (flight->marked)
		return;
	flight->marked = true;
	atomic_inc(&mpu_marked);
}

void mpu_flight_end(struct mpu_flight *flight)
{
	struct task_struct *task = flight->task;

	if (flight->marked) {
		atomic_dec(&mpu_marked);
		kfree(flight->owned);
	}
	smp_store_release(&flight->task, NULL);
	put_task_struct(task);
}

/*
 * Did @task die inside? Who is exiting has no system call to come back to, and
 * will begin no other: if the record is still its own, it stays so.
 */
static bool mpu_flight_is_left(struct mpu_flight *flight,
			       struct task_struct *task)
{
	if (!(READ_ONCE(task->flags) & PF_EXITING))
		return false;
	smp_rmb();	/* it gave its last record up before it was exiting */
	return READ_ONCE(flight->task) == task;
}

/*
 * A task named by a record is there: it is inside, and goes by RCU some time
 * after; or it is dead, and the record holds it until it is given up here.
 */
static unsigned int mpu_bucket_count(struct mpu_flight *flight)
{
	struct task_struct *task;
	unsigned int n = 0;

	rcu_read_lock();
	for (; flight; flight = flight->next) {
		task = READ_ONCE(flight->task);
		if (!task)
			continue;
		if (mpu_flight_is_left(flight, task))
			mpu_flight_end(flight);
		else
			n++;
	}
	rcu_read_unlock();
	return n;
}

unsigned int mpu_flights(void)
{
	unsigned int n = 0;
	size_t i;

	mutex_lock(&mpu_burial_lock);
	for (i = 0; i < ARRAY_SIZE(mpu_buckets); i++)
		n += mpu_bucket_count(READ_ONCE(mpu_buckets[i]));
	mutex_unlock(&mpu_burial_lock);
	return n;
}

void mpu_flights_free(void)
{
	struct mpu_flight *flight;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mpu_buckets); i++)
		while ((flight = mpu_buckets[i])) {
			mpu_buckets[i] = flight->next;
			kfree(flight);
		}
}
