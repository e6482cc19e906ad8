// SPDX-License-Identifier: GPL-2.0-only
/*
 * A translated call: begun at the driver's entry, identified from the
 * driver's own copy of the arguments, translated in the driver's own copy of
 * the params, forgotten when the driver returns.
 *
 * The caller's memory is read and written by the driver alone. So no global
 * number ever stands there, and whatever the caller's other threads rewrite
 * meanwhile, the driver and the rule look at the same bytes.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "call.h"
#include "finished.h"
#include "flight.h"
#include "hook.h"
#include "pidns.h"
#include "stats.h"
#include "probe.h"
#include "core/nvrm.h"
#include "core/rule.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

struct mpu_view {
	struct pid_namespace *ns;
	bool ended;		/* it may be about processes that have ended */
};

/**
 * struct mpu_call - one RM_CONTROL in flight
 * @flight:	says whose; marked: the driver's copies are looked at
 * @row:	layout, once known to be a PID control
 * @unknown:	first row of a PID control whose layout is not known: nothing of
 *		its answer is to leave the driver
 * @params:	where the params are in the caller's memory
 * @copy:	the driver's copy of the params, between copy-in and copy-out
 * @asked:	how many of the caller's own numbers are saved, for MPU_IN
 * @view:	what the caller sees
 * @tally:	what the rule did
 * @outcome:	what the counters will say
 */
struct mpu_call {
	struct mpu_flight flight;
	const struct mpu_row *row;
	const struct mpu_row *unknown;
	/* Set when @row is: */
	u64 params;
	void *copy;
	u32 asked;
	struct mpu_view view;
	struct mpu_tally tally;
	enum mpu_counter outcome;
};

static char *unknown = "refuse";
module_param(unknown, charp, 0444);
MODULE_PARM_DESC(unknown, "answers in a layout that is not known: refuse or pass");

static bool mpu_pass_unknown;
static char mpu_served[MODULE_NAME_LEN];

static u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left)
{
	u32 local = mpu_pidns_local(view->ns, global);

	(void)left;
	if (!local && view->ended)
		local = mpu_finished_local(view->ns, global);
	return local;
}

static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	u32 global = mpu_pidns_global(view->ns, local);

	if (!global && view->ended)
		global = mpu_finished_global(view->ns, local);
	return global;
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global,
			   u64 when)
{
	return mpu_pidns_lived(view->ns, local, global, when) ||
	       (view->ended &&
		mpu_finished_lived(view->ns, local, global, when));
}

/* NULL stays NULL: the head of a record is where it begins. */
static struct mpu_call *mpu_call_of(struct mpu_flight *flight)
{
	BUILD_BUG_ON(offsetof(struct mpu_call, flight));
	return container_of(flight, struct mpu_call, flight);
}

static struct mpu_call *mpu_call_current(void)
{
	return mpu_call_of(mpu_flight_current());
}

static struct mpu_call *mpu_call_begin(void)
{
	struct mpu_call *call = mpu_call_of(mpu_flight_begin(sizeof(*call)));

	if (!call)
		return NULL;
	call->row = NULL;
	call->unknown = NULL;
	return call;
}

static void mpu_call_report(const struct mpu_call *call)
{
	mpu_stats_count(call->row->control, call->outcome, call->tally.seen,
			call->tally.hidden);
	trace_mpu_control(call->row->cmd, call->row->size, call->outcome,
			  call->tally.seen, call->tally.hidden);
}

static void mpu_call_end(struct mpu_call *call)
{
	if (call->row)
		mpu_call_report(call);
	mpu_flight_end(&call->flight);
}

bool mpu_call_wanted(void)
{
	return mpu_pidns_outside();
}

bool mpu_call_marked(void)
{
	struct mpu_flight *flight;

	if (!mpu_pidns_outside())
		return false;
	flight = mpu_flight_current();
	return flight && flight->marked;
}

/*
 * The driver refuses a size that it does not have. If it answers, it is newer
 * than the table, and where the PIDs stand is anybody's guess.
 */
static void mpu_call_set_unknown(struct mpu_call *call,
				 const struct mpu_row *control)
{
	mpu_stats_odd(control->control);
	if (mpu_pass_unknown)
		return;
	call->unknown = control;
	mpu_flight_mark(&call->flight);
}

static void mpu_call_set(struct mpu_call *call, const struct nv_control *ctl)
{
	const struct mpu_row *control = mpu_row_of(ctl->cmd);

	call->row = mpu_row_sized(control, ctl->size);
	call->unknown = NULL;
	if (!call->row) {
		if (control)
			mpu_call_set_unknown(call, control);
		return;
	}
	call->params = ctl->params;
	call->copy = NULL;
	call->asked = 0;
	call->view.ns = mpu_pidns_current();
	call->view.ended = call->row->ended;
	call->tally = (struct mpu_tally){ 0 };
	call->outcome = MPU_REFUSED;
	mpu_flight_mark(&call->flight);
}

void mpu_call_identify(const struct nv_control *ctl)
{
	struct mpu_call *call;

	if (!mpu_pidns_outside())
		return;
	call = mpu_call_current();
	if (call)
		mpu_call_set(call, ctl);
}

/* Open to a race with the caller's own threads: only while nobody watches. */
static void mpu_call_read_caller(struct mpu_call *call, unsigned int cmd,
				 unsigned long arg)
{
	struct nv_control ctl;
	struct nv_xfer xfer;

	if ((cmd & 0xff) == NV_ESC_XFER) {
		if (copy_from_user(&xfer, (void __user *)arg, sizeof(xfer)) ||
		    xfer.nr != NV_ESC_RM_CONTROL)
			return;
		arg = xfer.ptr;
	}
	if (!copy_from_user(&ctl, (void __user *)arg, sizeof(ctl)))
		mpu_call_set(call, &ctl);
}

long mpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg,
	       mpu_body_t body)
{
	struct mpu_call *call = mpu_call_begin();
	long ret;

	if (unlikely(!call))
		return -ENOMEM;	/* as the driver says if it has none itself */
	if (unlikely(!mpu_watching()))
		mpu_call_read_caller(call, cmd, arg);
	ret = mpu_body((unsigned long)file, cmd, arg, body);
	mpu_call_end(call);
	return ret;
}

/* The params stand in the driver's memory: turn the question. */
static u32 mpu_call_ask(struct mpu_call *call, void *params)
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
	call->flight.owned = saved;
	call->asked = mpu_ask(row, params, saved, &call->view, &call->tally);
	return NV_OK;
}

u32 mpu_copy_in(void *to, const void __user *from, u32 n, mpu_body_t body)
{
	struct mpu_call *call = mpu_call_current();
	u64 addr = (unsigned long)from;
	u32 status;

	status = mpu_body((unsigned long)to, addr, n, body);
	if (!call->row || call->copy || addr != call->params ||
	    n != call->row->size)
		return status;
	if (status != NV_OK) {
		call->outcome = MPU_FAULT;
		return status;
	}
	return mpu_call_ask(call, to);
}

/* A PID array on its way to a user buffer, apart from its params. */
static void mpu_call_answer_table(struct mpu_call *call, void *table, u32 n)
{
	const struct mpu_row *row;
	char version[32];

	mpu_module_version(mpu_served, version);
	row = mpu_row_buffer(call->row, simple_strtoul(version, NULL, 10));
	if (row)
		mpu_answer(row, call->copy, table, n, &call->view,
			   &call->tally);
	else
		memset(table, 0, n);
}

/*
 * The answer stands in the driver's memory, about to leave it. What is not
 * NV_OK becomes the status of the control (serverControlApiCopyOut()), and
 * nothing leaves.
 */
static u32 mpu_call_answer(struct mpu_call *call, u64 to, void *from, u32 n)
{
	const struct mpu_row *row = call->row;
	bool found = true;

	if (row->ptr != MPU_NO_OFFSET && call->copy && from != call->copy) {
		mpu_call_answer_table(call, from, n);
		return NV_OK;
	}
	if (to != call->params || n != row->size)
		return NV_OK;
	call->outcome = MPU_TRANSLATED;
	call->copy = NULL;
	if (row->dir == MPU_IN)
		found = mpu_restore(row, from, call->flight.owned, call->asked,
				    &call->view, &call->tally);
	else if (row->ptr == MPU_NO_OFFSET)
		mpu_answer(row, from, from, n, &call->view, &call->tally);
	return found ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

static void mpu_call_warn(const struct mpu_call *call)
{
	char version[32];

	mpu_module_version(mpu_served, version);
	pr_warn_once("mpu: driver %s answers 0x%08x in a layout that is not known here: refused to containers; a newer MPU may know it\n",
		     version, call->unknown->cmd);
}

u32 mpu_copy_out(void __user *to, void *from, u32 n, mpu_body_t body)
{
	struct mpu_call *call = mpu_call_current();
	u32 status = NV_OK;

	if (unlikely(call->unknown)) {
		mpu_call_warn(call);
		return NV_ERR_NOT_SUPPORTED;
	}
	if (call->row)
		status = mpu_call_answer(call, (unsigned long)to, from, n);
	if (status != NV_OK)
		return status;
	status = mpu_body((unsigned long)to, (unsigned long)from, n, body);
	if (status != NV_OK && call->row)
		call->outcome = MPU_FAULT;
	return status;
}

/*
 * Every look of RM at a namespace comes through here. The global tgid for an
 * answer makes any regime speak the numbers of the initial namespace (R0),
 * and by tgid also where RM kept the thread that opened the client (R1-R3).
 * "Not found" for whom the caller may not see is what the driver would say
 * itself, so that its capacity goes to the caller's own processes.
 *
 * In answers with kernel addresses (@pointer) these come from the GPU's
 * firmware, and nobody holds what they point at: they are not followed. The
 * global number stands beside them.
 */
u32 mpu_find_ns_pid(void *pid_info, u32 *ns_pid, unsigned long unused,
		    mpu_body_t body)
{
	struct mpu_call *call = mpu_call_current();

	/* NULL in the proprietary flavour, which keeps no struct pid. */
	if (!pid_info || !call->row)
		return mpu_body((unsigned long)pid_info, (unsigned long)ns_pid,
				unused, body);
	if (call->row->pointer != MPU_NO_OFFSET)
		return NV_ERR_OBJECT_NOT_FOUND;
	*ns_pid = mpu_pidns_tgid(call->view.ns, pid_info);
	return *ns_pid ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

/*
 * From 570.86.15 on, open: whoever is not in the initial namespace is not told
 * of processes that have ended, and samples are translated for it. What is
 * asked for here is turned afterwards.
 */
u8 mpu_is_init_ns(unsigned long a, unsigned long b, unsigned long c,
		  mpu_body_t body)
{
	return mpu_call_current()->row ? true : mpu_body(a, b, c, body);
}

/*
 * Whom a new client belongs to. Drivers of R1 to R3 take the thread that opens
 * it, and lose the process when that thread ends; those of R4 take the process.
 */
void *mpu_get_pid_info(unsigned long a, unsigned long b, unsigned long c,
		       mpu_body_t body)
{
	struct pid *pid = (struct pid *)mpu_body(a, b, c, body);

	/* NULL in the proprietary flavour, which keeps none. */
	if (!pid)
		return NULL;
	put_pid(pid);
	return get_task_pid(current, PIDTYPE_TGID);
}

void mpu_calls_serve(const char *module)
{
	strscpy(mpu_served, module, sizeof(mpu_served));
}

int mpu_calls_init(void)
{
	mpu_pass_unknown = !strcmp(unknown, "pass");
	if (mpu_pass_unknown || !strcmp(unknown, "refuse"))
		return 0;
	pr_err("mpu: unknown=%s: say refuse or pass\n", unknown);
	return -EINVAL;
}
