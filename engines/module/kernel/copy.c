// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's copies: the question is translated in its own copy of the params, the answer
 * before it leaves that. Runs in the task of a call, inside the driver, where that may sleep.
 *
 * The caller's memory is read and written by the driver alone. So no global number ever stands
 * there, and whatever the caller's other threads rewrite meanwhile, the driver and the rule look
 * at the same bytes.
 */
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"
#include "pidns.h"
#include "core/nvrm.h"
#include "core/page.h"
#include "core/rule.h"

static __always_inline u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left)
{
	struct pid *pid = mpu_pidns_process(global, &view->leaf);
	u32 local = pid ? mpu_pidns_nr(pid, view->ns) : 0;

	(void)left;
	if (local && mpu_opener_is_another(pid, view->ended))
		return 0;
	if (!local && view->ended)
		local = mpu_opener_local(view->ns, global);
	return local;
}

static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	u32 global = mpu_pidns_global(view->ns, local);
	struct pid *pid;

	if (!global)
		return view->ended ? mpu_opener_global(view->ns, local) : 0;
	rcu_read_lock();
	pid = find_pid_ns(global, &init_pid_ns);
	if (!pid || mpu_opener_is_another(pid, view->ended))
		global = 0;
	rcu_read_unlock();
	return global;
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global, u64 when)
{
	return mpu_pidns_lived(view->ns, local, global, when) ||
	       (view->ended && mpu_opener_lived(view->ns, local, global, when));
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
	call->asked = mpu_question_translate(row, params, saved, &call->view, &call->tally);
	return NV_OK;
}

static void call_warn_unknown(const struct mpu_call *call)
{
	pr_warn_once("mpu: the driver has 0x%08x, or what looks like it, in a layout that is not known here: refused to containers; a newer MPU may know it\n",
		     call->unknown->cmd);
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

u32 mpu_copy_in(void *to, const void __user *from, u32 n, mpu_body_t body, struct mpu_call *call)
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

/* The array is on its way to a user buffer, apart from the params. */
static void call_answer_buffer(struct mpu_call *call, void *array, u32 n)
{
	const struct mpu_row *row = call->array;

	if (row)
		mpu_answer_translate(row, call->copy, array, n, &call->view, &call->tally);
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
		mpu_answer_translate(row, from, from, n, &call->view, &call->tally);
	return found ? NV_OK : NV_ERR_OBJECT_NOT_FOUND;
}

u32 mpu_copy_out(void __user *to, void *from, u32 n, mpu_body_t body, struct mpu_call *call)
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
		return mpu_body_run((unsigned long)pid_info, (unsigned long)ns_pid, unused, body);
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
void *mpu_get_pid_info(unsigned long a, unsigned long b, unsigned long c, mpu_body_t body)
{
	struct pid *pid = (struct pid *)mpu_body_run(a, b, c, body);

	/* NULL in the proprietary flavour, which keeps none. */
	if (!pid)
		return NULL;
	put_pid(pid);
	return get_pid(task_tgid(current));
}
