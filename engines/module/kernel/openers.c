// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that have opened clients of the driver, which knows them by number only. The kernel
 * gives the number of a process that has ended to another, while a child may still have the
 * client open (RM frees it with its file). And accounting records stay when the client has gone,
 * too, and the kernel no longer knows what its container called the process.
 *
 * A process is noted when it allocates a client, and is done with the driver when the last file
 * through which it did so is closed, by whomever. Then those of containers are remembered a
 * while. Numbers are copied: a struct pid that is held holds its namespaces, of which a user may
 * have so many (user.max_pid_namespaces), long after their container has ended.
 */
#include <linux/hash.h>
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
#include "compat/pid.h"
#include "compat/task.h"

/*
 * The limit of those that are done, of all containers together. RM keeps 128 records of ended
 * processes for a GPU (NV_MAX_DEAD_ACCT_PROCESS), but each nvidia-smi is a process that is done
 * with it, too.
 */
#define REMEMBERED 4096

/*
 * The limit of the others, for each open file. None is dropped for one that comes later, or its
 * number would be the next process's again: one too many gets no client.
 */
#define OPENERS_OF_FILE 64

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
 * struct opener - a process that has, or had, clients
 * @start:	as the kernel has it: of two processes with the same number it tells which
 * @numbers:	one for each namespace that it was in, the initial one first
 */
struct opener {
	struct list_head list;		/* among those that are done, oldest first */
	struct rcu_head rcu;
	u64 start;
	u64 began;			/* the same in us since the epoch */
	u64 ended;			/* the time at which a file of its clients was closed last */
	u32 files;			/* open ones of its clients, 0: it is done */
	u32 level;			/* level of the last of @numbers */
	struct number numbers[];
};

/** struct use - an open file through which a process has allocated clients */
struct use {
	struct hlist_node node;		/* among those of the same hash */
	const struct file *file;	/* never followed */
	struct opener *opener;
};

static DEFINE_SPINLOCK(lock);		/* held for changes, and for @uses */
static LIST_HEAD(remembered);
static unsigned int remembered_count;
static struct hlist_head buckets[1 << BUCKET_BITS];
static struct hlist_head uses[1 << BUCKET_BITS];
static u32 seed __read_mostly;		/* numbers are chosen by containers */
static bool closes_are_seen;		/* else nobody is noted: it would be for ever */

static struct hlist_head *bucket_of(const struct pid_namespace *ns, u32 nr)
{
	unsigned long at = (unsigned long)ns;

	/* The kernel gives them in order; and this is asked for each PID of a list. */
	if (ns == &init_pid_ns)
		return &buckets[nr % ARRAY_SIZE(buckets)];
	return &buckets[jhash_3words(nr, at, at >> 32, seed) >> (32 - BUCKET_BITS)];
}

static struct hlist_head *uses_of(const struct file *file)
{
	return &uses[hash_ptr(file, BUCKET_BITS)];
}

static struct opener *opener_of(const struct number *number)
{
	return container_of(number - number->level, struct opener, numbers[0]);
}

static bool is_of(const struct number *number, const struct pid_namespace *ns, u64 ns_began)
{
	return number->ns == ns && number->ns_began == ns_began;
}

/* The last process that @ns called @nr. RCU held. */
static struct opener *find(struct pid_namespace *ns, u32 nr)
{
	u64 ns_began = mpu_pidns_began(ns);
	struct number *number;

	hlist_for_each_entry_rcu(number, bucket_of(ns, nr), node)
		if (number->nr == nr && is_of(number, ns, ns_began))
			return opener_of(number);
	return NULL;
}

/* Returns 0 if @ns did not see it. RCU held. */
static u32 number_in(const struct opener *one, struct pid_namespace *ns)
{
	const struct number *number = &one->numbers[ns->level];

	if (ns->level > one->level || !is_of(number, ns, mpu_pidns_began(ns)))
		return 0;
	return number->nr;
}

static struct opener *make_opener(const struct pid *pid)
{
	struct opener *one = kzalloc(struct_size(one, numbers, pid->level + 1), GFP_KERNEL_ACCOUNT);
	u32 i;

	if (!one)
		return NULL;
	one->start = mpu_task_boottime(current->group_leader);
	one->began = mpu_task_began(current->group_leader);
	one->level = pid->level;
	rcu_read_lock();
	for (i = 0; i <= one->level; i++) {
		one->numbers[i].ns = pid->numbers[i].ns;
		one->numbers[i].ns_began = mpu_pidns_began(pid->numbers[i].ns);
		one->numbers[i].nr = pid->numbers[i].nr;
		one->numbers[i].level = i;
	}
	rcu_read_unlock();
	return one;
}

/* The lock is held from here to note(). */

static void forget(struct opener *one)
{
	u32 i;

	for (i = 0; i <= one->level; i++)
		hlist_del_rcu(&one->numbers[i].node);
	kfree_rcu(one, rcu);
}

static void recall(struct opener *one)
{
	list_del(&one->list);
	remembered_count--;
}

/* Nothing of those of the host is asked for once they are done. */
static void remember(struct opener *one)
{
	if (!one->level) {
		forget(one);
		return;
	}
	list_add_tail(&one->list, &remembered);
	if (++remembered_count <= REMEMBERED)
		return;
	one = list_first_entry(&remembered, struct opener, list);
	recall(one);
	forget(one);
}

static void enter(struct opener *one)
{
	u32 i;

	for (i = 0; i <= one->level; i++)
		hlist_add_head_rcu(&one->numbers[i].node,
				   bucket_of(one->numbers[i].ns, one->numbers[i].nr));
}

/*
 * Takes what it needs of @new and @use. Return: are both noted, the process and that it has this
 * file?
 */
static bool note(const struct file *file, struct opener **new, struct use **use)
{
	struct opener *one = find(&init_pid_ns, (*new)->numbers[0].nr);
	struct use *other;
	u32 n = 0;

	if (one && one->start != (*new)->start)
		one = NULL;
	hlist_for_each_entry(other, uses_of(file), node) {
		if (other->file == file && other->opener == one)
			return true;
		n += other->file == file;
	}
	if (n >= OPENERS_OF_FILE)
		return false;
	if (!one) {
		one = *new;
		*new = NULL;
		enter(one);
	} else if (!one->files) {
		recall(one);
	}
	WRITE_ONCE(one->files, one->files + 1);
	(*use)->file = file;
	(*use)->opener = one;
	hlist_add_head(&(*use)->node, uses_of(file));
	*use = NULL;
	return true;
}

/*
 * The current process may be about to allocate a client. May sleep; the caller holds @file.
 * Return: false if it cannot be noted, and so is not to have one.
 */
bool mpu_opener_note(const struct file *file)
{
	struct opener *new;
	struct use *use;
	bool noted = false;

	if (!closes_are_seen)
		return true;
	new = make_opener(task_tgid(current));
	use = kmalloc(sizeof(*use), GFP_KERNEL_ACCOUNT);
	if (new && use) {
		rcu_read_lock();
		spin_lock(&lock);
		noted = note(file, &new, &use);
		spin_unlock(&lock);
		rcu_read_unlock();
	}
	kfree(use);
	kfree(new);
	return noted;
}

/* The file is closed, its clients are freed. Does not sleep. */
void mpu_openers_leave(const struct file *file)
{
	struct hlist_head *bucket = uses_of(file);
	struct hlist_node *next;
	struct opener *one;
	struct use *use;

	if (hlist_empty(bucket))
		return;
	rcu_read_lock();	/* wait_for_gates() */
	spin_lock(&lock);
	hlist_for_each_entry_safe(use, next, bucket, node) {
		if (use->file != file)
			continue;
		one = use->opener;
		hlist_del(&use->node);
		kfree(use);
		WRITE_ONCE(one->ended, ktime_to_us(ktime_get_real()));
		WRITE_ONCE(one->files, one->files - 1);
		if (!one->files)
			remember(one);
	}
	spin_unlock(&lock);
	rcu_read_unlock();
}

/* @all_close: each close of a file will come to mpu_openers_leave() */
void mpu_openers_begin(bool all_close)
{
	seed = get_random_u32();
	closes_are_seen = all_close;
}

/* No task can enter any more. */
void mpu_openers_end(void)
{
	struct opener *one, *next;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(uses); i++)
		while (!hlist_empty(&uses[i]))
			mpu_openers_leave(hlist_entry(uses[i].first, struct use, node)->file);
	list_for_each_entry_safe(one, next, &remembered, list) {
		recall(one);
		forget(one);
	}
}

/*
 * Has this process the number of one that has clients (@ended: or a record), and none itself? If
 * nobody of that number was seen to open any, that was before mpu.ko came. RCU held.
 */
bool mpu_opener_is_another(struct pid *pid, bool ended)
{
	struct task_struct *task;
	struct number *number;
	bool another = false;
	u32 nr = pid_nr(pid);

	hlist_for_each_entry_rcu(number, bucket_of(&init_pid_ns, nr), node) {
		if (number->nr != nr || number->ns != &init_pid_ns ||
		    !(ended || READ_ONCE(opener_of(number)->files)))
			continue;
		task = mpu_pid_process(pid);
		if (task && opener_of(number)->start == mpu_task_boottime(task))
			return false;
		another = true;
	}
	return another;
}

/* Return: 0 if it is not remembered, or another process has one of the numbers. */
u32 mpu_opener_local(struct pid_namespace *ns, u32 global)
{
	struct opener *one;
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
u32 mpu_opener_global(struct pid_namespace *ns, u32 local)
{
	struct opener *one;
	u32 global;

	rcu_read_lock();
	one = find(ns, local);
	global = one ? one->numbers[0].nr : 0;
	rcu_read_unlock();
	return global;
}

bool mpu_opener_lived(struct pid_namespace *ns, u32 local, u32 global, u64 when)
{
	struct opener *one;
	bool lived;

	rcu_read_lock();
	one = find(ns, local);
	lived = one && one->numbers[0].nr == global && when >= one->began &&
		(READ_ONCE(one->files) || when <= READ_ONCE(one->ended));
	rcu_read_unlock();
	return lived;
}
