// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two ways in front of a function: a direct call from its ftrace entry to our
 * trampoline (a handful of instructions), or, on kernels without, a redirect
 * through ftrace's register-saving entry.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "hook.h"
#include "compat/ftrace.h"

/* CALL rel32: the kernel's own name for it came with 5.6. */
#define MPU_X86_CALL 0xe8

unsigned long mpu_symbol(const char *module, const char *symbol)
{
	char name[MODULE_NAME_LEN + KSYM_NAME_LEN];
	/* Disabled: looked up and prepared, nothing is written anywhere. */
	struct kprobe probe = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long addr;

	snprintf(name, sizeof(name), "%s%s%s", module ?: "",
		 module ? ":" : "", symbol);
	if (register_kprobe(&probe))
		return 0;
	addr = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return addr;
}

/*
 * Through the folder of all modules in sysfs, ours being in it, too: there is
 * no other way to a loaded module that is exported on all kernels. While the
 * kobject is held the module's memory stays (mod_kobject_put() waits).
 */
void mpu_module_version(const char *name, char text[32])
{
	struct kobject *kobj;
	const char *version;

	text[0] = '\0';
	kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	if (!kobj)
		return;
	version = container_of(kobj, struct module_kobject, kobj)->mod->version;
	if (version)
		strscpy(text, version, 32);
	kobject_put(kobj);
}

static size_t mpu_hook_find(struct mpu_hook *hook, const char *module)
{
	size_t found = 0;
	size_t i;

	memset(hook->ips, 0, sizeof(hook->ips));
	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->symbols[i]; i++) {
		unsigned long ip = mpu_symbol(module, hook->symbols[i]);

		if (ip)
			hook->ips[found++] = ip;
	}
	return found;
}

/* Taken off again one by one: ftrace_free_filter() is for modules from 6.2. */
static void __maybe_unused mpu_hook_unfilter(struct mpu_hook *hook)
{
	size_t i;

	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->ips[i]; i++)
		ftrace_set_filter_ip(&hook->ops, hook->ips[i], 1, 0);
}

static int __maybe_unused mpu_hook_filter(struct mpu_hook *hook)
{
	size_t i;
	int err;

	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->ips[i]; i++) {
		err = ftrace_set_filter_ip(&hook->ops, hook->ips[i], 0, 0);
		if (err)
			return err;
	}
	return 0;
}

#if defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && \
	defined(MPU_DIRECT_BY_OPS)

static int mpu_direct_attach(struct mpu_hook *hook)
{
	int err;

	err = mpu_hook_filter(hook);
	if (!err)
		err = register_ftrace_direct(&hook->ops,
					     (unsigned long)hook->trampoline);
	if (err)
		mpu_hook_unfilter(hook);
	else
		/* Not by itself: kernel.ftrace_enabled=0 would undo it. */
		hook->ops.flags |= FTRACE_OPS_FL_PERMANENT;
	return err;
}

static int mpu_direct_detach(struct mpu_hook *hook)
{
	return unregister_ftrace_direct(&hook->ops,
					(unsigned long)hook->trampoline, true);
}

#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)

/* Up to 6.3 (kernel commit da8bdfbd4223) a direct call is had by address. */
static int mpu_direct_drop(struct mpu_hook *hook, size_t n)
{
	int err = 0;

	while (n--)
		err = unregister_ftrace_direct(hook->ips[n],
					       (unsigned long)hook->trampoline)
			?: err;
	return err;
}

static int mpu_direct_attach(struct mpu_hook *hook)
{
	size_t i;
	int err;

	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->ips[i]; i++) {
		err = register_ftrace_direct(hook->ips[i],
					     (unsigned long)hook->trampoline);
		if (err) {
			mpu_direct_drop(hook, i);
			return err;
		}
	}
	return 0;
}

static int mpu_direct_detach(struct mpu_hook *hook)
{
	size_t n = 0;

	while (n < MPU_HOOK_SYMBOLS && hook->ips[n])
		n++;
	return mpu_direct_drop(hook, n);
}

#else

static int mpu_direct_attach(struct mpu_hook *hook)
{
	return -EOPNOTSUPP;
}

static int mpu_direct_detach(struct mpu_hook *hook)
{
	return 0;
}

#endif

#ifdef CONFIG_X86_64

static void notrace mpu_redirect(unsigned long ip, unsigned long parent,
				 struct ftrace_ops *ops, mpu_ftrace_regs *fregs)
{
	struct mpu_hook *hook = container_of(ops, struct mpu_hook, ops);
	struct pt_regs *regs = mpu_ftrace_pt_regs(fregs);

	if (!regs || !hook->gate(regs->si))
		return;
	/* The fourth argument, as the trampoline would set it. */
	regs->cx = ip + MCOUNT_INSN_SIZE;
	instruction_pointer_set(regs, (unsigned long)hook->replacement);
}

static int mpu_redirect_attach(struct mpu_hook *hook)
{
	int err;

	hook->ops.func = mpu_redirect;
	hook->ops.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY |
			  FTRACE_OPS_FL_PERMANENT;
	err = mpu_hook_filter(hook);
	if (!err)
		err = register_ftrace_function(&hook->ops);
	if (err)
		mpu_hook_unfilter(hook);
	return err;
}

static int mpu_redirect_detach(struct mpu_hook *hook)
{
	int err = unregister_ftrace_function(&hook->ops);

	if (!err)
		mpu_hook_unfilter(hook);
	return err;
}

#else

static int mpu_redirect_attach(struct mpu_hook *hook)
{
	return -EOPNOTSUPP;
}

static int mpu_redirect_detach(struct mpu_hook *hook)
{
	return 0;
}

#endif

bool mpu_hook_live(const struct mpu_hook *hook)
{
#ifdef CONFIG_X86_64
	size_t i;

	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->ips[i]; i++)
		if (READ_ONCE(*(const u8 *)hook->ips[i]) != MPU_X86_CALL)
			return false;
#endif
	return true;
}

int mpu_hook_attach(struct mpu_hook *hook, const char *module, bool direct)
{
	int err;

	if (!mpu_hook_find(hook, module))
		return -ENOENT;
	memset(&hook->ops, 0, sizeof(hook->ops));
	hook->direct = direct;
	err = direct ? mpu_direct_attach(hook) : mpu_redirect_attach(hook);
	hook->on = !err;
	/* With kernel.ftrace_enabled=0 ftrace takes a call and sits on it. */
	if (hook->on && !mpu_hook_live(hook))
		err = mpu_hook_detach(hook) ?: -EBUSY;
	return err;
}

int mpu_hook_detach(struct mpu_hook *hook)
{
	int err;

	if (!hook->on)
		return 0;
	err = hook->direct ? mpu_direct_detach(hook) :
			     mpu_redirect_detach(hook);
	if (!err)
		hook->on = false;
	return err;
}
