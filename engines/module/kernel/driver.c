// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the NVIDIA driver: attaches to the module that has its entry
 * points, lets go before that module does, takes no reference.
 */
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "call.h"
#include "driver.h"
#include "finished.h"
#include "flight.h"
#include "hook.h"
#include "probe.h"
#include "core/nvrm.h"

static char *hook = "auto";
module_param(hook, charp, 0444);
MODULE_PARM_DESC(hook, "way in front of the driver: auto, direct or ftrace");

static bool mpu_gate_ioctl(unsigned long cmd)
{
	u8 nr = cmd;

	return (nr == NV_ESC_RM_CONTROL || nr == NV_ESC_XFER) &&
	       mpu_call_wanted();
}

static bool mpu_gate_marked(unsigned long unused)
{
	return atomic_read(&mpu_marked) && mpu_call_marked();
}

static bool mpu_gate_outside(unsigned long unused)
{
	return mpu_call_wanted();
}

enum {
	MPU_COPY_IN,
	MPU_COPY_OUT,
	MPU_FIND_NS_PID,
	MPU_GET_PID_INFO,
	MPU_IS_INIT_NS,
	MPU_IOCTL,
	MPU_HOOKS,
};

/* In the order they are attached: what translates before what lets in. */
static struct mpu_hook mpu_hooks[MPU_HOOKS] = {
	[MPU_COPY_IN] = {
		.symbols = { "os_memcpy_from_user" },
		.trampoline = mpu_on_copy_in,
		.gate = mpu_gate_marked,
		.replacement = mpu_copy_in,
	},
	[MPU_COPY_OUT] = {
		.symbols = { "os_memcpy_to_user" },
		.trampoline = mpu_on_copy_out,
		.gate = mpu_gate_marked,
		.replacement = mpu_copy_out,
	},
	[MPU_FIND_NS_PID] = {
		.symbols = { "os_find_ns_pid" },
		.trampoline = mpu_on_find_ns_pid,
		.gate = mpu_gate_marked,
		.replacement = mpu_find_ns_pid,
		.optional = true,	/* 535.113 and up */
	},
	[MPU_GET_PID_INFO] = {
		.symbols = { "os_get_pid_info" },
		.trampoline = mpu_on_get_pid_info,
		.gate = mpu_gate_outside,
		.replacement = mpu_get_pid_info,
		.optional = true,
	},
	[MPU_IS_INIT_NS] = {
		.symbols = { "os_is_init_ns" },
		.trampoline = mpu_on_is_init_ns,
		.gate = mpu_gate_marked,
		.replacement = mpu_is_init_ns,
		.optional = true,	/* 570.86 and up */
	},
	[MPU_IOCTL] = {
		.symbols = {
			NV_ENTRY, NV_ENTRY_535, NV_ENTRY_535_COMPAT,
		},
		.trampoline = mpu_on_ioctl,
		.gate = mpu_gate_ioctl,
		.replacement = mpu_ioctl,
	},
};

/*
 * What follows changes under mpu_driver_lock, which is held while calls are
 * waited for. Who only asks how it goes is not to wait for them, too: what
 * status reads is under mpu_shown_lock.
 */
static DEFINE_MUTEX(mpu_driver_lock);
static bool mpu_driver_direct;
static bool mpu_driver_stuck;			/* see mpu_stay() */

static DEFINE_SPINLOCK(mpu_shown_lock);
static char mpu_driver[MODULE_NAME_LEN];	/* "": none is there */
static bool mpu_driver_on;			/* attached to it */

/* @module: NULL: as before. */
static void mpu_driver_show(const char *module, bool on)
{
	spin_lock(&mpu_shown_lock);
	if (module)
		strscpy(mpu_driver, module, sizeof(mpu_driver));
	mpu_driver_on = on;
	spin_unlock(&mpu_shown_lock);
}

/*
 * Calls in flight hold no reference and are not interrupted: they may sleep
 * in the driver for as long as they like. synchronize_rcu_tasks() waits for
 * those between a trampoline and their record, or who have just given it up.
 */
static void mpu_drain(void)
{
	unsigned int n, waited = 0;

	synchronize_rcu_tasks();
	while ((n = mpu_flights())) {
		if (waited++ == 100)
			pr_info("mpu: waiting for %u calls to leave the driver\n",
				n);
		msleep(20);
	}
}

/* What lets in goes first; while it does not go, what translates stays. */
static int mpu_detach_hooks(void)
{
	int err = mpu_hook_detach(&mpu_hooks[MPU_IOCTL]);
	size_t i;

	if (err)
		return err;
	mpu_drain();
	for (i = 0; i < MPU_HOOKS; i++)
		err = mpu_hook_detach(&mpu_hooks[i]) ?: err;
	return err;
}

/*
 * ftrace gives nothing back once it has found fault with itself (ftrace_bug()):
 * the driver goes on calling us, so that nothing of ours may ever go away.
 */
static void mpu_stay(int err)
{
	pr_crit("mpu: ftrace does not let go of the driver (%d): mpu.ko stays until the next boot\n",
		err);
	mpu_driver_stuck = true;
	__module_get(THIS_MODULE);
}

static int mpu_detach(void)
{
	int err;

	/* From here on nobody looks at the driver's instructions for status. */
	mpu_driver_show(NULL, false);
	err = mpu_detach_hooks();
	if (err) {
		mpu_stay(err);
		return err;
	}
	mpu_watch_end();
	mpu_finished_end();
	mpu_driver_show("", false);
	synchronize_rcu_tasks();
	return 0;
}

static int mpu_attach_hooks(const char *module, bool direct)
{
	size_t i;
	int err;

	for (i = 0; i < MPU_HOOKS; i++) {
		err = mpu_hook_attach(&mpu_hooks[i], module, direct);
		if (err == -ENOENT && mpu_hooks[i].optional)
			continue;
		if (err)
			return err;
	}
	mpu_driver_direct = direct;
	return 0;
}

static const char *mpu_reason(int err)
{
	switch (err) {
	case -ENOENT:
		return "it lacks a function that every NVIDIA driver has";
	case -EBUSY:
		return "kernel.ftrace_enabled is 0, or another tracer is there";
	case -EOPNOTSUPP:
		return "this kernel has no ftrace direct calls: try hook=auto";
	default:
		return "ftrace refused";
	}
}

static int mpu_attach(const char *module)
{
	int err = -EOPNOTSUPP;

	if (mpu_driver_stuck)
		return -EBUSY;
	mpu_calls_serve(module);
	mpu_watch_begin(module);
	mpu_finished_begin(module);
	if (strcmp(hook, "ftrace"))
		err = mpu_attach_hooks(module, true);
	if (err && err != -ENOENT && strcmp(hook, "direct"))
		err = mpu_detach_hooks() ?: mpu_attach_hooks(module, false);
	if (err) {
		mpu_detach();
		/* There it is, and translated nothing: that is to be seen. */
		mpu_driver_show(module, false);
		pr_err("mpu: cannot attach to %s: %s (%d)\n", module,
		       mpu_reason(err), err);
		return err;
	}
	mpu_driver_show(module, true);
	pr_info("mpu: attached to %s (hook %s, arguments from the %s)\n",
		module, mpu_driver_hook(), mpu_driver_arguments());
	return 0;
}

static bool mpu_is_driver(const char *module)
{
	const struct mpu_hook *entry = &mpu_hooks[MPU_IOCTL];
	size_t i;

	for (i = 0; i < MPU_HOOK_SYMBOLS && entry->symbols[i]; i++)
		if (mpu_symbol(module, entry->symbols[i]))
			return true;
	return false;
}

/* Name of the loaded module that has the driver's entry, if there is one. */
static bool mpu_find_driver(char name[MODULE_NAME_LEN])
{
	const struct mpu_hook *entry = &mpu_hooks[MPU_IOCTL];
	char symbol[KSYM_SYMBOL_LEN];
	char *start, *end;
	unsigned long addr = 0;
	size_t i;

	for (i = 0; i < MPU_HOOK_SYMBOLS && entry->symbols[i] && !addr; i++)
		addr = mpu_symbol(NULL, entry->symbols[i]);
	if (!addr)
		return false;
	/* "function+0x0/0x10 [module]" */
	sprint_symbol(symbol, addr);
	start = strchr(symbol, '[');
	end = start ? strchr(start, ']') : NULL;
	if (!end)
		return false;
	*end = '\0';
	return strscpy(name, start + 1, MODULE_NAME_LEN) > 0;
}

static int mpu_module_event(struct notifier_block *nb, unsigned long event,
			    void *data)
{
	const struct module *module = data;

	mutex_lock(&mpu_driver_lock);
	if (event == MODULE_STATE_COMING && !mpu_driver[0] &&
	    mpu_is_driver(module->name))
		mpu_attach(module->name);
	if (event == MODULE_STATE_GOING && mpu_driver[0] &&
	    !strcmp(module->name, mpu_driver)) {
		if (mpu_detach()) {
			mpu_watch_end();
			mpu_driver_show("", false);
		}
		pr_info("mpu: %s is leaving, waiting for it to come back\n",
			module->name);
	}
	mutex_unlock(&mpu_driver_lock);
	return NOTIFY_DONE;
}

static struct notifier_block mpu_module_nb = {
	.notifier_call = mpu_module_event,
};

int mpu_driver_init(void)
{
	char name[MODULE_NAME_LEN];
	int err = mpu_calls_init();

	if (err)
		return err;
	if (!IS_ENABLED(CONFIG_KPROBES)) {
		pr_err("mpu: this kernel has no kprobes, and nothing else finds the driver's functions\n");
		return -EOPNOTSUPP;
	}
	if (strcmp(hook, "auto") && strcmp(hook, "direct") &&
	    strcmp(hook, "ftrace")) {
		pr_err("mpu: hook=%s: say auto, direct or ftrace\n", hook);
		return -EINVAL;
	}
	err = register_module_notifier(&mpu_module_nb);
	if (err)
		return err;
	mutex_lock(&mpu_driver_lock);
	if (!mpu_driver[0]) {
		if (mpu_find_driver(name))
			err = mpu_attach(name);
		else
			pr_info("mpu: no NVIDIA driver yet, waiting for it\n");
	}
	mutex_unlock(&mpu_driver_lock);
	if (mpu_driver_stuck)
		return 0;	/* an error would free what ftrace calls */
	if (err)
		unregister_module_notifier(&mpu_module_nb);
	return err;
}

void mpu_driver_exit(void)
{
	unregister_module_notifier(&mpu_module_nb);
	mutex_lock(&mpu_driver_lock);
	if (mpu_driver[0] && mpu_detach())
		mpu_driver_show(NULL, true);
	mutex_unlock(&mpu_driver_lock);
	/* Too late to refuse: whoever unloads waits for the next boot. */
	while (mpu_driver_stuck)
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
	mpu_flights_free();
}

ssize_t mpu_driver_name(char *buf)
{
	ssize_t n;

	spin_lock(&mpu_shown_lock);
	n = sprintf(buf, "%s\n", mpu_driver[0] ? mpu_driver : "none");
	spin_unlock(&mpu_shown_lock);
	return n;
}

static bool mpu_hooks_live(void)
{
	size_t i;

	for (i = 0; i < MPU_HOOKS; i++)
		if (mpu_hooks[i].on && !mpu_hook_live(&mpu_hooks[i]))
			return false;
	return mpu_hooks[MPU_IOCTL].on;
}

const char *mpu_driver_hook(void)
{
	const char *hook = "off";

	spin_lock(&mpu_shown_lock);
	if (!mpu_driver[0])
		hook = "none";
	else if (mpu_driver_on && mpu_hooks_live())
		hook = mpu_driver_direct ? "direct" : "ftrace";
	spin_unlock(&mpu_shown_lock);
	return hook;
}

const char *mpu_driver_arguments(void)
{
	const char *from = "none";

	spin_lock(&mpu_shown_lock);
	if (mpu_driver_on)
		from = mpu_watching() ? "driver" : "caller";
	spin_unlock(&mpu_shown_lock);
	return from;
}
