// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call: begun at the driver's entry, identified from the driver's own copy of the arguments,
 * translated in the driver's own copy of the params, forgotten when the driver returns.
 *
 * The caller's memory is read and written by the driver alone. So no global number ever stands
 * there, and whatever the caller's other threads rewrite meanwhile, the driver and the rule look
 * at the same bytes.
 *
 * A call holds mpu.ko: protection ends with the module, never before it. So the kernel refuses
 * to unload it while there is one, which may be as long as a container likes (userfaultfd).
 *
 * A task that dies in the driver (an oops) never comes back to give its record up, and its stack
 * is gone. So records are not on stacks, hold their task, and stay where they are until mpu.ko
 * goes. There are no more of them than tasks were in the driver at once. No locks, so that a
 * record can be found from a probe that interrupts anything: a record is taken by an exchange of
 * its task, and given up by a store; lists only grow, at their head.
 *
 * Most calls carry no PIDs, and one look at the caller's memory says so at the entry. The look
 * is a hint: another thread may exchange the control after it. The driver's own copy of the
 * arguments decides, which a kprobe on rm_ioctl() sees: the one place for that, since neither
 * nvidia_ioctl()'s copy_from_user() nor the prelinked part of the driver can be hooked by
 * ftrace.
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "internal.h"
#include "pidns.h"
#include "compat/regs.h"
#include "compat/uaccess.h"
#include "core/nvrm.h"
#include "core/page.h"
#include "core/rule.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

struct mpu_view {
	struct pid_namespace *ns;
	struct mpu_pidns_leaf leaf;
	bool ended;		/* the answer may be about processes that have ended */
};

/**
 * struct mpu_call - a task of a container that is inside the driver
 * @unknown:	row of a PID control that this one is, or is taken for, but whose
 *		layout is not known: the driver is not to see it
 * @word:	where the word by which something is asked for that carries PIDs is in
 *		the caller's memory (core/page.h), 0: it is no call for that
 */
struct mpu_call {
	struct mpu_call *next;	/* the next in its bucket, for good */
	struct task_struct *task;	/* the task, NULL: the record is free */
	unsigned long began;	/* jiffies */
	bool holds;		/* a reference of mpu.ko */
	bool marked;		/* the driver's copies are looked at; counted in mpu_marked */
	u32 *saved;		/* the caller's own numbers, for MPU_IN, or NULL */
	const struct mpu_row *row;	/* layout, once known to be a PID control */
	const struct mpu_row *unknown;
	u64 word;
	u32 asks;		/* control that it is of, 0: an allocation */
	/* Set when @row is: */
	u64 params;		/* address of the params in the caller's memory */
	void *copy;		/* the driver's copy of the params, between copy-in and copy-out */
	u32 asked;		/* numbers in @saved */
	struct mpu_view view;
	struct mpu_tally tally;
	enum mpu_counter outcome;	/* the counter of the call */
};

static char *unknown = "refuse";
module_param(unknown, charp, 0444);
MODULE_PARM_DESC(unknown, "controls in a layout that is not known: refuse or pass");

static bool pass_unknown;

/* Until then (jiffies) calls are put off: somebody wants to unload mpu.ko. */
static unsigned long closed_until;

/* The driver whose calls these are: set before the first, until the last has left. */
static const struct module *driver;
static bool has_is_init_ns;
static bool page_is_shared;

static struct kprobe rm_ioctl_probe;

/* Every call inside has met the gate: only now calls without PIDs are let through. */
static bool gated;

/*
 * A look-up walks one bucket: with 30,000 threads of some container stuck in
 * the driver it holds seven records.
 */
#define BUCKET_BITS 12

static struct mpu_call *buckets[1 << BUCKET_BITS];
static DEFINE_MUTEX(count_lock);

/* How many records are marked: while none is, no copy is looked at (trampoline_*.S). */
atomic_t mpu_marked = ATOMIC_INIT(0);

static __always_inline u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left)
{
	u32 local = mpu_pidns_local(view->ns, global, &view->leaf);

	(void)left;
	if (!local && view->ended)
		local = mpu_exited_local(view->ns, global);
	return local;
}

static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	u32 global = mpu_pidns_global(view->ns, local);

	if (!global && view->ended)
		global = mpu_exited_global(view->ns, local);
	return global;
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global,
			   u64 when)
{
	return mpu_pidns_lived(view->ns, local, global, when) ||
	       (view->ended &&
		mpu_exited_lived(view->ns, local, global, when));
}

static struct mpu_call **bucket_of(struct task_struct *task)
{
	return &buckets[hash_ptr(task, BUCKET_BITS)];
}

static struct mpu_call *call_current(void)
{
	struct mpu_call *call = READ_ONCE(*bucket_of(current));

	while (call && READ_ONCE(call->task) != current)
		call = call->next;
	return call;
}

static struct mpu_call *add_call(struct mpu_call **bucket)
{
	struct mpu_call *call = kzalloc(sizeof(*call),
					GFP_ATOMIC | __GFP_NOWARN);

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

	while (call && (READ_ONCE(call->task) ||
			cmpxchg(&call->task, NULL, current)))
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

static void call_mark(struct mpu_call *call)
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
	mpu_stats_count(call->row->control, call->outcome, call->tally.seen,
			call->tally.hidden);
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

void *mpu_gate_outside(unsigned long a, unsigned long b, unsigned long c)
{
	return mpu_pidns_outside() ? mpu_pidns_current() : NULL;
}

void *mpu_gate_marked(unsigned long a, unsigned long b, unsigned long c)
{
	struct mpu_call *call;

	/* Most callers are the host's, and go no further. */
	if (!mpu_pidns_outside())
		return NULL;
	call = call_current();
	return call && call->marked ? call : NULL;
}

/* Open drivers from 570.86.15 on: they look at the caller's namespace themselves. */
static bool driver_is_native(void)
{
	return has_is_init_ns &&
	       !test_bit(TAINT_PROPRIETARY_MODULE, &driver->taints);
}

/*
 * A driver that has this size, or number, is newer than the table, and where the
 * PIDs stand is not known.
 */
static void call_set_unknown(struct mpu_call *call, u32 cmd,
			     const struct mpu_row *control)
{
	mpu_stats_count_odd(control->control);
	if (pass_unknown ||
	    (cmd == control->cmd && control->native && driver_is_native()))
		return;
	call->unknown = control;
	call_mark(call);
}

static void call_set_word(struct mpu_call *call, u32 cmd, u64 word)
{
	call->word = word;
	call->asks = cmd;
	call_mark(call);
}

static void call_set(struct mpu_call *call, const struct nv_control *ctl)
{
	const struct mpu_row *control = mpu_row_of(ctl->cmd);

	call->row = mpu_row_sized(control, ctl->size);
	call->unknown = NULL;
	if (mpu_word_asks(ctl->cmd))
		call_set_word(call, ctl->cmd, ctl->params);
	if (!call->row) {
		if (!control)
			control = mpu_row_at(mpu_index_like(ctl->cmd,
							ctl->size));
		if (control)
			call_set_unknown(call, ctl->cmd, control);
		return;
	}
	call->params = ctl->params;
	call->copy = NULL;
	call->asked = 0;
	call->view.ended = call->row->ended;
	call->tally = (struct mpu_tally){ 0 };
	call->outcome = MPU_REFUSED;
	call_mark(call);
}

/* Returns false for most interfaces (cmd >> 8): none of their controls needs a record. */
static __always_inline bool interface_may_concern_us(u32 cmd)
{
#define MPU_BIT(interface) BIT_ULL(hash_32(interface, 6)) |
	u64 bits = MPU_EACH_INTERFACE(MPU_BIT)
		   MPU_BIT(NV_CTRL_EVENT_SET_NOTIFICATION >> 8)
		   MPU_BIT(NV_CTRL_MEMACCT_SET_LIMITS >> 8)
		   BIT_ULL(hash_32(NV_CTRL_REQUEST_DATA_POLL >> 8, 6));
#undef MPU_BIT

	return bits & BIT_ULL(hash_32(cmd >> 8, 6));
}

/* Returns whether this one control, of an interface that may, needs a record. */
static bool control_concerns_us(u32 cmd, u32 size)
{
	return size >= MPU_TELLING_SIZE || mpu_word_asks(cmd) ||
	       mpu_names_processes(cmd) || mpu_row_of(cmd);
}

/* Return: false if the memory is not there. */
static __always_inline bool peek(u32 *value, const u32 __user *from)
{
	bool there;

	pagefault_disable();
	there = mpu_get_user_inline(value, from);
	pagefault_enable();
	return there;
}

static noinline void *gate_control(const struct nv_control __user *ctl, u32 cmd)
{
	u32 size;

	return peek(&size, &ctl->size) && !control_concerns_us(cmd, size) ?
	       NULL : mpu_pidns_current();
}

/* Whoever would have to wait for the memory gets a record. */
void *mpu_gate_ioctl(unsigned long file, unsigned long cmd, unsigned long arg)
{
	const struct nv_alloc_head __user *alloc = (void __user *)arg;
	const struct nv_control __user *ctl = (void __user *)arg;
	u8 nr = cmd;
	u32 control, class;

	if (!mpu_pidns_outside())
		return NULL;
	if (likely(nr == NV_ESC_RM_CONTROL)) {
		if (READ_ONCE(gated) && peek(&control, &ctl->cmd))
			return interface_may_concern_us(control) ?
			       gate_control(ctl, control) : NULL;
	} else if (nr == NV_ESC_RM_ALLOC) {
		if (READ_ONCE(gated) && peek(&class, &alloc->class) &&
		    class != RM_USER_SHARED_DATA)
			return NULL;
	} else if (nr != NV_ESC_XFER) {
		return NULL;
	}
	return mpu_pidns_current();
}

/*
 * May the host have this in the shared page? The page is one for all, containers
 * included. A mask that is not in memory cannot be judged here, where nothing may sleep.
 */
static bool page_is_harmless(u64 params)
{
	u64 mask;
	int ret;

	pagefault_disable();
	ret = get_user(mask, (const u64 __user *)(unsigned long)params);
	pagefault_enable();
	return !ret && !(mask & MPU_PAGE_PROCESSES);
}

/*
 * @ctl: the driver's own copy of the argument block, as all that are seen here. RM can be
 * kept from the whole control only: it gets one that the class does not have. It is done to
 * a call of a container without a record, whose control was another one a moment ago;
 * and to the host's, whose copies are not looked at, where it asks for the page.
 */
static noinline void see_control(struct nv_control *ctl)
{
	struct mpu_call *call;

	if (!control_concerns_us(ctl->cmd, ctl->size))
		return;
	call = call_current();
	if (call)
		call_set(call, ctl);
	else if (READ_ONCE(gated))
		ctl->cmd |= NV_CTRL_NONE;
}

static noinline void see_alloc(struct nv_alloc_head *alloc)
{
	struct mpu_call *call = call_current();

	if (call)
		call_set_word(call, 0, alloc->params);
	else if (READ_ONCE(gated))
		alloc->class |= NV_CLASS_NONE;
}

static noinline void see_page_asked(struct nv_control *ctl)
{
	if (!page_is_harmless(ctl->params))
		ctl->cmd |= NV_CTRL_NONE;
}

static noinline void see_page_allocated(struct nv_alloc_head *alloc)
{
	if (alloc->params && !page_is_harmless(alloc->params))
		alloc->class |= NV_CLASS_NONE;
}

/* NV_STATUS rm_ioctl(sp, nv, nvfp, NvU32 nr, void *data, NvU32 size) */
static int on_rm_ioctl(struct kprobe *probe, struct pt_regs *regs)
{
	void *data = (void *)regs_get_kernel_argument(regs, 4);
	u32 nr = regs_get_kernel_argument(regs, 3);
	u32 size = regs_get_kernel_argument(regs, 5);
	bool outside = mpu_pidns_outside();
	struct nv_alloc_head *alloc = data;
	struct nv_control *ctl = data;

	if (!outside && !page_is_shared)
		return 0;
	if (likely(nr == NV_ESC_RM_CONTROL && size == sizeof(*ctl))) {
		if (outside && interface_may_concern_us(ctl->cmd))
			see_control(ctl);
		else if (!outside && mpu_page_is_asked(ctl->cmd))
			see_page_asked(ctl);
	} else if (nr == NV_ESC_RM_ALLOC && size >= sizeof(*alloc) &&
		   alloc->class == RM_USER_SHARED_DATA) {
		if (outside)
			see_alloc(alloc);
		else
			see_page_allocated(alloc);
	}
	return 0;
}

/*
 * The arguments as they stand in the caller's memory, where its other threads may
 * change them before the driver reads them: only while the probe is not live.
 */
static void call_read_caller(struct mpu_call *call, unsigned int cmd,
			     unsigned long arg)
{
	struct nv_alloc_head alloc;
	struct nv_control ctl;
	struct nv_xfer xfer;
	u32 nr = cmd & 0xff;

	if (nr == NV_ESC_XFER) {
		if (copy_from_user(&xfer, (void __user *)arg, sizeof(xfer)))
			return;
		nr = xfer.nr;
		arg = xfer.ptr;
	}
	if (nr == NV_ESC_RM_CONTROL &&
	    !copy_from_user(&ctl, (void __user *)arg, sizeof(ctl)))
		call_set(call, &ctl);
	else if (nr == NV_ESC_RM_ALLOC &&
		 !copy_from_user(&alloc, (void __user *)arg, sizeof(alloc)) &&
		 alloc.class == RM_USER_SHARED_DATA)
		call_set_word(call, 0, alloc.params);
}

long mpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg,
	       mpu_body_t body, struct pid_namespace *ns)
{
	struct mpu_call *call;
	long ret;

	if (unlikely(time_before(jiffies, READ_ONCE(closed_until)) ||
		     !try_module_get(THIS_MODULE)))
		return restart_syscall();	/* its program does not notice */
	call = call_begin(ns);
	if (unlikely(!call)) {
		module_put(THIS_MODULE);
		return -ENOMEM;	/* as the driver says if it has none itself */
	}
	if (unlikely(!mpu_probe_is_live(&rm_ioctl_probe)))
		call_read_caller(call, cmd, arg);
	ret = mpu_body_run((unsigned long)file, cmd, arg, body);
	call_end(call);
	return ret;
}

/* The params stand in the driver's memory: the question is translated there. */
static u32 call_ask(struct mpu_call *call, void *params)
{
	const struct mpu_row *row = call->row;
	u32 *saved;

	call->copy = params;
	if (row->dir != MPU_IN)
		return NV_OK;
	saved = kmalloc_array(row->cap, sizeof(u32), GFP_KERNEL);
	if (!saved) {
		call->outcome = MPU_NO_MEMORY;
		return NV_ERR_NO_MEMORY;
	}
	call->saved = saved;
	call->asked = mpu_question_translate(row, params, saved, &call->view,
					     &call->tally);
	return NV_OK;
}

static void call_warn_unknown(const struct mpu_call *call)
{
	pr_warn_once("mpu: driver %s has 0x%08x, or what looks like it, in a layout that is not known here: refused to containers; a newer MPU may know it\n",
		     driver->version ?: "", call->unknown->cmd);
}

/* The params as every known driver copies them: all at once, and each way once. */
static bool is_whole(const struct mpu_call *call, u64 addr, u32 n)
{
	return addr == call->params && n == call->row->size && call->outcome == MPU_REFUSED;
}

static bool is_array(const struct mpu_call *call, u64 addr)
{
	return call->row->ptr != MPU_NO_OFFSET && addr - call->params >= call->row->size;
}

/* The rule cannot see what a driver copies in another way. */
static u32 call_refuse(struct mpu_call *call)
{
	call->outcome = MPU_IMPOSSIBLE;
	return NV_ERR_NOT_SUPPORTED;
}

u32 mpu_copy_in(void *to, const void __user *from, u32 n, mpu_body_t body,
		struct mpu_call *call)
{
	u64 addr = (unsigned long)from;
	u32 status;
	bool whole;

	if (unlikely(call->unknown)) {
		call_warn_unknown(call);
		return mpu_status_unknown(call->unknown);
	}
	whole = call->row && is_whole(call, addr, n) && !call->copy;
	if (call->row && !whole && !is_array(call, addr))
		return call_refuse(call);
	status = mpu_body_run((unsigned long)to, addr, n, body);
	if (call->word && addr == call->word && n >= sizeof(u64))
		mpu_put64(to, 0, mpu_word_allowed(call->asks, mpu_get64(to, 0)));
	if (!whole)
		return status;
	if (status != NV_OK) {
		call->outcome = MPU_FAULT;
		return status;
	}
	return call_ask(call, to);
}

/* The first number of the driver's version; 0: it says none. */
static u32 read_branch(void)
{
	return driver->version ? simple_strtoul(driver->version, NULL, 10) : 0;
}

/* The array is on its way to a user buffer, apart from the params. */
static void call_answer_buffer(struct mpu_call *call, void *array, u32 n)
{
	const struct mpu_row *row = mpu_row_buffer(call->row, read_branch());

	if (row)
		mpu_answer_translate(row, call->copy, array, n, &call->view,
				     &call->tally);
	else
		memset(array, 0, n);
}

/*
 * The answer stands in the driver's memory, about to leave it. A return value other than NV_OK
 * becomes the status of the control (serverControlApiCopyOut()), and nothing leaves.
 */
static u32 call_answer(struct mpu_call *call, u64 to, void *from, u32 n)
{
	const struct mpu_row *row = call->row;
	bool found = true;

	if (is_array(call, to) && call->copy) {
		call_answer_buffer(call, from, n);
		return NV_OK;
	}
	/* A question that was not copied in as it should was not translated. */
	if (!is_whole(call, to, n) || (row->dir == MPU_IN && !call->copy))
		return call_refuse(call);
	call->outcome = MPU_TRANSLATED;
	call->copy = NULL;
	if (row->dir == MPU_IN)
		found = mpu_question_restore(row, from, call->saved,
					     call->asked, &call->view,
					     &call->tally);
	else if (row->ptr == MPU_NO_OFFSET)
		mpu_answer_translate(row, from, from, n, &call->view,
				     &call->tally);
	return found ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

u32 mpu_copy_out(void __user *to, void *from, u32 n, mpu_body_t body,
		 struct mpu_call *call)
{
	u32 status = NV_OK;

	/* A driver that has not read the params is refused here. */
	if (unlikely(call->unknown))
		return mpu_status_unknown(call->unknown);
	if (call->row) {
		rcu_read_lock();
		call->view.leaf = (struct mpu_pidns_leaf){ 0 };
		status = call_answer(call, (unsigned long)to, from, n);
		rcu_read_unlock();
	}
	if (status != NV_OK)
		return status;
	status = mpu_body_run((unsigned long)to, (unsigned long)from, n, body);
	if (status != NV_OK && call->row)
		call->outcome = MPU_FAULT;
	return status;
}

/*
 * RM asks here what the caller's namespace calls a process. Told the global tgid,
 * it uses PIDs of the initial namespace in any regime (R0); by tgid also where RM
 * kept the thread that opened the client (R1 to R3). A process that the caller may
 * not see is "not found", as the driver would say itself, so that the places of an
 * answer go to the caller's own processes.
 *
 * In answers with kernel addresses (@pointer) @pid_info comes from the GPU's
 * firmware, and nobody holds what it points at: it is not followed. The global
 * number stands beside it.
 */
u32 mpu_find_ns_pid(void *pid_info, u32 *ns_pid, unsigned long unused,
		    mpu_body_t body, struct mpu_call *call)
{
	/* NULL in the proprietary flavour, which keeps no struct pid. */
	if (!pid_info || !call->row)
		return mpu_body_run((unsigned long)pid_info,
				    (unsigned long)ns_pid, unused, body);
	if (call->row->pointer != MPU_NO_OFFSET)
		return NV_ERR_OBJECT_NOT_FOUND;
	*ns_pid = mpu_pidns_tgid(call->view.ns, pid_info);
	return *ns_pid ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

/*
 * Answers the driver as for the host. From 570.86.15 on the open driver tells a caller
 * outside the initial namespace nothing of processes that have ended, and translates
 * samples for it. mpu_copy_out() translates the answer.
 */
u8 mpu_is_init_ns(unsigned long a, unsigned long b, unsigned long c,
		  mpu_body_t body, struct mpu_call *call)
{
	return call->row ? true : mpu_body_run(a, b, c, body);
}

/*
 * RM asks here to whom a new client belongs. Drivers of R1 to R3 take the thread that
 * opens it, and lose the process when that thread ends; those of R4 take the process.
 */
void *mpu_get_pid_info(unsigned long a, unsigned long b, unsigned long c,
		       mpu_body_t body)
{
	struct pid *pid = (struct pid *)mpu_body_run(a, b, c, body);

	/* NULL in the proprietary flavour, which keeps none. */
	if (!pid)
		return NULL;
	put_pid(pid);
	return get_pid(task_tgid(current));
}

void *mpu_gate_close(unsigned long inode, unsigned long file, unsigned long c)
{
	if (mpu_pidns_outside() && iminor((struct inode *)inode) == NV_MINOR_CTL)
		mpu_exited_note();
	return NULL;
}

/* Where the probe does not take at once, each call looks whether it has come. */
void mpu_calls_begin(const struct module *module)
{
	driver = module;
	has_is_init_ns = mpu_symbol_find(module->name, "os_is_init_ns");
	page_is_shared = mpu_page_is_shared(read_branch());
	mpu_probe_begin(&rm_ioctl_probe,
			mpu_symbol_find(module->name, "rm_ioctl"), on_rm_ioctl);
}

void mpu_calls_start(void)
{
	WRITE_ONCE(gated, true);
}

void mpu_calls_stop(void)
{
	WRITE_ONCE(gated, false);
}

void mpu_calls_end(void)
{
	mpu_probe_end(&rm_ioctl_probe);
	driver = NULL;
}

/* Are a call's arguments taken from the driver's own copy, not from the caller's memory? */
bool mpu_calls_are_seen(void)
{
	return mpu_probe_is_live(&rm_ioctl_probe);
}

int mpu_calls_init(void)
{
	pass_unknown = !strcmp(unknown, "pass");
	if (pass_unknown || !strcmp(unknown, "refuse"))
		return 0;
	pr_err("mpu: unknown=%s: say refuse or pass\n", unknown);
	return -EINVAL;
}
