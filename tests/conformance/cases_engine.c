// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu.ko and engine bpf themselves: what they leave alone, starting and stopping,
 * and drivers that are loaded and unloaded under them.
 */
#include <sys/syscall.h>
#include <time.h>

#include "core/table.h"
#include "sim/interface.h"
#include "tests/conformance/suite.h"

static struct question q;

static unsigned int now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* --- the host is not touched --- */

static void ask_for_bytes(struct scenario *s, struct actor *seer, u32 row, struct question *out)
{
	*out = (struct question){
		.row = row, .count = mpu_rows[row].cap > 3 ? 3 : 1,
		.pids = { s->a->pid, 1, 99999999 },
	};
	question_ask(seer, out);
	question_forget_moment(out);
}

IN_WHOLE("engine: the host's answers are the driver's", MAYBE, ON_MODULE | ON_BPF)
{
	static struct question with[2][MPU_ROWS], without;
	u32 row, i;

	for (i = 0; i < 2; i++)
		for_each_answered_row(row, s->host)
			ask_for_bytes(s, i ? s->mounts : s->host, row, &with[i][row]);
	if (!engine_must_stop())
		return;
	for (i = 0; i < 2; i++)
		for_each_answered_row(row, s->host) {
			ask_for_bytes(s, i ? s->mounts : s->host, row, &without);
			if (with[i][row].ret != without.ret ||
			    memcmp(with[i][row].params, without.params, mpu_rows[row].size) ||
			    memcmp(with[i][row].array, without.array, sizeof(without.array)))
				case_fail("0x%x on the host differs", mpu_rows[row].cmd);
		}
	engine_must_start();
}

/* --- counters --- */

/* Calls that reached nobody: mpu.ko sees why, engine bpf only the status. */
static long failures(u32 row)
{
	long faults = engine_counter(row, "fault");

	return engine_on(ON_MODULE) ? faults : faults + engine_counter(row, "refused");
}

static long count_of(u32 row, const char *name)
{
	return strcmp(name, "fault") ? engine_counter(row, name) : failures(row);
}

static bool counts(struct actor *seer, u32 row, const char *name, int by)
{
	long before = count_of(row, name), after;

	if (!question_ask(seer, &q))
		return false;
	engine_look();
	after = count_of(row, name);
	check_or(false, before >= 0 && after == before + by, "0x%x: %s went from %ld to %ld",
		 mpu_rows[row].cmd, name, before, after);
	return true;
}

IN_SMALL("engine: counters", MAYBE, ON_MODULE | ON_BPF)
{
	u32 row;

	/* Nobody but the actors asked below is counted from here on. */
	engine_look();
	for_each_shared_row(row, s->host) {
		q = (struct question){
			.row = row, .count = 1, .pids = { mpu_rows[row].dir == MPU_IN ? 1 : 0 },
		};
		if (!counts(s->a, row, "translated", 1) || !counts(s->host, row, "translated", 0) ||
		    !counts(s->host, row, "seen", 0))
			return;
		q.fail = NV_ERR_INSUFFICIENT_RESOURCES;
		if (!counts(s->a, row, "refused", 1))
			return;
		q.fail = 0;
		q.place = PLACE_TORN;
		if (!counts(s->a, row, "fault", 1))
			return;
		q.place = PLACE_HEAP;
		q.size = mpu_rows[row].size - 4;
		if (!counts(s->a, row, "odd_size", 1) || !counts(s->a, row, "translated", 0))
			return;
	}
}

/* --- unloading --- */

/* Does the actor sleep in an ioctl? Those that wait for a request use futexes. */
static bool in_ioctl(const struct actor *who)
{
	char path[64];
	long nr = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", who->pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fscanf(file, "%ld", &nr) != 1)	/* "running" */
		nr = -1;
	fclose(file);
	return nr == SYS_ioctl;
}

/* The host's callers are not counted. */
static void wait_inside(struct actor *who, bool counted)
{
	while (actor_busy(who) && !(counted ? engine_calls() : in_ioctl(who)))
		usleep(1000);
}

/* The engine may go only when nobody is inside; the host's callers never are. */
static void unload_while(struct actor *who, bool must_wait)
{
	u32 ms = 2000;
	unsigned int from;

	actor_begin(who, gpu_sleep, &ms, sizeof(ms));
	wait_inside(who, must_wait);
	check(!!engine_calls() == must_wait, "%ld calls in flight", engine_calls());
	from = now_ms();
	if (!engine_must_stop())
		return;
	if (must_wait)
		check(!actor_busy(who) || now_ms() - from > 1500,
		      "unloaded under a call, after %u ms", now_ms() - from);
	check(actor_end(who, &ms, sizeof(ms)) == 0, "the call failed");
	engine_must_start();
}

IN_SMALL("engine: stop waits for a call that sleeps", MAYBE, ON_MODULE)
{
	unload_while(s->a, true);
}

IN_SMALL("engine: stop does not wait for the host", MAYBE, ON_MODULE | ON_BPF)
{
	unload_while(s->host, false);
}

/* SIGKILL for a caller that sleeps in the driver: nothing stays behind. */
IN_SMALL("engine: caller killed inside the driver", MAYBE, ON_MODULE | ON_BPF)
{
	u32 ms = 700;

	actor_begin(s->a, gpu_sleep, &ms, sizeof(ms));
	wait_inside(s->a, true);
	actor_kill(s->a);
	check(!engine_calls(), "%ld calls in flight", engine_calls());
	if (engine_must_stop())
		engine_must_start();
}

/* A few rounds of every control; while the engine stops, answers are not looked at. */
static int burst(void *unused)
{
	u32 row, i;

	for (i = 0; i < 5; i++)
		for_each_row(row) {
			q = (struct question){ .row = row, .count = 1, .pids = { 1 } };
			gpu_ask(&q);
			if (q.ret < 0)
				return q.ret;
		}
	return 0;
}

ALONE("engine: start and stop under traffic", MAYBE, ON_MODULE | ON_BPF)
{
	struct actor *busy[3];
	struct scenario s;
	unsigned int i, j;
	int ret = 0;

	if (!loops_wanted() || !scenario_open_small(&s))
		return;
	busy[0] = s.a;
	busy[1] = s.d;
	busy[2] = s.host;
	for (j = 0; j < 3; j++)
		actor_begin(busy[j], burst, NULL, 0);
	for (i = 0; i < options.loops && !case_failed(); i++) {
		engine_must_stop();
		engine_must_start();
		for (j = 0; j < 3; j++) {
			if (actor_busy(busy[j]))
				continue;
			ret = ret ? ret : actor_end(busy[j], NULL, 0);
			actor_begin(busy[j], burst, NULL, 0);
		}
	}
	for (j = 0; j < 3; j++) {
		int last = actor_end(busy[j], NULL, 0);

		ret = ret ? ret : last;
	}
	check(!ret, "an ioctl failed: %s", strerror(-ret));
	actor_sees_itself(s.a);
}

/* --- the driver is unloaded and loaded --- */

ALONE("engine: driver reloads", MAYBE, ON_MODULE | ON_BPF)
{
	char path[128];
	unsigned int i;

	if (!loops_wanted())
		return;
	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", driver_name());
	for (i = 0; i < options.loops; i++) {
		if (!engine_must_attach(driver_name()))
			return;
		check(engine_on(ON_BPF) || !strcmp(host_read_text(path), "0\n"),
		      "a reference is held on the driver: %s", host_read_text(path));
		if (!driver_must_unload() || !engine_must_attach("none") ||
		    !driver_must_load(options.driver, options.driver_options))
			return;
	}
	if (engine_must_attach(driver_name()))
		engine_must_translate();
}

/* Started before the driver is there, stopped after it has gone. */
ALONE("engine: started before the driver", MAYBE, ON_MODULE | ON_BPF)
{
	if (!loops_wanted())
		return;
	if (!engine_must_stop() || !driver_must_unload() || !engine_must_start() ||
	    !engine_must_attach("none") || !engine_must_stop() || !engine_must_start() ||
	    !driver_must_load(options.driver, options.driver_options))
		return;
	if (engine_must_attach(driver_name()))
		engine_must_translate();
}

/*
 * The driver goes right after the engine and both come back, as a script that
 * updates both does it: what the kernel still has to do about the engine's probes
 * is about a driver that is no longer there.
 */
ALONE("engine: driver leaves right after it", MAYBE, ON_MODULE | ON_BPF)
{
	unsigned int i;

	if (!loops_wanted())
		return;
	for (i = 0; i < 10; i++)
		if (!engine_must_stop() || !driver_must_unload() ||
		    !driver_must_load(options.driver, options.driver_options) ||
		    !engine_must_start() || !engine_must_attach(driver_name()))
			return;
	engine_must_translate();
}

/* --- another driver --- */

/* Drivers that nvsim.ko plays, and nvsim-old.ko with the entry functions of 535. */
static const char *const others[] = {
	"flavour=proprietary version=550.163.01 accounting=1",
	"flavour=open version=560.35.03 accounting=1",
	"flavour=open version=565.77 accounting=1",
	"flavour=open version=570.144 accounting=1",
	"flavour=open version=580.142 accounting=1",
}, *const old_others[] = {
	"flavour=proprietary version=470.256.02 accounting=1",
	"flavour=open version=535.104.12 accounting=1",
	"flavour=open version=535.288.01 accounting=1",
};

static bool driver_becomes(const char *params)
{
	struct scenario s;
	bool right;

	if (!driver_must_unload() || !engine_must_attach("none") ||
	    !driver_must_load(options.driver, params) || !engine_must_attach(driver_name()))
		return false;
	right = scenario_open_small(&s) && actor_sees_right(&s, s.a);
	if (!right)
		printf("note wrong with %s\n", params);
	fixture_close();
	fixture_open();
	return right;
}

/* An upgrade or a downgrade underneath: whose numbers it speaks is new. */
ALONE("engine: driver changes", MAYBE, ON_MODULE | ON_BPF)
{
	bool old = strstr(options.driver, "-old");
	const char *const *other = old ? old_others : others;
	size_t i, n = old ? 3 : 5;

	if (!loops_wanted())
		return;
	if (driver_is_real()) {
		case_skip("a real driver is one driver");
		return;
	}
	for (i = 0; i < n && driver_becomes(other[i]); i++)
		;
	/* The rest of the suite wants its own again. */
	if (driver_must_unload() && driver_must_load(options.driver, options.driver_options))
		engine_must_attach(driver_name());
}

/* --- a driver newer than the table --- */

/**
 * struct newer - a driver that is newer, and what of it containers are to be told
 * @moved:	its controls have other numbers; else they have another size
 * @native:	it answers some in the caller's own numbers, whatever their size
 * @passed:	the engine lets all pass
 */
struct newer {
	const char *params;
	bool moved;
	bool native;
	bool passed;
};

static void compose_newer(const struct newer *newer, u32 row, u32 pid)
{
	q = (struct question){ .row = row, .count = 1, .pids = { pid } };
	if (newer->moved)
		q.cmd = mpu_rows[row].cmd ^ SIM_MOVED;
	else
		q.size = mpu_rows[row].size + SIM_LONGER;
}

/* Small params say nothing of a number that is not known. */
static bool is_hidden(const struct newer *newer, u32 row)
{
	return !newer->moved || mpu_names_processes(q.cmd) ||
	       mpu_rows[row].size >= MPU_TELLING_SIZE;
}

static void check_newer(const struct newer *newer, struct scenario *s, u32 row)
{
	bool native = newer->native && mpu_rows[row].native;

	compose_newer(newer, row, native ? 1 : s->host->pid);
	if (!question_ask(s->a, &q) || !is_hidden(newer, row))
		return;
	if (newer->passed) {
		/* In a container nobody has the host's number. */
		check(!q.ret || q.ret == NV_ERR_OBJECT_NOT_FOUND,
		      "0x%x is not passed: 0x%x", mpu_rows[row].cmd, q.ret);
		return;
	}
	if (native) {
		check(!q.ret && question_count(&q), "0x%x: 0x%x", mpu_rows[row].cmd, q.ret);
		answer_hides_strangers(s->a, &q);
		return;
	}
	check(q.ret == (int)mpu_status_unknown(&mpu_rows[row]), "0x%x is answered, or not refused as by other engines: 0x%x",
	      mpu_rows[row].cmd, q.ret);
	question_is_unchanged(s->a, &q);
}

static void newer_answers(const struct newer *newer)
{
	struct scenario s;
	u32 row, n = 0;

	if (!scenario_open_small(&s))
		return;
	for_each_row(row) {
		compose_newer(newer, row, s.host->pid);
		if (!question_ask(s.host, &q))
			return;
		if (q.ret)
			continue;
		n++;
		check_newer(newer, &s, row);
		engine_look();
		check(!is_hidden(newer, row) || engine_on(ON_NOTIFY) ||
		      engine_counter(row, "odd_size") > 0,
		      "0x%x is not counted", mpu_rows[row].cmd);
	}
	check(n > 6, "the host is told of %u", n);
	fixture_close();
	fixture_open();
}

static const struct newer newers[] = {
	{ "flavour=open version=900.10.01 accounting=1", false, true, false },
	{ "flavour=proprietary version=900.10.01 accounting=1", false, false, false },
	{ "flavour=open version=901.10.01 accounting=1", true, false, false },
	{ "flavour=open version=901.10.01 accounting=1", true, false, true },
};

/* Refused to containers, unless the driver is native there or the admin wants it. */
ALONE("engine: a layout that is not known", MAYBE, ON_MODULE | ON_BPF | ON_NOTIFY)
{
	const struct newer *newer;

	if (driver_is_real()) {
		case_skip("a real driver has the layouts of its version");
		return;
	}
	if (!loops_wanted())
		return;
	for (newer = newers; newer < newers + 4; newer++) {
		if (!engine_must_stop() || !driver_must_unload() ||
		    !driver_must_load(options.driver, newer->params))
			return;
		if (newer->passed ? engine_start_passing() : engine_start()) {
			case_fail("the engine does not start");
			return;
		}
		newer_answers(newer);
	}
	/* The rest of the suite wants its own again. */
	if (engine_must_stop() && driver_must_unload() &&
	    driver_must_load(options.driver, options.driver_options))
		engine_must_start();
}

/* --- traces --- */

ALONE("engine: nothing is left of it", MAYBE, ON_MODULE | ON_BPF)
{
	if (!engine_must_stop())
		return;
	check(access("/sys/module/mpu", F_OK), "a module is left");
	check(access("/sys/fs/bpf/mpu", F_OK), "pins are left");
	check(!strstr(host_read_text("/sys/kernel/tracing/kprobe_events"), "mpu"),
	      "probes are left: %s", host_read_text("/sys/kernel/tracing/kprobe_events"));
	check(system("pidof mpu >/dev/null"), "a process is left");
	engine_must_start();
}
