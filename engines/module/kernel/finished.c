// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that are done with the driver: see finished.h.
 *
 * A process is met when it closes the driver's control node for the last time,
 * at its end or before: there RM frees its clients, and closes its records. A
 * struct pid keeps its numbers at all levels, and its namespaces, for as long as
 * it is held.
 */
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "finished.h"
#include "hook.h"
#include "pidns.h"
#include "core/nvrm.h"

/*
 * How many are remembered, of all containers. RM keeps 128 records of ended
 * processes for a GPU (NV_MAX_DEAD_ACCT_PROCESS), but whoever asks nvidia-smi
 * something is done with the driver, too.
 */
#define MPU_FINISHED 4096
#define MPU_FINISHED_BITS 10

/**
 * struct mpu_finished - one of them
 * @node:	among those whose global number has the same hash, newest first
 * @pid:	NULL: free
 * @forgotten:	who was remembered here before, still to be put
 * @began:	when the process did, in us since the epoch
 * @ended:	when it was done with the driver
 */
struct mpu_finished {
	struct hlist_node node;
	struct pid *pid;
	struct pid *forgotten;
	u64 began;
	u64 ended;
};

/*
 * Raw, since a kprobe handler takes it. Nothing here is called from interrupts.
 */
static DEFINE_RAW_SPINLOCK(mpu_finished_lock);
static struct mpu_finished mpu_finished[MPU_FINISHED];
static struct hlist_head mpu_finished_by_pid[1 << MPU_FINISHED_BITS];
static unsigned int mpu_finished_next;	/* the oldest, once all are used */
static unsigned int mpu_finished_put;	/* up to there @forgotten is put */

static struct hlist_head *mpu_finished_bucket(u32 global)
{
	return &mpu_finished_by_pid[hash_32(global, MPU_FINISHED_BITS)];
}

/* What follows, up to mpu_finished_add(), is under the lock. */
static struct mpu_finished *mpu_finished_find(u32 global)
{
	struct mpu_finished *one;

	hlist_for_each_entry(one, mpu_finished_bucket(global), node)
		if (pid_nr(one->pid) == global)
			return one;
	return NULL;
}

/* The last of those that @ns called so. */
static struct mpu_finished *mpu_finished_called(struct pid_namespace *ns,
						u32 local)
{
	struct mpu_finished *one, *last = NULL;

	for (one = mpu_finished; one < mpu_finished + MPU_FINISHED; one++)
		if (one->pid && pid_nr_ns(one->pid, ns) == local &&
		    (!last || one->ended > last->ended))
			last = one;
	return last;
}

static struct mpu_finished *mpu_finished_at(unsigned int at)
{
	return &mpu_finished[at % MPU_FINISHED];
}

/* Return: is somebody forgotten for that? */
static bool mpu_finished_add(struct pid *pid, u64 began, u64 ended)
{
	struct mpu_finished *one = mpu_finished_find(pid_nr(pid));

	if (one && one->pid == pid) {
		one->ended = ended;
		return false;
	}
	one = mpu_finished_at(mpu_finished_next);
	if (one->forgotten)
		return true;	/* the work is late, by a whole round */
	mpu_finished_next++;
	if (one->pid)
		hlist_del(&one->node);
	one->forgotten = one->pid;
	one->pid = get_pid(pid);
	one->began = began;
	one->ended = ended;
	hlist_add_head(&one->node, mpu_finished_bucket(pid_nr(pid)));
	return one->forgotten;
}

static void mpu_finished_put_one(struct pid **which)
{
	struct pid *pid;

	raw_spin_lock(&mpu_finished_lock);
	pid = *which;
	*which = NULL;
	raw_spin_unlock(&mpu_finished_lock);
	put_pid(pid);
}

/* Not in the probe, where not every kernel may free something. */
static void mpu_finished_put_forgotten(struct work_struct *unused)
{
	while (mpu_finished_put != READ_ONCE(mpu_finished_next))
		mpu_finished_put_one(
			&mpu_finished_at(mpu_finished_put++)->forgotten);
}

static DECLARE_WORK(mpu_finished_work, mpu_finished_put_forgotten);

static void mpu_finished_note(void)
{
	u64 began = mpu_task_began(current->group_leader);
	u64 ended = ktime_to_us(ktime_get_real());
	bool forgotten;

	raw_spin_lock(&mpu_finished_lock);
	forgotten = mpu_finished_add(task_tgid(current), began, ended);
	raw_spin_unlock(&mpu_finished_lock);
	if (forgotten)
		schedule_work(&mpu_finished_work);
}

/* int nvidia_close(struct inode *, struct file *) */
static int mpu_on_close(struct kprobe *probe, struct pt_regs *regs)
{
	struct inode *inode = (void *)regs_get_kernel_argument(regs, 0);

	if (mpu_pidns_outside() && iminor(inode) == NV_MINOR_CTL)
		mpu_finished_note();
	return 0;
}

static struct kprobe mpu_finished_probe;

/* The file operation. Drivers to 535 have a function of the other name, too. */
static unsigned long mpu_finished_symbol(const char *module)
{
	return mpu_symbol(module, "nvidia_frontend_close") ?:
	       mpu_symbol(module, "nvidia_close");
}

void mpu_finished_begin(const char *module)
{
	memset(&mpu_finished_probe, 0, sizeof(mpu_finished_probe));
	mpu_finished_probe.addr =
		(kprobe_opcode_t *)mpu_finished_symbol(module);
	mpu_finished_probe.pre_handler = mpu_on_close;
	if (mpu_finished_probe.addr && register_kprobe(&mpu_finished_probe))
		mpu_finished_probe.addr = NULL;
}

void mpu_finished_end(void)
{
	unsigned int i;

	if (mpu_finished_probe.addr)
		unregister_kprobe(&mpu_finished_probe);
	mpu_finished_probe.addr = NULL;
	flush_work(&mpu_finished_work);
	for (i = 0; i < MPU_FINISHED; i++) {
		raw_spin_lock(&mpu_finished_lock);
		if (mpu_finished[i].pid)
			hlist_del(&mpu_finished[i].node);
		raw_spin_unlock(&mpu_finished_lock);
		mpu_finished_put_one(&mpu_finished[i].pid);
		mpu_finished_put_one(&mpu_finished[i].forgotten);
	}
}

u32 mpu_finished_local(struct pid_namespace *ns, u32 global)
{
	struct mpu_finished *one;
	u32 local = 0;

	if (mpu_pidns_global(&init_pid_ns, global))
		return 0;
	raw_spin_lock(&mpu_finished_lock);
	one = mpu_finished_find(global);
	if (one)
		local = pid_nr_ns(one->pid, ns);
	if (local && mpu_finished_called(ns, local) != one)
		local = 0;
	raw_spin_unlock(&mpu_finished_lock);
	return local && !mpu_pidns_global(ns, local) ? local : 0;
}

u32 mpu_finished_global(struct pid_namespace *ns, u32 local)
{
	struct mpu_finished *one;
	u32 global;

	raw_spin_lock(&mpu_finished_lock);
	one = local ? mpu_finished_called(ns, local) : NULL;
	global = one ? pid_nr(one->pid) : 0;
	raw_spin_unlock(&mpu_finished_lock);
	return global;
}

bool mpu_finished_lived(struct pid_namespace *ns, u32 local, u32 global,
			u64 when)
{
	struct mpu_finished *one;
	bool lived;

	raw_spin_lock(&mpu_finished_lock);
	one = local ? mpu_finished_called(ns, local) : NULL;
	lived = one && pid_nr(one->pid) == global && when >= one->began &&
		when <= one->ended;
	raw_spin_unlock(&mpu_finished_lock);
	return lived;
}
