// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the driver: attaches to its module, lets go before that goes, takes no reference.
 */
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "internal.h"
#include "core/nvrm.h"
#include "core/regimes.h"

static char *hook = "auto";
module_param(hook, charp, 0444);
MODULE_PARM_DESC(hook, "way in front of the driver: auto, direct or ftrace");

enum {
	COPY_IN,
	COPY_OUT,
	FIND_NS_PID,
	GET_PID_INFO,
	IS_INIT_NS,
	CLOSE,
	IOCTL,
	HOOKS,
};

/* The order they are attached in: a call that comes in by IOCTL finds all others in place. */
static struct mpu_hook hooks[HOOKS] = {
	[COPY_IN] = {
		.symbols = { "os_memcpy_from_user" },
		.trampoline = mpu_trampoline_copy_in,
		.gate = mpu_gate_marked,
		.replacement = mpu_copy_in,
	},
	[COPY_OUT] = {
		.symbols = { "os_memcpy_to_user" },
		.trampoline = mpu_trampoline_copy_out,
		.gate = mpu_gate_marked,
		.replacement = mpu_copy_out,
	},
	[FIND_NS_PID] = {
		.symbols = { "os_find_ns_pid" },
		.trampoline = mpu_trampoline_find_ns_pid,
		.gate = mpu_gate_marked,
		.replacement = mpu_find_ns_pid,
		.optional = true,	/* 535.113 and up */
	},
	[GET_PID_INFO] = {
		.symbols = { "os_get_pid_info" },
		.trampoline = mpu_trampoline_get_pid_info,
		.gate = mpu_gate_outside,
		.replacement = mpu_get_pid_info,
		.optional = true,	/* knows_threads() */
	},
	[IS_INIT_NS] = {
		.symbols = { "os_is_init_ns" },
		.trampoline = mpu_trampoline_is_init_ns,
		.gate = mpu_gate_marked,
		.replacement = mpu_is_init_ns,
		.optional = true,	/* 570.86 and up */
	},
	[CLOSE] = {
		/* A file operation is the first where there are both: to 535. */
		.symbols = { "nvidia_frontend_close", "nvidia_close" },
		.trampoline = mpu_trampoline_close,
		.gate = mpu_gate_close,
		.optional = true,
	},
	[IOCTL] = {
		.symbols = { NV_ENTRY, NV_ENTRY_535, NV_ENTRY_535_COMPAT },
		.trampoline = mpu_trampoline_ioctl,
		.gate = mpu_gate_ioctl,
		.replacement = mpu_ioctl,
	},
};

/*
 * attach_lock is for attaching and detaching, and for what these change. It is held
 * while calls are waited for. Status, which is not to wait for calls, reads @driver and
 * @attached under RCU: no driver is freed meanwhile (free_module()), and while it is
 * attached to neither the hooks nor the probe change.
 */
static DEFINE_MUTEX(attach_lock);
static const struct module *driver;		/* NULL: none is there */
static bool attached;
static bool stuck;				/* see stay_loaded() */

/*
 * No task that has met a hook before it was taken off is between a trampoline and a record, or
 * in a gate, any more. Tasks RCU waits for all that are there and do not sleep. Under PREEMPT_RT
 * one may, for a lock, under RCU: then these are waited for, and then their way out.
 */
static void wait_for_gates(void)
{
	synchronize_rcu_tasks();
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		synchronize_rcu();
		synchronize_rcu_tasks();
	}
}

/* There are none, unless mpu.ko was unloaded by force (drain), or could not be attached. */
static void wait_for_calls(void)
{
	struct mpu_inside inside;
	unsigned int waited = 0;

	wait_for_gates();
	for (; inside = mpu_calls_inside(), inside.n; msleep(20))
		if (waited++ % 3000 == 100)
			pr_info("mpu: waiting for %u calls to leave the driver: PID %d has been in one for %lu s\n",
				inside.n, inside.oldest, inside.seconds);
}

/* IOCTL, by which calls come in, goes first; while it does not go, the others stay. */
static int detach_hooks(void)
{
	int err = mpu_hook_detach(&hooks[IOCTL]);
	size_t i;

	if (err)
		return err;
	wait_for_calls();
	for (i = 0; i < HOOKS; i++)
		err = mpu_hook_detach(&hooks[i]) ?: err;
	return err;
}

/*
 * ftrace takes no hook off any more after an error of its own (ftrace_bug()): the driver goes
 * on calling us, so mpu.ko may never go away.
 */
static void stay_loaded(int err)
{
	pr_crit("mpu: ftrace does not let go of the driver (%d): mpu.ko stays until the next boot\n",
		err);
	stuck = true;
	__module_get(THIS_MODULE);
}

static int detach(void)
{
	int err;

	WRITE_ONCE(attached, false);
	mpu_calls_stop();
	err = detach_hooks();
	if (err) {
		stay_loaded(err);
		return err;
	}
	wait_for_gates();
	mpu_calls_end();
	mpu_openers_end();
	return 0;
}

static int attach_hooks(bool direct)
{
	size_t i;
	int err;

	for (i = 0; i < HOOKS; i++) {
		err = mpu_hook_attach(&hooks[i], direct);
		if (err == -ENOENT && hooks[i].optional)
			continue;
		if (err)
			return err;
	}
	return 0;
}

static const char *reason(int err)
{
	switch (err) {
	case -ENOENT:
		return "it lacks a function that every NVIDIA driver has";
	case -EBUSY:
		return "kernel.ftrace_enabled is 0, or a live patch or another tracer is there";
	case -EOPNOTSUPP:
		return "this kernel has no ftrace direct calls: try hook=auto";
	default:
		return "ftrace refused";
	}
}

static int attach(const struct module *module)
{
	int err = -EOPNOTSUPP;

	if (stuck)
		return -EBUSY;
	WRITE_ONCE(driver, module);
	mpu_calls_begin(module);
	mpu_openers_begin(hooks[CLOSE].ips[0]);
	if (strcmp(hook, "ftrace"))
		err = attach_hooks(true);
	if (err && err != -ENOENT && strcmp(hook, "direct"))
		err = detach_hooks() ?: attach_hooks(false);
	if (err) {
		detach();
		pr_err("mpu: cannot attach to %s: %s (%d)\n", module->name, reason(err), err);
		return err;
	}
	/* Calls that were running at their entry when it was hooked are past rm_ioctl(). */
	if (module->state == MODULE_STATE_LIVE)
		synchronize_rcu_tasks();
	mpu_calls_start();
	WRITE_ONCE(attached, true);
	pr_info("mpu: attached to %s (hook %s, arguments from the %s)\n",
		module->name, mpu_driver_hook(), mpu_driver_arguments());
	return 0;
}

/* The driver is going away. If its hooks stay, they are never entered again. */
static void leave(void)
{
	if (detach())
		mpu_calls_end();
	pr_info("mpu: %s is leaving, waiting for it to come back\n", driver->name);
	WRITE_ONCE(driver, NULL);
}

/* Drivers of R1 to R3 know a client by the thread that opened it. */
static bool knows_threads(const struct module *module)
{
	u32 branch, major = 0, minor = 0;
	enum mpu_regime regime;

	if (!module->version || sscanf(module->version, "%u.%u.%u", &branch, &major, &minor) < 1)
		return true;
	regime = mpu_regime_of(!test_bit(TAINT_PROPRIETARY_MODULE, &module->taints),
			       MPU_DRIVER(branch, major, minor));
	return regime != MPU_R0 && regime != MPU_R4;
}

/*
 * Is it the driver? One function alone may be that of another module: of one that wraps the
 * driver. All are looked up here, once, before any is patched: the look-up is a kprobe for a
 * moment, and a breakpoint of somebody else's must not meet it.
 */
static bool is_driver(const struct module *module)
{
	size_t i = HOOKS;

	while (i--)
		if (!mpu_hook_find(&hooks[i], module->name) && !hooks[i].optional)
			return false;
	if (!knows_threads(module))
		hooks[GET_PID_INFO].ips[0] = 0;
	return true;
}

/*
 * All modules in sysfs, ours being one, are the only way to a loaded module that is exported
 * on all kernels. Nothing is held: before it goes away module_event() waits for attach_lock.
 */
static const struct module *find_module_named(const char *name)
{
	struct kobject *kobj;
	const struct module *module;

	kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	if (!kobj)
		return NULL;
	module = container_of(kobj, struct module_kobject, kobj)->mod;
	kobject_put(kobj);
	return module;
}

static const struct module *find_owner(unsigned long addr)
{
	char symbol[KSYM_SYMBOL_LEN];
	char *name, *end;

	/* "function+0x0/0x10 [module]" */
	sprint_symbol(symbol, addr);
	name = strchr(symbol, '[');
	end = name ? strchr(name, ']') : NULL;
	if (!end)
		return NULL;
	*end = '\0';
	return find_module_named(name + 1);
}

/*
 * Returns the loaded module that is the driver, NULL: none is. Among functions of one name the
 * one of the module that came last is found: the others lead to a driver before that.
 */
static const struct module *find_driver(void)
{
	const struct module *module;
	size_t i;

	for (i = 0; i < HOOKS; i++) {
		if (hooks[i].optional || !mpu_hook_find(&hooks[i], NULL))
			continue;
		module = find_owner(hooks[i].ips[0]);
		if (module && is_driver(module))
			return module;
	}
	return NULL;
}

static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *module = data;

	mutex_lock(&attach_lock);
	if (event == MODULE_STATE_COMING && !driver && is_driver(module))
		attach(module);
	if (event == MODULE_STATE_GOING && module == driver)
		leave();
	mutex_unlock(&attach_lock);
	return NOTIFY_DONE;
}

static struct notifier_block module_events = {
	.notifier_call = module_event,
};

static int attach_to_loaded(void)
{
	const struct module *module;
	int err = 0;

	mutex_lock(&attach_lock);
	module = driver ? NULL : find_driver();
	if (module)
		err = attach(module);
	else if (!driver)
		pr_info("mpu: no NVIDIA driver yet, waiting for it\n");
	mutex_unlock(&attach_lock);
	return err;
}

int mpu_driver_init(void)
{
	int err = mpu_calls_init();

	if (err)
		return err;
	if (!IS_ENABLED(CONFIG_KPROBES)) {
		pr_err("mpu: this kernel has no kprobes, and nothing else finds the driver's functions\n");
		return -EOPNOTSUPP;
	}
	if (strcmp(hook, "auto") && strcmp(hook, "direct") && strcmp(hook, "ftrace")) {
		pr_err("mpu: hook=%s: say auto, direct or ftrace\n", hook);
		return -EINVAL;
	}
	err = register_module_notifier(&module_events);
	if (err)
		return err;
	err = attach_to_loaded();
	if (stuck)
		return 0;	/* an error would free what ftrace calls */
	if (err) {
		unregister_module_notifier(&module_events);
		mpu_calls_free();
	}
	return err;
}

void mpu_driver_exit(void)
{
	unregister_module_notifier(&module_events);
	mutex_lock(&attach_lock);
	if (driver && detach())
		WRITE_ONCE(attached, true);
	mutex_unlock(&attach_lock);
	/* Too late to refuse: whoever unloads waits for the next boot. */
	while (stuck)
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
	mpu_calls_free();
}

/* The first number of the driver's version; 0: it says none. */
u32 mpu_driver_branch(void)
{
	return driver->version ? simple_strtoul(driver->version, NULL, 10) : 0;
}

/* Open drivers from 570.86.15 on: they look at the caller's namespace themselves. */
bool mpu_driver_is_native(void)
{
	return hooks[IS_INIT_NS].ips[0] && !test_bit(TAINT_PROPRIETARY_MODULE, &driver->taints);
}

/* State for sysfs: this and the next two do not wait for calls. */
ssize_t mpu_driver_name(char *buf)
{
	const struct module *module;
	ssize_t n;

	rcu_read_lock();
	module = READ_ONCE(driver);
	n = sprintf(buf, "%s\n", module ? module->name : "none");
	rcu_read_unlock();
	return n;
}

static bool hooks_are_live(void)
{
	size_t i;

	for (i = 0; i < HOOKS; i++)
		if (hooks[i].on && !mpu_hook_is_live(&hooks[i]))
			return false;
	return hooks[IOCTL].on;
}

/* Returns "off" where a driver is there, and its answers pass as they are. */
const char *mpu_driver_hook(void)
{
	const char *shown = "off";

	rcu_read_lock();
	if (!READ_ONCE(driver))
		shown = "none";
	else if (READ_ONCE(attached) && hooks_are_live())
		shown = hooks[IOCTL].direct ? "direct" : "ftrace";
	rcu_read_unlock();
	return shown;
}

/* Returns whose copy of a call's arguments is believed. */
const char *mpu_driver_arguments(void)
{
	const char *from = "none";

	rcu_read_lock();
	if (READ_ONCE(attached))
		from = mpu_calls_are_seen() ? "driver" : "caller";
	rcu_read_unlock();
	return from;
}
