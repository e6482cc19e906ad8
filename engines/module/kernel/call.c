// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls in flight: begun at the driver's entry, forgotten when the driver returns. Runs in the
 * task that calls, and may sleep; mpu_call_current() in any context.
 *
 * A call holds mpu.ko: protection ends with the module, never before it. So the kernel refuses
 * to unload it while there is one, which may be as long as a container likes (userfaultfd).
 *
 * A task that dies in the driver (an oops) never comes back to give its record up, and its stack
 * is gone. So records are not on stacks, hold their task, and stay where they are until mpu.ko
 * goes. There are no more of them than tasks were in the driver at once. No locks, so that a
 * record can be found from a probe that interrupts anything: a record is taken by an exchange of
 * its task, and given up by a store; lists only grow, at their head.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "internal.h"
#include "pidns.h"
#include "core/nvrm.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* The end (jiffies) of a time in which calls are put off: somebody wants to unload mpu.ko. */
static unsigned long closed_until;

/*
 * A look-up walks one bucket: with 30,000 threads of some container stuck in
 * the driver it holds seven records.
 */
#define BUCKET_BITS 12

static struct mpu_call *buckets[1 << BUCKET_BITS];
static DEFINE_MUTEX(count_lock);

/* Number of records that are marked: while none is, no copy is looked at (trampoline_*.S). */
atomic_t mpu_marked = ATOMIC_INIT(0);

static struct mpu_call **bucket_of(struct task_struct *task)
{
	return &buckets[hash_ptr(task, BUCKET_BITS)];
}

struct mpu_call *mpu_call_current(void)
{
	struct mpu_call *call = READ_ONCE(*bucket_of(current));

	while (call && READ_ONCE(call->task) != current)
		call = call->next;
	return call;
}

static struct mpu_call *add_call(struct mpu_call **bucket)
{
	struct mpu_call *call = kzalloc(sizeof(*call), GFP_ATOMIC | __GFP_NOWARN);

	if (!call)
		return NULL;
	call->task = current;
	do {
		call->next = READ_ONCE(*bucket);
	} while (cmpxchg(bucket, call->next, call) != call->next);
	return call;
}

static struct mpu_call *take_call(struct mpu_call **bucket)
{
	struct mpu_call *call = READ_ONCE(*bucket);

	while (call && (READ_ONCE(call->task) || cmpxchg(&call->task, NULL, current)))
		call = call->next;
	return call ?: add_call(bucket);
}

static struct mpu_call *call_begin(struct pid_namespace *ns)
{
	struct mpu_call *call;

	/*
	 * Under PREEMPT_RT an allocation may wait for a lock, which Tasks RCU takes for a
	 * task that is out of here: wait_for_gates().
	 */
	rcu_read_lock();
	call = take_call(bucket_of(current));
	rcu_read_unlock();
	if (!call)
		return NULL;
	get_task_struct(current);
	call->began = jiffies;
	WRITE_ONCE(call->holds, true);
	call->marked = false;
	call->saved = NULL;
	call->row = NULL;
	call->unknown = NULL;
	call->word = 0;
	call->view.ns = ns;
	return call;
}

void mpu_call_mark(struct mpu_call *call)
{
	if (call->marked)
		return;
	call->marked = true;
	atomic_inc(&mpu_marked);
}

static void call_give_up(struct mpu_call *call)
{
	struct task_struct *task = call->task;
	bool holds = xchg(&call->holds, false);

	if (call->marked) {
		atomic_dec(&mpu_marked);
		kfree(call->saved);
	}
	/* Whoever takes the record next finds all of it as it is left here. */
	smp_store_release(&call->task, NULL);
	put_task_struct(task);
	if (holds)
		module_put(THIS_MODULE);
}

static void call_report(const struct mpu_call *call)
{
	mpu_stats_count(call->row->control, call->outcome, call->tally.seen, call->tally.hidden);
	trace_mpu_control(call->row->cmd, call->row->size, call->outcome,
			  call->tally.seen, call->tally.hidden);
}

static void call_end(struct mpu_call *call)
{
	if (call->row)
		call_report(call);
	call_give_up(call);
}

/*
 * Did @task die inside the driver? A task that is exiting has no system call to
 * come back to, and begins no other: if the record is still its own, it stays so.
 */
static bool is_left_behind(struct mpu_call *call, struct task_struct *task)
{
	if (!(READ_ONCE(task->flags) & PF_EXITING))
		return false;
	smp_rmb();	/* the task gave its last record up before it was exiting */
	return READ_ONCE(call->task) == task;
}

/*
 * The task that a record names can be looked at: it is inside the driver, and is freed by RCU
 * some time after; or it is dead, and the record holds it until it is given up here.
 */
static void count_bucket(struct mpu_call *call, struct mpu_inside *inside)
{
	struct task_struct *task;
	unsigned long seconds;

	rcu_read_lock();
	for (; call; call = call->next) {
		task = READ_ONCE(call->task);
		if (!task)
			continue;
		if (is_left_behind(call, task)) {
			call_give_up(call);
			continue;
		}
		seconds = (jiffies - READ_ONCE(call->began)) / HZ;
		if (!inside->n++ || seconds > inside->seconds) {
			inside->oldest = task_tgid_nr(task);
			inside->seconds = seconds;
		}
	}
	rcu_read_unlock();
}

/* Returns a snapshot. Records of dead tasks are given up. */
struct mpu_inside mpu_calls_inside(void)
{
	struct mpu_inside inside = { 0 };
	size_t i;

	mutex_lock(&count_lock);
	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		count_bucket(READ_ONCE(buckets[i]), &inside);
	mutex_unlock(&count_lock);
	return inside;
}

/* Calls in flight do not keep the kernel from unloading mpu.ko any more: that waits for them. */
static void let_go(void)
{
	struct mpu_call *call;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		for (call = READ_ONCE(buckets[i]); call; call = call->next)
			if (xchg(&call->holds, false))
				module_put(THIS_MODULE);
}

static int set_drain(const char *text, const struct kernel_param *param)
{
	int seconds, err = mpu_pidns_outside() ? -EPERM : kstrtoint(text, 0, &seconds);

	if (err)
		return err;
	WRITE_ONCE(closed_until, jiffies + abs(seconds) % 3600 * HZ);
	if (seconds < 0)
		let_go();
	return 0;
}

static const struct kernel_param_ops drain_ops = { .set = set_drain };
module_param_cb(drain, &drain_ops, NULL, 0200);
MODULE_PARM_DESC(drain, "seconds in which calls of containers are begun again and again; < 0: and those in flight do not keep mpu.ko");

/* None is in use, and no task can enter any more. */
void mpu_calls_free(void)
{
	struct mpu_call *call;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		while ((call = buckets[i])) {
			buckets[i] = call->next;
			kfree(call);
		}
}

long mpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg,
	       mpu_body_t body, struct pid_namespace *ns)
{
	struct mpu_call *call;
	long ret;

	if (unlikely(time_before(jiffies, READ_ONCE(closed_until)) || !try_module_get(THIS_MODULE)))
		return restart_syscall();	/* the program does not notice */
	/* Each other call may allocate a client: XFER does so by another name. */
	call = (u8)cmd == NV_ESC_RM_CONTROL || mpu_opener_note(file) ? call_begin(ns) : NULL;
	if (unlikely(!call)) {
		module_put(THIS_MODULE);
		return -ENOMEM;	/* as the driver says if it has none itself */
	}
	if (unlikely(!mpu_calls_are_seen()))
		mpu_call_read_caller(call, cmd, arg);
	ret = mpu_body_run((unsigned long)file, cmd, arg, body);
	call_end(call);
	return ret;
}
