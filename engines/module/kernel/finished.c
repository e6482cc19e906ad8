// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that are done with the driver: see finished.h.
 *
 * A process is noted when it closes the driver's control node, for the last time at
 * its end: there RM frees its clients, and closes its records. A struct pid keeps its
 * numbers at all levels, and its namespaces, for as long as it is held.
 */
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "finished.h"
#include "pidns.h"
#include "probe.h"
#include "compat/regs.h"
#include "core/nvrm.h"

/*
 * How many processes are remembered, of all containers. RM keeps 128 records of
 * ended processes for a GPU (NV_MAX_DEAD_ACCT_PROCESS), but every nvidia-smi that was
 * run is a process that is done with the driver, too.
 */
#define REMEMBERED 4096
#define BUCKET_BITS 10

/**
 * struct finished - a process that is done with the driver
 * @node:	among those whose global number has the same hash, newest first
 * @pid:	NULL: free
 * @forgotten:	the process remembered here before, still to be put
 * @began:	when the process began, in us since the epoch
 * @ended:	when it was done with the driver
 */
struct finished {
	struct hlist_node node;
	struct pid *pid;
	struct pid *forgotten;
	u64 began;
	u64 ended;
};

/* Raw, since a kprobe handler takes it; no interrupt does. */
static DEFINE_RAW_SPINLOCK(remembered_lock);
static struct finished remembered[REMEMBERED];
static struct hlist_head buckets[1 << BUCKET_BITS];
static unsigned int next_place;	/* the oldest, once all are used */
static unsigned int next_put;	/* up to there @forgotten is put */

static struct hlist_head *bucket_of(u32 global)
{
	return &buckets[hash_32(global, BUCKET_BITS)];
}

/* find_by_global(), find_by_local() and add_finished() are called under the lock. */
static struct finished *find_by_global(u32 global)
{
	struct finished *one;

	hlist_for_each_entry(one, bucket_of(global), node)
		if (pid_nr(one->pid) == global)
			return one;
	return NULL;
}

/* The last of those that @ns called @local. */
static struct finished *find_by_local(struct pid_namespace *ns, u32 local)
{
	struct finished *one, *last = NULL;

	for (one = remembered; one < remembered + REMEMBERED; one++)
		if (one->pid && pid_nr_ns(one->pid, ns) == local &&
		    (!last || one->ended > last->ended))
			last = one;
	return last;
}

static struct finished *place_at(unsigned int at)
{
	return &remembered[at % REMEMBERED];
}

/* Return: is a process forgotten for it? */
static bool add_finished(struct pid *pid, u64 began, u64 ended)
{
	struct finished *one = find_by_global(pid_nr(pid));

	if (one && one->pid == pid) {
		one->ended = ended;
		return false;
	}
	one = place_at(next_place);
	if (one->forgotten)
		return true;	/* put_forgotten() is late, by a whole round */
	next_place++;
	if (one->pid)
		hlist_del(&one->node);
	one->forgotten = one->pid;
	one->pid = get_pid(pid);
	one->began = began;
	one->ended = ended;
	hlist_add_head(&one->node, bucket_of(pid_nr(pid)));
	return one->forgotten;
}

static void put_pid_at(struct pid **which)
{
	struct pid *pid;

	raw_spin_lock(&remembered_lock);
	pid = *which;
	*which = NULL;
	raw_spin_unlock(&remembered_lock);
	put_pid(pid);
}

/* Work, not the probe: not every kernel may free something there. */
static void put_forgotten(struct work_struct *unused)
{
	while (next_put != READ_ONCE(next_place))
		put_pid_at(&place_at(next_put++)->forgotten);
}

static DECLARE_WORK(put_work, put_forgotten);

static void note_finished(void)
{
	u64 began = mpu_task_began(current->group_leader);
	u64 ended = ktime_to_us(ktime_get_real());
	bool forgotten;

	raw_spin_lock(&remembered_lock);
	forgotten = add_finished(task_tgid(current), began, ended);
	raw_spin_unlock(&remembered_lock);
	if (forgotten)
		schedule_work(&put_work);
}

/* int nvidia_close(struct inode *, struct file *) */
static int on_close(struct kprobe *probe, struct pt_regs *regs)
{
	struct inode *inode = (void *)regs_get_kernel_argument(regs, 0);

	if (mpu_pidns_outside() && iminor(inode) == NV_MINOR_CTL)
		note_finished();
	return 0;
}

static struct kprobe close_probe;

/*
 * The driver's file operation: nvidia_frontend_close() in drivers to 535, which
 * have an nvidia_close(), too, that is none.
 */
static unsigned long find_close(const char *module)
{
	return mpu_symbol_find(module, "nvidia_frontend_close") ?:
	       mpu_symbol_find(module, "nvidia_close");
}

void mpu_finished_begin(const char *module)
{
	mpu_probe_begin(&close_probe, find_close(module), on_close);
}

void mpu_finished_end(void)
{
	unsigned int i;

	mpu_probe_end(&close_probe);
	flush_work(&put_work);
	for (i = 0; i < REMEMBERED; i++) {
		raw_spin_lock(&remembered_lock);
		if (remembered[i].pid)
			hlist_del(&remembered[i].node);
		raw_spin_unlock(&remembered_lock);
		put_pid_at(&remembered[i].pid);
		put_pid_at(&remembered[i].forgotten);
	}
}

u32 mpu_finished_local(struct pid_namespace *ns, u32 global)
{
	struct finished *one;
	u32 local = 0;

	if (mpu_pidns_global(&init_pid_ns, global))
		return 0;
	raw_spin_lock(&remembered_lock);
	one = find_by_global(global);
	if (one)
		local = pid_nr_ns(one->pid, ns);
	if (local && find_by_local(ns, local) != one)
		local = 0;
	raw_spin_unlock(&remembered_lock);
	return local && !mpu_pidns_global(ns, local) ? local : 0;
}

u32 mpu_finished_global(struct pid_namespace *ns, u32 local)
{
	struct finished *one;
	u32 global;

	raw_spin_lock(&remembered_lock);
	one = local ? find_by_local(ns, local) : NULL;
	global = one ? pid_nr(one->pid) : 0;
	raw_spin_unlock(&remembered_lock);
	return global;
}

bool mpu_finished_lived(struct pid_namespace *ns, u32 local, u32 global,
			u64 when)
{
	struct finished *one;
	bool lived;

	raw_spin_lock(&remembered_lock);
	one = local ? find_by_local(ns, local) : NULL;
	lived = one && pid_nr(one->pid) == global && when >= one->began &&
		when <= one->ended;
	raw_spin_unlock(&remembered_lock);
	return lived;
}
