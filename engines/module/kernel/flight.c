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
#define BUCKET_BITS 12

static struct mpu_flight *buckets[1 << BUCKET_BITS];
static DEFINE_MUTEX(count_lock);

atomic_t mpu_marked = ATOMIC_INIT(0);

static struct mpu_flight **bucket_of(struct task_struct *task)
{
	return &buckets[hash_ptr(task, BUCKET_BITS)];
}

struct mpu_flight *mpu_flight_current(void)
{
	struct mpu_flight *flight = READ_ONCE(*bucket_of(current));

	while (flight && READ_ONCE(flight->task) != current)
		flight = flight->next;
	return flight;
}

static struct mpu_flight *add_flight(struct mpu_flight **bucket, size_t size)
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
	struct mpu_flight **bucket = bucket_of(current);
	struct mpu_flight *flight = READ_ONCE(*bucket);

	/*
	 * An allocation under PREEMPT_RT may wait for a lock, which Tasks RCU takes for
	 * a task that is out of here: wait_for_gates().
	 */
	rcu_read_lock();
	while (flight && (READ_ONCE(flight->task) ||
			  cmpxchg(&flight->task, NULL, current)))
		flight = flight->next;
	if (!flight)
		flight = add_flight(bucket, size);
	rcu_read_unlock();
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
	/* Whoever takes the record next finds all of it as it is left here. */
	smp_store_release(&flight->task, NULL);
	put_task_struct(task);
}

/*
 * Did @task die inside the driver? A task that is exiting has no system call to
 * come back to, and begins no other: if the record is still its own, it stays so.
 */
static bool is_left_behind(struct mpu_flight *flight, struct task_struct *task)
{
	if (!(READ_ONCE(task->flags) & PF_EXITING))
		return false;
	smp_rmb();	/* the task gave its last record up before it was exiting */
	return READ_ONCE(flight->task) == task;
}

/*
 * The task that a record names can be looked at: it is inside the driver, and is
 * freed by RCU some time after; or it is dead, and the record holds it until it is
 * given up here.
 */
static unsigned int count_bucket(struct mpu_flight *flight)
{
	struct task_struct *task;
	unsigned int n = 0;

	rcu_read_lock();
	for (; flight; flight = flight->next) {
		task = READ_ONCE(flight->task);
		if (!task)
			continue;
		if (is_left_behind(flight, task))
			mpu_flight_end(flight);
		else
			n++;
	}
	rcu_read_unlock();
	return n;
}

unsigned int mpu_flights_count(void)
{
	unsigned int n = 0;
	size_t i;

	mutex_lock(&count_lock);
	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		n += count_bucket(READ_ONCE(buckets[i]));
	mutex_unlock(&count_lock);
	return n;
}

void mpu_flights_free(void)
{
	struct mpu_flight *flight;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		while ((flight = buckets[i])) {
			buckets[i] = flight->next;
			kfree(flight);
		}
}
