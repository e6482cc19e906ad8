// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes in the host's kernel underneath: tracing is switched off, the driver oopses.
 * mpu.ko must hold, or say that it does not.
 */
#include <fcntl.h>
#include <sys/wait.h>

#include "sim/interface.h"
#include "tests/conformance/suite.h"

#define FTRACE	"/proc/sys/kernel/ftrace_enabled"
#define KPROBES	"/sys/kernel/debug/kprobes/enabled"
#define ON_OOPS	"/proc/sys/kernel/panic_on_oops"
#define SYSFS	"/sys/kernel/mpu/"

static struct question q;

/* Return: 0 or negative errno. */
static int throw(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static bool thrown(const char *path, const char *value)
{
	int ret = throw(path, value);

	check_or(false, !ret, "%s takes no %s: %s", path, value, strerror(-ret));
	return true;
}

static bool says(const char *what, const char *value)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), SYSFS "%s", what);
	snprintf(text, sizeof(text), "%s", host_read_text(path));
	text[strcspn(text, "\n")] = '\0';
	check_or(false, !strcmp(text, value), "%s says %s, not %s", what, text, value);
	return true;
}

/* --- kernel.ftrace_enabled --- */

/*
 * Returns whether tracing cannot be switched off: on Linux 7.3-rc never, EOPNOTSUPP
 * (seen on Debian's 7.3-rc7), on others while mpu.ko is attached, EBUSY.
 */
static bool ftrace_is_fixed(void)
{
	int ret = throw(FTRACE, "0");

	if (!ret)
		throw(FTRACE, "1");
	if (ret == -EOPNOTSUPP)
		case_skip("this kernel's ftrace cannot be switched off");
	return ret == -EOPNOTSUPP;
}

ALONE("kernel: ftrace stays on", MAYBE, ON_MODULE)
{
	struct scenario s;
	int ret;

	if (ftrace_is_fixed() || !scenario_open_small(&s))
		return;
	ret = throw(FTRACE, "0");
	/* FTRACE_OPS_FL_PERMANENT came with set_tid, 5.5: before, nobody can forbid it. */
	if (!ret && !fixture_sets_tid())
		says("hook", "off");
	else if (actor_sees_itself(s.a))
		check(ret == -EBUSY, "the kernel takes ftrace_enabled=0: %d", ret);
	if (thrown(FTRACE, "1"))
		actor_sees_itself(s.a);
}

ALONE("kernel: ftrace was off before", MAYBE, ON_MODULE)
{
	int ret;

	if (ftrace_is_fixed() || !engine_must_stop() || !thrown(FTRACE, "0"))
		return;
	ret = engine_start();
	if (!thrown(FTRACE, "1"))
		return;
	check(ret == -EBUSY, "starts with ftrace off: %d", ret);
	if (engine_must_start())
		engine_must_translate();
}

/* A driver is loaded that cannot be hooked: the engine must say so of itself. */
ALONE("kernel: driver comes while ftrace is off", MAYBE, ON_MODULE)
{
	bool right;

	if (ftrace_is_fixed() || !engine_must_stop() || !driver_must_unload() ||
	    !engine_must_start() || !thrown(FTRACE, "0") ||
	    !driver_must_load(options.driver, options.driver_options))
		return;
	right = says("hook", "off") && engine_must_attach(driver_name());
	if (thrown(FTRACE, "1") && engine_must_stop() && engine_must_start() && right)
		engine_must_translate();
}

/* --- kprobes --- */

/* Whichever way is tried first. */
static bool right_by_all_ways(struct scenario *s)
{
	static const enum entry_path paths[] = { ENTRY_XFER, ENTRY_PLAIN, ENTRY_COMPAT };
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		u32 path = paths[i];

		if (!actor_has_entry_path(s->a, path))
			continue;
		q = (struct question){ .row = row_find(0xb04, 0), .path = path };
		if (!question_ask(s->a, &q))
			return false;
		check_or(false, question_count(&q) == 1 && question_pid(&q, 0, 0) == 1,
			 "path %u is not translated", path);
	}
	return true;
}

/* Arguments are read from the caller's memory without kprobes, until they are back. */
ALONE("kernel: kprobes are switched off", MAYBE, ON_MODULE)
{
	struct scenario s;
	bool right;

	/* No call of a container has come yet. */
	if (!scenario_open_small(&s) || !engine_must_stop() || !engine_must_start() ||
	    !says("arguments", "driver") || !thrown(KPROBES, "0"))
		return;
	right = right_by_all_ways(&s) && says("arguments", "caller");
	if (thrown(KPROBES, "1") && right && right_by_all_ways(&s))
		says("arguments", "driver");
}

ALONE("kernel: kprobes were off before", MAYBE, ON_MODULE)
{
	struct scenario s;
	bool right;

	if (!scenario_open_small(&s) || !engine_must_stop() || !thrown(KPROBES, "0"))
		return;
	right = engine_must_start() && says("arguments", "caller") && right_by_all_ways(&s);
	if (thrown(KPROBES, "1") && right && right_by_all_ways(&s))
		says("arguments", "driver");
}

/* --- others on the same functions --- */

#define TRACING	"/sys/kernel/tracing/"
#define PATCH	"/sys/kernel/livepatch/nvsim_patch/"

static bool traces(void)
{
	return thrown(TRACING "kprobe_events", "p:mine/out os_memcpy_to_user\n") &&
	       thrown(TRACING "kprobe_events", "r:mine/in os_memcpy_from_user\n") &&
	       thrown(TRACING "events/mine/enable", "1") &&
	       thrown(TRACING "set_ftrace_filter", "os_memcpy_*") &&
	       thrown(TRACING "current_tracer", "function");
}

static bool traces_no_more(void)
{
	return thrown(TRACING "current_tracer", "nop") &&
	       thrown(TRACING "events/mine/enable", "0") &&
	       thrown(TRACING "kprobe_events", "-:mine/out\n") &&
	       thrown(TRACING "kprobe_events", "-:mine/in\n");
}

/* The function tracer and kprobes may come first, or afterwards. */
ALONE("kernel: the driver is traced", MAYBE, ON_MODULE)
{
	if (traces() && engine_must_translate() && engine_must_stop() && engine_must_start() &&
	    engine_must_translate() && traces_no_more())
		engine_must_translate();
}

static bool patch_goes(void)
{
	int tries = 1000, ret = throw(PATCH "enabled", "0");

	while (!ret && !access(PATCH, F_OK) && --tries)
		usleep(10000);
	while (!ret && (ret = host_unload_module("nvsim_patch")) == -EAGAIN && --tries)
		usleep(10000);
	check_or(false, !ret, "the patch does not go: %s", strerror(-ret));
	return true;
}

/* Two cannot change where a function goes on: whoever comes second is refused. */
ALONE("kernel: a live patch of the driver", MAYBE, ON_MODULE)
{
	int ret;

	if (access("/nvsim-patch.ko", F_OK) || strcmp(driver_name(), "nvsim")) {
		case_skip("no patch for this kernel, or driver");
		return;
	}
	ret = host_load_module("/nvsim-patch.ko", "");
	check(ret, "it is taken beside mpu.ko");
	if (!engine_must_translate() || !engine_must_stop())
		return;
	ret = host_load_module("/nvsim-patch.ko", "");
	check(!ret, "it does not load: %s", strerror(-ret));
	ret = engine_start();
	check(ret == -EBUSY, "mpu.ko beside it: %d", ret);
	if (patch_goes() && engine_must_start())
		engine_must_translate();
}

/* --- another module --- */

/* It is no driver, whether it comes before the driver, beside it or after it. */
ALONE("kernel: a stranger has a function of the driver's name", MAYBE, ON_MODULE)
{
	int ret;

	if (!driver_must_unload() || !engine_must_attach("none"))
		return;
	ret = host_load_module("/nvsim-stranger.ko", "");
	check(!ret, "the stranger does not load: %s", strerror(-ret));
	if (!says("driver", "none") ||
	    !driver_must_load(options.driver, options.driver_options) ||
	    !engine_must_attach(driver_name()) || !engine_must_translate() ||
	    !engine_must_stop())
		return;
	/* Now it is the module that came last. */
	host_unload_module("nvsim_stranger");
	ret = host_load_module("/nvsim-stranger.ko", "");
	check(!ret, "the stranger does not load again: %s", strerror(-ret));
	if (engine_must_start() && engine_must_attach(driver_name()))
		engine_must_translate();
	ret = host_unload_module("nvsim_stranger");
	check(!ret, "the stranger does not go: %s", strerror(-ret));
	engine_must_translate();
}

/* --- an oops inside the driver --- */

/* A process of its own dies of an oops in the middle of a control. */
static bool oopses(struct actor *parent, u32 row)
{
	struct actor *x = scenario_new_process(parent, SAME_NAMESPACE);

	if (!x)
		return false;
	q = (struct question){ .row = row, .count = 1, .pids = { 1 }, .fail = SIM_FAIL_OOPS };
	check_or(false, actor_do(x, gpu_ask, &q, sizeof(q)) == -ETIMEDOUT,
		 "0x%x: the driver did not oops", mpu_rows[row].cmd);
	actor_kill(x);
	return true;
}

/* An oops of the driver costs the caller, and nobody else: as without an engine. */
ALONE("kernel: the driver oopses", MAYBE, ON_MODULE | ON_BPF)
{
	struct actor *x;
	struct scenario s;
	u32 row, i;

	/* RM's locks would be held for ever. */
	if (driver_is_real()) {
		case_skip("a real driver ends with it");
		return;
	}
	if (!scenario_open_small(&s) || !thrown(ON_OOPS, "0"))
		return;
	for_each_row(row)
		if (mpu_rows[row].cmd != 0x607 && row_answered(s.host, row) && !oopses(s.a, row))
			return;
	/* Engine bpf looks for them every now and then. */
	for (i = 0; i < 3000 && engine_on(ON_BPF) && engine_calls(); i++)
		usleep(10000);
	check(!engine_calls(), "%ld calls in flight", engine_calls());
	/* New processes get the memory of the dead ones: their tasks, their stacks. */
	for (i = 0; i < 12; i++) {
		x = scenario_new_process(s.idle ? s.idle : s.a, NEW_CONTAINER);
		if (!x || !actor_sees_itself(x))
			return;
		actor_kill(x);
	}
	if (actor_sees_itself(s.a) && engine_must_stop() &&
	    engine_must_start() && actor_sees_itself(s.a))
		thrown(ON_OOPS, "1");
}
