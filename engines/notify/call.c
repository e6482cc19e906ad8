// SPDX-License-Identifier: GPL-2.0-only
/*
 * One system call of a container: continued, or carried out in its place.
 *
 * Continued means that the kernel goes on with it and reads the arguments again. A hostile
 * thread may have changed them in between, so a container that wants to can get at numbers of
 * its host. An honest one sees what the table says.
 *
 * A call on the driver's control node is continued if what was read of it has no PIDs, or if its
 * caller sees the host's. Any other call that cannot be translated is refused, whatever the
 * reason, and counted: a caller can bring most of these reasons about.
 */
#include <errno.h>
#include <linux/ioctl.h>
#include <string.h>

#include "core/nvrm.h"
#include "core/page.h"
#include "core/rule.h"
#include "engines/notify/internal.h"
#include "lib/clock.h"
#include "nvidia/nvidia.h"

/**
 * struct call - a PID control being carried out
 * @request:	as the caller issued it: what the filter did not look at is the
 *		driver's to judge
 */
struct call {
	struct call_context *context;
	u32 tid;			/* the thread that waits */
	unsigned int request;
	u64 block;			/* address of the argument block in the caller's memory */
	struct nv_control control;	/* the block, as read once, then as the driver left it */
	const struct mpu_row *row;	/* layout */
	u64 params;			/* address of the params in the caller's memory */
	u64 array;			/* address of the array beside them, 0: there is none */
	u32 bytes;			/* size of the array */
	u32 saved[MPU_ASK_MAX];
	u32 asked;
	struct mpu_tally tally;
	enum mpu_counter outcome;
};

/* Ask about something else in this call's stead. Return: was it answered? */
static bool ask_beside(struct call *call, u32 cmd, void *params, u32 size)
{
	struct nv_control control = call->control;

	control.cmd = cmd;
	control.params = (uintptr_t)params;
	control.size = size;
	return caller_ioctl(call->context->caller,
			    _IOWR('F', NV_ESC_RM_CONTROL, control), &control) >= 0 &&
	       control.status == NV_OK;
}

/*
 * Does the driver know a client by the number of this thread? Then the record of that
 * number is of the client's process, which lookupPid() has written over it.
 */
static bool is_client(struct call *call, u32 tid)
{
	/* NV0000_CTRL_GPUACCT_GET_PROC_ACCOUNTING_INFO_PARAMS; the list asks by GPU, too. */
	struct {
		u32 gpu;
		u32 pid;
		u8 record[40];
	} params = { mpu_get32(call->context->memory->params, 0), tid, { 0 } };

	return ask_beside(call, NV_CTRL_GPUACCT_GET_PROC_ACCOUNTING_INFO, &params,
			  sizeof(params)) && params.pid != tid;
}

/* struct mpu_view - the caller, who is told the numbers of its own namespace */
struct mpu_view {
	struct call *call;
	struct pidns *ns;
};

/*
 * Open drivers know a client by the thread that made it, and so its number counts
 * as its process's. They keep records by process: of these only 570.86 and
 * 570.124 to 570.133 name a living one by its client. Any other thread that has
 * the number of one has it by chance, from a process which has ended.
 */
static u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left)
{
	u32 local = pidns_local(view->ns, global);

	(void)left;
	if (local && view->call->row->ended &&
	    pidns_global(view->ns, local) != global && !is_client(view->call, global))
		return 0;
	return local;
}

static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	return pidns_global(view->ns, local);
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global, u64 when)
{
	return pidns_lived(view->ns, local, global, when);
}

static void add_count(struct call_context *context, u32 control, enum mpu_counter counter, u32 n)
{
	/* Each slot has one writer: no need for a locked instruction. */
	_Atomic u64 *sum = &context->slot->count[control][counter];
	u64 before = atomic_load_explicit(sum, memory_order_relaxed);

	atomic_store_explicit(sum, before + n, memory_order_relaxed);
}

/*
 * Read the argument block. Other sizes are left to the driver, which refuses
 * them (nvidia_ioctl(); RmIoctl() compares dataSize with the block's).
 * Return: 0, 1: it is left to the driver, or negative errno.
 */
static int read_block(struct call *call, u64 arg)
{
	struct nv_xfer xfer;
	u32 size = _IOC_SIZE(call->request);
	int ret;

	if (_IOC_NR(call->request) == NV_ESC_XFER) {
		if (size != sizeof(xfer))
			return 1;
		ret = caller_read(call->tid, arg, &xfer, sizeof(xfer));
		if (ret)
			return ret;
		if (xfer.nr != NV_ESC_RM_CONTROL)
			return 1;
		arg = xfer.ptr;
		size = xfer.size;
	}
	call->block = arg;
	if (size != sizeof(call->control))
		return 1;
	return caller_read(call->tid, arg, &call->control, size);
}

static struct kept_answer *kept_of(struct call *call)
{
	return &call->context->memory->kept[call->tid % CALL_KEPT];
}

/* An answer can be kept if all of question and answer is in the params. */
static bool can_keep(const struct call *call)
{
	return call->row->ptr == MPU_NO_OFFSET;
}

#define UNWRITTEN	0xffffffffu	/* neither a PID nor the time of a process */

/*
 * Makes what the driver leaves out of its answer tell so, wherever the rule relies on what is
 * there: a list has no count then but the caller's, and a record the time that the caller gave it.
 */
static void expect_answer(struct call *call)
{
	const struct mpu_row *row = call->row;
	u8 *params = call->context->memory->params;

	if (row->drop && can_keep(call))
		memset(params + row->base, 0xff, row->cap * row->stride);
	if (row->dir == MPU_IN && row->time != MPU_NO_OFFSET)
		mpu_put64(params, row->base + row->time, 0);
}

/*
 * Returns whether the driver has written behind the list, by its count: then it has left that
 * out. The caller's bytes stand again where it has not written.
 */
static bool list_is_torn(struct call *call)
{
	const struct mpu_row *row = call->row;
	u8 *params = call->context->memory->params;
	u32 from = row->base + mpu_elements_count(row, params, row->size) * row->stride;
	u32 end = row->base + row->cap * row->stride, at, pid;
	/* The rule: all of it untouched. One by one, 950 elements take 1.7 us in place of 0.3. */
	bool untouched = from < end && params[from] == 0xff &&
			 !memcmp(params + from, params + from + 1, end - from - 1);

	for (at = from; !untouched && at < end; at += row->stride) {
		pid = mpu_get32(params, at + row->pid);
		if (pid && pid != UNWRITTEN)
			return true;
	}
	if (from < end && mpu_get32(params, from + row->pid) == UNWRITTEN)
		memcpy(params + from, kept_of(call)->question + from, end - from);
	return false;
}

/* Issue the control: block, params and array are in this process's memory. */
static int issue_control(struct call *call)
{
	struct nv_control *control = &call->control;
	struct call_memory *memory = call->context->memory;
	struct nv_xfer xfer = {
		.nr = NV_ESC_RM_CONTROL,
		.size = sizeof(*control),
		.ptr = (uintptr_t)control,
	};
	bool wrapped = _IOC_NR(call->request) == NV_ESC_XFER;
	int ret;

	control->params = (uintptr_t)memory->params;
	if (call->array)
		mpu_put64(memory->params, call->row->ptr, (uintptr_t)memory->array);
	ret = caller_ioctl(call->context->caller, call->request, wrapped ? (void *)&xfer : control);
	control->params = call->params;
	if (call->array)
		mpu_put64(memory->params, call->row->ptr, call->array);
	return ret;
}

/* Read params and array. Return: the status that RM has for such ones. */
static u32 read_params(struct call *call)
{
	const struct mpu_row *row = call->row;
	struct call_memory *memory = call->context->memory;
	u64 bytes;

	call->params = call->control.params;
	call->context->touched += row->size;
	if (caller_read(call->tid, call->params, memory->params, row->size))
		return NV_ERR_INVALID_ADDRESS;
	if (row->ptr == MPU_NO_OFFSET)
		return NV_OK;
	call->array = mpu_get64(memory->params, row->ptr);
	if (!call->array)
		return NV_OK;
	if (row->bytes != MPU_NO_OFFSET)
		bytes = mpu_get32(memory->params, row->bytes);
	else
		bytes = (u64)mpu_get32(memory->params, row->count) *
			row->stride;
	if (bytes > sizeof(memory->array))
		return NV_ERR_INVALID_ARGUMENT;	/* rmapiParamsAcquire() */
	call->bytes = (u32)bytes;
	/* Bytes that the driver does not write are to stay as they are. */
	call->context->touched += call->bytes;
	return caller_read(call->tid, call->array, memory->array, call->bytes) ?
	       NV_ERR_INVALID_ADDRESS : NV_OK;
}

/*
 * Put the driver's answer into the caller's own numbers. Return: the status that
 * the caller gets: not NV_OK, if the answer is not for this caller.
 */
static u32 translate_answer(struct call *call, struct mpu_view *view)
{
	const struct mpu_row *row = call->row;
	struct call_memory *memory = call->context->memory;
	const struct mpu_row *layout;

	if (row->dir == MPU_IN) {
		if (!mpu_question_restore(row, memory->params, call->saved,
					  call->asked, view, &call->tally))
			return NV_ERR_OBJECT_NOT_FOUND;
	} else if (row->ptr == MPU_NO_OFFSET) {
		if (row->drop && list_is_torn(call)) {
			call->outcome = MPU_IMPOSSIBLE;
			return NV_ERR_NOT_SUPPORTED;
		}
		mpu_answer_translate(row, memory->params, memory->params,
				     row->size, view, &call->tally);
	} else if (call->array) {
		layout = mpu_row_buffer(row, driver_read_branch(DRIVER_MODULE));
		if (layout)
			mpu_answer_translate(layout, memory->params,
					     memory->array, call->bytes, view,
					     &call->tally);
		else
			memset(memory->array, 0, call->bytes);
	}
	return NV_OK;
}

/* Write the array, then the params, as the driver does. */
static int write_params(struct call *call)
{
	struct call_memory *memory = call->context->memory;

	if (call->array && caller_write(call->context->caller, call->array, memory->array, call->bytes))
		return -EFAULT;
	return caller_write(call->context->caller, call->params, memory->params, call->row->size);
}

static void count_outcome(struct call *call, enum mpu_counter outcome)
{
	u32 control = call->row->control;

	add_count(call->context, control, outcome, 1);
	add_count(call->context, control, MPU_SEEN, call->tally.seen);
	add_count(call->context, control, MPU_HIDDEN, call->tally.hidden);
}

/*
 * Write the block back, unless a signal has taken the caller out of its call: then
 * that memory may be in use for something else.
 */
static int write_block(struct call *call)
{
	struct call_context *context = call->context;

	if (!caller_waits(context->caller))
		return 0;
	return caller_write(context->caller, call->block, &call->control,
			    sizeof(call->control)) ? -EFAULT : 0;
}

static int refuse_with(struct call *call, u32 status)
{
	call->control.status = status;
	return write_block(call);
}

static bool take_kept(struct call *call, int *ret)
{
	struct call_memory *memory = call->context->memory;
	struct kept_answer *kept = kept_of(call);

	if (!can_keep(call) || !kept->until || kept->until < clock_ns() ||
	    kept->tid != call->tid || kept->request != call->request ||
	    kept->block != call->block ||
	    memcmp(&kept->asked, &call->control, sizeof(call->control)) ||
	    memcmp(kept->question, memory->params, call->row->size))
		return false;
	memcpy(memory->params, kept->params, call->row->size);
	call->control = kept->answer;
	call->outcome = kept->outcome;
	call->tally = kept->tally;
	*ret = kept->ret;
	return true;
}

static void note_question(struct call *call)
{
	struct kept_answer *kept = kept_of(call);

	kept->until = 0;
	if (!can_keep(call))
		return;
	kept->tid = call->tid;
	kept->request = call->request;
	kept->block = call->block;
	kept->asked = call->control;
	memcpy(kept->question, call->context->memory->params, call->row->size);
}

#define SECOND	1000000000ull

static void keep_answer(struct call *call, int ret)
{
	struct kept_answer *kept = kept_of(call);

	if (!can_keep(call) || kept->until)
		return;		/* an answer that was kept does not get younger */
	kept->until = clock_ns() + SECOND;
	kept->answer = call->control;
	kept->ret = ret;
	kept->outcome = call->outcome;
	kept->tally = call->tally;
	memcpy(kept->params, call->context->memory->params, call->row->size);
}

/* Open drivers of regimes R2 and R3: 565.57 to 570.144, 575.51. */
#define BY_THREAD_FIRST	565
#define BY_THREAD_LAST	575

/* NV2080_CTRL_GPU_GET_PIDS_PARAMS: the class that is asked about. */
#define PIDS_CLASS	4

/* NV2080_CTRL_GPU_PID_INFO of these drivers: its result, and its sums of memory, u64. */
#define INFO_STRIDE	72
#define INFO_RESULT	8
#define INFO_SUMS	16
#define INFO_SUMS_END	64

/* Add what a thread holds to the answers about its process. @info: room for params */
static void add_thread(struct call *call, struct mpu_view *view, u32 tid, u8 *info)
{
	u32 local = mpu_view_local(view, tid, 0), i, off;
	const struct mpu_row *row = call->row;

	if (!local || mpu_view_global(view, local) == tid)
		return;		/* a main thread: it was asked about */
	for (i = 0; i < call->asked; i++) {
		u8 *own = call->context->memory->params + mpu_pid_offset(row, i);

		if (call->saved[i] != local)
			continue;
		memcpy(info + row->base, own, row->stride);
		mpu_put32(info, row->base, tid);
		mpu_put32(info, row->count, 1);
		if (!ask_beside(call, row->cmd, info, row->size) ||
		    mpu_get32(info, row->base + INFO_RESULT))
			continue;
		for (off = INFO_SUMS; off < INFO_SUMS_END; off += 8)
			mpu_put64(own, off, mpu_get64(own, off) + mpu_get64(info, row->base + off));
	}
}

/*
 * Drivers that know a client by the thread which opened it (_gpuMatchClientPid()) look for
 * memory by the numbers of these threads, and list them: what each of them holds belongs
 * to its process.
 */
static void add_threads(struct call *call, struct mpu_view *view)
{
	const struct mpu_row *pids = mpu_row_of(NV_CTRL_GPU_GET_PIDS);
	u8 *list = call->context->memory->array, *info = list + CALL_PAGE;
	u32 branch, n, i, j;

	if (call->row->cmd != NV_CTRL_GPU_GET_PID_INFO || call->row->stride != INFO_STRIDE)
		return;
	branch = driver_read_branch(DRIVER_MODULE);
	if (branch < BY_THREAD_FIRST || branch > BY_THREAD_LAST)
		return;
	call->context->touched += CALL_PAGE + call->row->size;
	memset(list, 0, pids->size);
	mpu_put32(list, PIDS_CLASS, NV20_SUBDEVICE_0);
	if (!ask_beside(call, pids->cmd, list, pids->size))
		return;
	n = mpu_get32(list, pids->count);
	for (i = 0; i < n && i < pids->cap; i++) {
		u32 tid = mpu_get32(list, pids->base + pids->stride * i);

		/* These drivers list some twice. */
		for (j = 0; j < i && mpu_get32(list, pids->base + pids->stride * j) != tid; j++)
			;
		if (j == i)
			add_thread(call, view, tid, info);
	}
}

static int ask_driver(struct call *call)
{
	struct call_context *context = call->context;
	struct mpu_view view = { call, &context->caller->ns };
	int ret;

	note_question(call);
	if (call->row->dir == MPU_IN)
		call->asked = mpu_question_translate(call->row,
						     context->memory->params,
						     call->saved, &view,
						     &call->tally);
	expect_answer(call);
	ret = issue_control(call);
	call->outcome = MPU_REFUSED;
	if (ret >= 0 && call->control.status == NV_OK) {
		add_threads(call, &view);
		call->outcome = MPU_TRANSLATED;
		call->control.status = translate_answer(call, &view);
	}
	return ret;
}

/*
 * Carry a control out. Memory that cannot be read here the driver might still write, in part or,
 * where only its owner may touch it, wholly: then the driver is not asked.
 * Return: what the caller's ioctl returns.
 */
static int carry_out_control(struct call *call)
{
	struct call_context *context = call->context;
	u32 status = read_params(call);
	int ret;

	if (status != NV_OK) {
		count_outcome(call, status == NV_ERR_INVALID_ADDRESS ? MPU_UNREADABLE : MPU_FAULT);
		return refuse_with(call, status);
	}
	if (!take_kept(call, &ret))
		ret = ask_driver(call);
	if (!caller_waits(context->caller)) {
		keep_answer(call, ret);
		return ret;
	}
	kept_of(call)->until = 0;
	if (ret >= 0 && call->control.status == NV_OK && write_params(call)) {
		call->control.status = NV_ERR_INVALID_ADDRESS;
		call->outcome = MPU_FAULT;
	}
	/* The driver copies the block back unless it could not be read. */
	if (ret != -EFAULT && write_block(call))
		ret = -EFAULT;
	count_outcome(call, call->outcome);
	return ret;
}

/* A caller that cannot be looked at. @control: of its call, or NOTIFY_UNKNOWN. */
static int refuse_impossible(struct call_context *context, u32 control, int error)
{
	if (!caller_waits(context->caller))
		return error;	/* nobody gets it: the caller has been killed */
	add_count(context, control, MPU_IMPOSSIBLE, 1);
	if (context->pass_unknown && (error == -EACCES || error == -EPERM))
		return 1;
	return error == -ENOMEM ? -ENOMEM : -EPERM;
}

/* Does the driver answer it in the caller's own numbers, whatever its layout? */
static bool is_native(const struct call *call, const struct mpu_row *control)
{
	enum mpu_regime regime;
	struct driver driver;

	if (call->control.cmd != control->cmd || !control->native)
		return false;
	driver_read(&driver, DRIVER_MODULE);
	regime = infer_regime_by_version(&driver);
	return regime < MPU_REGIMES &&
	       mpu_regime_pid_space[regime][control->control] == MPU_PIDS_LOCAL;
}

/*
 * A driver that has a size or a number that the table does not have is newer than
 * the table, and where the PIDs of its answer stand is anybody's guess.
 */
static int refuse_odd_size(struct call *call, const struct mpu_row *control)
{
	struct call_context *context = call->context;

	add_count(context, control->control, MPU_ODD_SIZE, 1);
	if (context->pass_unknown || is_native(call, control))
		return 1;
	return refuse_with(call, mpu_status_unknown(control));
}

/*
 * A control to which the driver answers with the number of the process that issues it, and looks
 * for errors of that process only (cliresCtrlCmdNvdGetRcerrRpt_IMPL()): issued from here the
 * answer would be about the worker, and continued it would have the host's number.
 */
static int refuse_own(struct call *call)
{
	add_count(call->context, call->row->control, MPU_OWN, 1);
	return refuse_with(call, NV_ERR_NOT_SUPPORTED);
}

/*
 * An argument block that cannot be read here, and perhaps by the driver: in memory that only its
 * owner may touch (memfd_secret(2)), or in any, where reading others' is forbidden. Nobody knows
 * which control it is for, so the caller gets what it gets for memory that is not there.
 */
static int refuse_unreadable(struct call *call)
{
	add_count(call->context, NOTIFY_UNKNOWN, MPU_UNREADABLE, 1);
	return -EFAULT;
}

/*
 * Changes the word by which something is asked for that carries PIDs where the caller has
 * it. Return: as handle_request().
 */
static int ask_for_less(struct call *call)
{
	u64 word, allowed;

	if (caller_read(call->tid, call->control.params, &word, sizeof(word)))
		return refuse_with(call, NV_ERR_INVALID_ADDRESS);
	allowed = mpu_word_allowed(call->control.cmd, word);
	if (allowed == word)
		return 1;
	return caller_write(call->context->caller, call->control.params, &allowed, sizeof(allowed)) ?
	       refuse_with(call, NV_ERR_NOT_SUPPORTED) : 1;
}

/* Any call that the filter caught. Return: 1: continue it, else as its ioctl. */
static int handle_request(struct call *call, const struct seccomp_notif *request)
{
	struct call_context *context = call->context;
	int unreadable = read_block(call, request->data.args[2]);
	const struct mpu_row *control = NULL;
	bool asks = false;
	int ret;

	if (unreadable > 0)
		return 1;
	if (!unreadable) {
		control = mpu_row_of(call->control.cmd);
		asks = mpu_word_asks(call->control.cmd);
		call->row = mpu_row_sized(control, call->control.size);
		if (!control)
			control = mpu_row_at(mpu_index_like(call->control.cmd, call->control.size));
		if (!control && !asks)
			return 1;
	}
	ret = caller_open(context->caller, request);
	if (ret > 0)
		return 1;
	if (ret)
		return refuse_impossible(context, control ? control->control : NOTIFY_UNKNOWN, ret);
	if (asks)
		ret = ask_for_less(call);
	else if (!control)
		ret = refuse_unreadable(call);
	else if (!call->row)
		ret = refuse_odd_size(call, control);
	else if (call->row->own)
		ret = refuse_own(call);
	else
		ret = carry_out_control(call);
	caller_close(context->caller);
	return ret;
}

/*
 * Most calls end in read_block() and mpu_row_of(): one read of the memory of a thread by its
 * number, which may be in use for another thread by then. Nothing comes of that but an answer
 * that the kernel refuses. Before anything else is done, caller_open() has seen the call still
 * waiting, and so that it was the right thread. If that is another program's later, its params
 * make a question to an object of the caller's, and the answer goes to nobody.
 */
void call_handle(struct call_context *context,
		 const struct seccomp_notif *request,
		 struct seccomp_notif_resp *response)
{
	struct call call = {
		.context = context,
		.tid = request->pid,
		.request = (unsigned int)request->data.args[1],
	};
	int ret = handle_request(&call, request);

	response->val = 0;
	response->error = 0;
	response->flags = 0;
	if (ret == 1)
		response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else
		response->error = ret;
}
