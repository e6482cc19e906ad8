// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gates and probe: which calls are ours. A gate runs at the entry of a driver's function, the
 * probe at rm_ioctl(), where it may interrupt anything: nothing here sleeps, but for
 * mpu_call_read_caller() and what attaches.
 *
 * Most calls carry no PIDs, and one look at the caller's memory says so at the entry. The look
 * is a hint: another thread may exchange the control after it. The driver's own copy of the
 * arguments decides, which a kprobe on rm_ioctl() sees: the one place for that, since neither
 * nvidia_ioctl()'s copy_from_user() nor the prelinked part of the driver can be hooked by
 * ftrace.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "internal.h"
#include "pidns.h"
#include "compat/regs.h"
#include "compat/uaccess.h"
#include "core/nvrm.h"
#include "core/page.h"
#include "core/table.h"

static char *unknown = "refuse";
module_param(unknown, charp, 0444);
MODULE_PARM_DESC(unknown, "controls in a layout that is not known: refuse or pass");

static bool pass_unknown;

static bool page_is_shared;

static struct kprobe rm_ioctl_probe;

/* Every call inside has met the gate: only now calls without PIDs are let through. */
static bool gated;

/*
 * May this task's calls be ours? The page is one for all: containers are told by it what the
 * host has asked for.
 */
static bool is_ours(void)
{
	return mpu_pidns_outside() || page_is_shared;
}

void *mpu_gate_outside(unsigned long a, unsigned long b, unsigned long c)
{
	return mpu_pidns_outside() ? mpu_pidns_current() : NULL;
}

void *mpu_gate_marked(unsigned long a, unsigned long b, unsigned long c)
{
	struct mpu_call *call;

	/* Most callers are the host's, and go no further. */
	if (!is_ours())
		return NULL;
	call = mpu_call_current();
	return call && call->marked ? call : NULL;
}

/*
 * A driver that has this size, or number, is newer than the table, and where the
 * PIDs stand is not known.
 */
static void call_set_unknown(struct mpu_call *call, u32 cmd, const struct mpu_row *control)
{
	mpu_stats_count_odd(control->control);
	if (pass_unknown || (cmd == control->cmd && control->native && mpu_driver_is_native()))
		return;
	call->unknown = control;
	mpu_call_mark(call);
}

static void call_set_word(struct mpu_call *call, u32 cmd, u64 word)
{
	call->word = word;
	call->asks = cmd;
	mpu_call_mark(call);
}

static void call_set(struct mpu_call *call, const struct nv_control *ctl)
{
	const struct mpu_row *control = mpu_row_of(ctl->cmd);

	call->row = NULL;
	call->unknown = NULL;
	if (mpu_word_asks(ctl->cmd))
		call_set_word(call, ctl->cmd, ctl->params);
	if (!mpu_pidns_outside())
		return;
	call->row = mpu_row_sized(control, ctl->size);
	if (!call->row) {
		if (!control)
			control = mpu_row_at(mpu_index_like(ctl->cmd, ctl->size));
		if (control)
			call_set_unknown(call, ctl->cmd, control);
		return;
	}
	call->array = mpu_row_buffer(call->row, mpu_driver_branch());
	call->params = ctl->params;
	call->copy = NULL;
	call->asked = 0;
	call->view.ended = call->row->ended;
	call->tally = (struct mpu_tally){ 0 };
	call->outcome = MPU_REFUSED;
	mpu_call_mark(call);
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

/* Returns whether an allocation needs a record: of the page, or of a client (openers.c). */
static bool class_concerns_us(u32 class)
{
	return class == RM_USER_SHARED_DATA || class == NV01_ROOT ||
	       class == NV01_ROOT_NON_PRIV || class == NV01_ROOT_CLIENT;
}

/* Returns whether this one control, of an interface that may, needs a record. */
static bool control_concerns_us(u32 cmd, u32 size)
{
	if (!mpu_pidns_outside())
		return mpu_page_is_asked(cmd);
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
	const struct nv_xfer __user *xfer = (void __user *)arg;
	u32 control, class, inner;
	u8 nr = cmd;

	if (likely(nr == NV_ESC_RM_CONTROL)) {
		if (!is_ours())
			return NULL;
		if (READ_ONCE(gated) && peek(&control, &ctl->cmd))
			return interface_may_concern_us(control) ?
			       gate_control(ctl, control) : NULL;
	} else if (nr == NV_ESC_RM_ALLOC) {
		if (READ_ONCE(gated) && peek(&class, &alloc->class) && !class_concerns_us(class))
			return NULL;
	} else if (nr != NV_ESC_XFER ||
		   (!is_ours() && peek(&inner, &xfer->nr) && inner != NV_ESC_RM_ALLOC)) {
		return NULL;
	}
	return mpu_pidns_current();
}

/*
 * @ctl: the driver's own copy of the argument block, as all that are seen here. RM can be
 * kept from the whole control only: it gets one that the class does not have. It is done to
 * a call without a record, whose control was another one a moment ago.
 */
static noinline void see_control(struct nv_control *ctl)
{
	struct mpu_call *call;

	if (!control_concerns_us(ctl->cmd, ctl->size))
		return;
	call = mpu_call_current();
	if (call)
		call_set(call, ctl);
	else if (READ_ONCE(gated))
		ctl->cmd |= NV_CTRL_NONE;
}

static noinline void see_alloc(struct nv_alloc_head *alloc)
{
	struct mpu_call *call = mpu_call_current();

	if (!call && READ_ONCE(gated))
		alloc->class |= NV_CLASS_NONE;
	else if (call && alloc->class == RM_USER_SHARED_DATA)
		call_set_word(call, 0, alloc->params);
}

/* NV_STATUS rm_ioctl(sp, nv, nvfp, NvU32 nr, void *data, NvU32 size) */
static int on_rm_ioctl(struct kprobe *probe, struct pt_regs *regs)
{
	void *data = (void *)regs_get_kernel_argument(regs, 4);
	u32 nr = regs_get_kernel_argument(regs, 3);
	u32 size = regs_get_kernel_argument(regs, 5);
	struct nv_alloc_head *alloc = data;
	struct nv_control *ctl = data;

	if (likely(nr == NV_ESC_RM_CONTROL && size == sizeof(*ctl))) {
		if (is_ours() && interface_may_concern_us(ctl->cmd))
			see_control(ctl);
	} else if (nr == NV_ESC_RM_ALLOC && size >= sizeof(*alloc) &&
		   class_concerns_us(alloc->class)) {
		see_alloc(alloc);
	}
	return 0;
}

/*
 * The arguments as they stand in the caller's memory, where its other threads may
 * change them before the driver reads them: only while the probe is not live.
 */
void mpu_call_read_caller(struct mpu_call *call, unsigned int cmd, unsigned long arg)
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
	if (nr == NV_ESC_RM_CONTROL && !copy_from_user(&ctl, (void __user *)arg, sizeof(ctl)))
		call_set(call, &ctl);
	else if (nr == NV_ESC_RM_ALLOC &&
		 !copy_from_user(&alloc, (void __user *)arg, sizeof(alloc)) &&
		 alloc.class == RM_USER_SHARED_DATA)
		call_set_word(call, 0, alloc.params);
}

void *mpu_gate_close(unsigned long inode, unsigned long file, unsigned long c)
{
	mpu_openers_leave((const struct file *)file);
	return NULL;
}

/* Each call looks whether the probe has come, where it does not take at once. */
void mpu_calls_begin(const struct module *module)
{
	page_is_shared = mpu_page_is_shared(mpu_driver_branch());
	mpu_probe_begin(&rm_ioctl_probe, mpu_symbol_find(module->name, "rm_ioctl"), on_rm_ioctl);
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
