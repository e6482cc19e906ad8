// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes of containers that are done with the driver, remembered beyond their end: the
 * driver keeps its accounting records by global number, and once a process is gone the
 * kernel no longer knows what its container called it.
 *
 * A process is noted when it closes the driver's control node, for the last time at
 * its end: there RM frees its clients, and closes its records. Its numbers are
 * copied: a struct pid that is held holds its namespaces, of which a user may have
 * so many (user.max_pid_namespaces), long after their container has ended.
 */
#include <linux/jhash.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "internal.h"
#include "pidns.h"
#include "compat/task.h"

/*
 * The limit of all containers together. RM keeps 128 records of ended processes for a GPU
 * (NV_MAX_DEAD_ACCT_PROCESS), but each nvidia-smi is a process that is done with it, too.
 */
#define REMEMBERED 4096
#define BUCKET_BITS 12

/** struct number - what one namespace called a process */
struct number {
	struct hlist_node node;		/* among those of the same hash, newest first */
	const struct pid_namespace *ns;	/* never followed, for it may be gone */
	u64 ns_began;			/* when it began: another may be where it was */
	u32 nr;
	u32 level;			/* level of @ns, and so the place of this among the process's */
};

/**
 * struct finished - a process that is done with the driver
 * @start:	as the kernel has it: of two processes with the same number it tells which
 * @numbers:	one for each namespace that it was in, the initial one first
 */
struct finished {
	struct list_head list;		/* among all, oldest first */
	struct rcu_head rcu;
	u64 start;
	u64 began;			/* the same in us since the epoch */
	u64 ended;			/* when it was done with the driver */
	u32 level;			/* level of the last of @numbers */
	struct number numbers[];
};

static DEFINE_SPINLOCK(remembered_lock);	/* for changes */
static LIST_HEAD(remembered);
static unsigned int remembered_count;
static struct hlist_head buckets[1 << BUCKET_BITS];
static u32 seed __read_mostly;		/* numbers are chosen by containers */

static struct hlist_head *bucket_of(const struct pid_namespace *ns, u32 nr)
{
	unsigned long at = (unsigned long)ns;

	return &buckets[jhash_3words(nr, at, at >> 32, seed) >> (32 - BUCKET_BITS)];
}

static bool is_of(const struct number *number, const struct pid_namespace *ns, u64 ns_began)
{
	return number->ns == ns && number->ns_began == ns_began;
}

/* The last process that @ns called @nr. RCU held. */
static struct finished *find(struct pid_namespace *ns, u32 nr)
{
	u64 ns_began = mpu_pidns_began(ns);
	struct number *number;

	hlist_for_each_entry_rcu(number, bucket_of(ns, nr), node)
		if (number->nr == nr && is_of(number, ns, ns_began))
			return container_of(number - number->level, struct finished, numbers[0]);
	return NULL;
}

/* Returns 0 if @ns did not see it. RCU held. */
static u32 number_in(const struct finished *one, struct pid_namespace *ns)
{
	const struct number *number = &one->numbers[ns->level];

	if (ns->level > one->level || !is_of(number, ns, mpu_pidns_began(ns)))
		return 0;
	return number->nr;
}

/* The lock is held. */
static void forget(struct finished *one)
{
	u32 i;

	for (i = 0; i <= one->level; i++)
		hlist_del_rcu(&one->numbers[i].node);
	list_del(&one->list);
	remembered_count--;
	kfree_rcu(one, rcu);
}

static void remember(struct finished *one)
{
	u32 i;

	spin_lock(&remembered_lock);
	for (i = 0; i <= one->level; i++)
		hlist_add_head_rcu(&one->numbers[i].node,
				   bucket_of(one->numbers[i].ns,
					     one->numbers[i].nr));
	list_add_tail(&one->list, &remembered);
	if (++remembered_count > REMEMBERED)
		forget(list_first_entry(&remembered, struct finished, list));
	spin_unlock(&remembered_lock);
}

/* If there is no memory the process is one that has been forgotten. */
static struct finished *make_finished(const struct pid *pid)
{
	struct finished *one = kmalloc(struct_size(one, numbers,
						   pid->level + 1),
				       GFP_NOWAIT | __GFP_NOWARN);
	u32 i;

	if (!one)
		return NULL;
	one->level = pid->level;
	for (i = 0; i <= one->level; i++)
		one->numbers[i] = (struct number){
			.ns = pid->numbers[i].ns,
			.ns_began = mpu_pidns_began(pid->numbers[i].ns),
			.nr = pid->numbers[i].nr,
			.level = i,
		};
	return one;
}

/* The current process closes the driver's control node. Does not sleep. */
void mpu_exited_note(void)
{
	u64 start = mpu_task_boottime(current->group_leader);
	u64 now = ktime_to_us(ktime_get_real());
	struct pid *pid = task_tgid(current);
	struct finished *one;

	rcu_read_lock();
	one = find(&init_pid_ns, pid_nr(pid));
	if (one && one->start == start) {
		WRITE_ONCE(one->ended, now);
	} else {
		one = make_finished(pid);
		if (one) {
			one->start = start;
			one->began = mpu_task_began(current->group_leader);
			one->ended = now;
			remember(one);
		}
	}
	rcu_read_unlock();
}

void mpu_exited_begin(void)
{
	seed = get_random_u32();
}

void mpu_exited_end(void)
{
	struct finished *one, *next;

	spin_lock(&remembered_lock);
	list_for_each_entry_safe(one, next, &remembered, list)
		forget(one);
	spin_unlock(&remembered_lock);
}

/* Return: 0 if it is not remembered, or another process has one of the numbers. */
u32 mpu_exited_local(struct pid_namespace *ns, u32 global)
{
	struct finished *one;
	u32 local = 0;

	if (mpu_pidns_global(&init_pid_ns, global))
		return 0;
	rcu_read_lock();
	one = find(&init_pid_ns, global);
	if (one)
		local = number_in(one, ns);
	if (local && (find(ns, local) != one || mpu_pidns_global(ns, local)))
		local = 0;
	rcu_read_unlock();
	return local;
}

/* @local: a number that no process has in @ns; of several that had it the last one counts */
u32 mpu_exited_global(struct pid_namespace *ns, u32 local)
{
	struct finished *one;
	u32 global;

	rcu_read_lock();
	one = find(ns, local);
	global = one ? one->numbers[0].nr : 0;
	rcu_read_unlock();
	return global;
}

bool mpu_exited_lived(struct pid_namespace *ns, u32 local, u32 global, u64 when)
{
	struct finished *one;
	bool lived;

	rcu_read_lock();
	one = find(ns, local);
	lived = one && one->numbers[0].nr == global && when >= one->began &&
		when <= READ_ONCE(one->ended);
	rcu_read_unlock();
	return lived;
}
