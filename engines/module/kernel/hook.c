// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two ways in front of a function: a direct call from its ftrace entry to our
 * trampoline (a handful of instructions), or, on kernels without direct calls, a
 * redirect: ftrace calls us with the function's registers, on arm64 from 6.2 on with its
 * arguments alone, and goes on where we say.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#ifdef CONFIG_ARM64
#include <asm/insn.h>
#endif

#include "internal.h"
#include "compat/ftrace.h"

/* CALL rel32: the kernel's own name for it came with 5.6. */
#define MPU_X86_CALL 0xe8
#define MPU_X86_INT3 0xcc
#define MPU_ARM64_BTI_C 0xd503245f

/*
 * Returns where in a function ftrace patches a call. Before 5.18 (kernel commit
 * aebfd12521d9) it wants to be told that, and not the function's start.
 */
static unsigned long hook_site(unsigned long ip)
{
#ifdef CONFIG_ARM64
	/* Before it the way back is kept, and in kernels with BTI stands a landing pad. */
	if (le32_to_cpup((const __le32 *)ip) == MPU_ARM64_BTI_C)
		ip += AARCH64_INSN_SIZE;
	ip += AARCH64_INSN_SIZE;
#endif
	return ip;
}

/* Is a call there now? On x86 a breakpoint stands in for it while another tracer patches it. */
static bool site_is_call(unsigned long ip)
{
#if defined(CONFIG_X86_64)
	u8 opcode = READ_ONCE(*(const u8 *)ip);

	return opcode == MPU_X86_CALL || opcode == MPU_X86_INT3;
#elif defined(CONFIG_ARM64)
	return aarch64_insn_is_bl(le32_to_cpu(READ_ONCE(*(const __le32 *)ip)));
#endif
}

/* Looks for a hook's functions in a module, or anywhere (NULL). Return: is there one? */
bool mpu_hook_find(struct mpu_hook *hook, const char *module)
{
	size_t found = 0;
	size_t i;

	memset(hook->ips, 0, sizeof(hook->ips));
	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->symbols[i]; i++) {
		unsigned long ip = mpu_symbol_find(module, hook->symbols[i]);

		if (ip)
			hook->ips[found++] = hook_site(ip);
	}
	return found;
}

/* Goes one by one: ftrace_free_filter() is exported from 6.2 on. */
static void hook_unfilter(struct mpu_hook *hook)
{
	size_t i;

	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->ips[i]; i++)
		ftrace_set_filter_ip(&hook->ops, hook->ips[i], 1, 0);
}

static int hook_filter(struct mpu_hook *hook)
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

static int callback_attach(struct mpu_hook *hook, ftrace_func_t func, unsigned long flags)
{
	int err;

	hook->ops.func = func;
	hook->ops.flags = flags | FTRACE_OPS_FL_PERMANENT;
	err = hook_filter(hook);
	if (!err)
		err = register_ftrace_function(&hook->ops);
	if (err)
		hook_unfilter(hook);
	return err;
}

static int callback_detach(struct mpu_hook *hook)
{
	int err = unregister_ftrace_function(&hook->ops);

	if (!err)
		hook_unfilter(hook);
	return err;
}

#if defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && \
	defined(MPU_DIRECT_BY_OPS)

static int direct_attach(struct mpu_hook *hook)
{
	int err;

	err = hook_filter(hook);
	if (!err)
		err = register_ftrace_direct(&hook->ops, (unsigned long)hook->trampoline);
	if (err)
		hook_unfilter(hook);
	else	/* or kernel.ftrace_enabled=0 would undo the direct call */
		hook->ops.flags |= FTRACE_OPS_FL_PERMANENT;
	return err;
}

static int direct_detach(struct mpu_hook *hook)
{
	return unregister_ftrace_direct(&hook->ops, (unsigned long)hook->trampoline, true);
}

#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)

/* Up to 6.3 (kernel commit da8bdfbd4223) direct calls are registered by address. */
static int direct_drop(struct mpu_hook *hook, size_t n)
{
	int err = 0;

	while (n--)
		err = unregister_ftrace_direct(hook->ips[n], (unsigned long)hook->trampoline)
			?: err;
	return err;
}

static void notrace do_nothing(unsigned long ip, unsigned long parent,
			       struct ftrace_ops *ops, mpu_ftrace_regs *fregs)
{
}

/*
 * Before kernel commit 7d54c15cb89a (6.1) register_ftrace_direct() frees an entry and leaves it
 * in its table if ftrace is switched off, and the next attach faults there (seen on RHEL 9.3). A
 * permanent callback is refused then, and while it is there nobody can switch ftrace off. If
 * something of this cannot be undone the hook is on: then it cannot be taken off, either.
 */
static int direct_attach(struct mpu_hook *hook)
{
	size_t i;
	int stays = 0;
	int err = callback_attach(hook, do_nothing, 0);

	if (err)
		return err;
	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->ips[i]; i++) {
		err = register_ftrace_direct(hook->ips[i], (unsigned long)hook->trampoline);
		if (err)
			break;
	}
	if (err)
		stays = direct_drop(hook, i);
	stays = callback_detach(hook) ?: stays;
	hook->on = stays;
	return err ?: stays;
}

static int direct_detach(struct mpu_hook *hook)
{
	size_t n = 0;

	while (n < MPU_HOOK_SYMBOLS && hook->ips[n])
		n++;
	/* The callback, if it could not be taken off. */
	return direct_drop(hook, n) ?:
	       (hook->ops.flags & FTRACE_OPS_FL_ENABLED ? -EBUSY : 0);
}

#else

static int direct_attach(struct mpu_hook *hook)
{
	return -EOPNOTSUPP;
}

static int direct_detach(struct mpu_hook *hook)
{
	return 0;
}

#endif

static void notrace redirect(unsigned long ip, unsigned long parent,
				 struct ftrace_ops *ops, mpu_ftrace_regs *fregs)
{
	struct mpu_hook *hook = container_of(ops, struct mpu_hook, ops);
	typeof(mpu_redirect_regs(fregs)) regs = mpu_redirect_regs(fregs);
	void *ours = regs ? hook->gate(regs->MPU_ARGUMENT_0,
				       regs->MPU_ARGUMENT_1,
				       regs->MPU_ARGUMENT_2) : NULL;

	if (!ours)
		return;
	/* The trampoline would set them so. */
	regs->MPU_ARGUMENT_3 = ip + MCOUNT_INSN_SIZE;
	regs->MPU_ARGUMENT_4 = (unsigned long)ours;
	regs->MPU_NEXT = (unsigned long)hook->replacement;
}

/* The driver must be there. */
bool mpu_hook_is_live(const struct mpu_hook *hook)
{
	size_t i;

	for (i = 0; i < MPU_HOOK_SYMBOLS && hook->ips[i]; i++)
		if (!site_is_call(hook->ips[i]))
			return false;
	return true;
}

/*
 * Gets in front of what of a hook's functions was found. May sleep. Return: -ENOENT if none
 * was; -EOPNOTSUPP if the kernel cannot do it this way; what ftrace says.
 */
int mpu_hook_attach(struct mpu_hook *hook, bool direct)
{
	int err;

	if (!hook->ips[0])
		return -ENOENT;
	memset(&hook->ops, 0, sizeof(hook->ops));
	hook->direct = direct;
	err = direct ? direct_attach(hook) :
		       callback_attach(hook, redirect, MPU_REDIRECT_FLAGS |
					       FTRACE_OPS_FL_IPMODIFY);
	hook->on |= !err;
	/* ftrace reports success and changes nothing if kernel.ftrace_enabled is 0. */
	if (!err && !mpu_hook_is_live(hook))
		err = mpu_hook_detach(hook) ?: -EBUSY;
	return err;
}

/*
 * No new call comes to the replacement on return; calls that have may still be inside.
 * Return: what ftrace says: the hook is on as before, and mpu.ko must not be unloaded.
 */
int mpu_hook_detach(struct mpu_hook *hook)
{
	int err;

	if (!hook->on)
		return 0;
	err = hook->direct ? direct_detach(hook) : callback_detach(hook);
	if (!err)
		hook->on = false;
	return err;
}
