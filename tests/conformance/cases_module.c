// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu.ko itself: what it leaves alone, and its comings and goings.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "scene.h"
#include "sim/model.h"
#include "suite.h"

static struct question q;

static unsigned int now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool engine_on(void)
{
	int ret = module_load(suite.engine, suite.engine_options);

	check_or(false, !ret, "the engine does not load: %s", strerror(-ret));
	return true;
}

static bool engine_off(void)
{
	int ret = module_unload("mpu");

	check_or(false, !ret, "the engine does not unload: %s", strerror(-ret));
	return true;
}

/* --- the host is not touched --- */

static void ask_for_bytes(struct scene *s, struct actor *seer, u32 row,
			  struct question *out)
{
	u32 i;

	memset(out, 0, sizeof(*out));
	out->row = row;
	out->count = mpu_rows[row].cap > 3 ? 3 : 1;
	out->pids[0] = s->a->pid;
	out->pids[1] = 1;
	out->pids[2] = 99999999;
	ask(seer, out);
	/* What time it is differs, and where the array was. */
	if (mpu_rows[row].ptr != MPU_NO_OFFSET)
		mpu_put64(out->params, mpu_rows[row].ptr, 0);
	if (!mpu_rows[row].drop && mpu_rows[row].fields > 1)
		for (i = 0; i < mpu_rows[row].cap; i++)
			mpu_put64((u8 *)question_array(out),
				  mpu_rows[row].base +
				  i * mpu_rows[row].stride, 0);
}

static void host_untouched(void)
{
	static struct question with[2][MPU_ROWS], without;
	struct scene s;
	u32 row, i;

	if (!scene_open(&s))
		return;
	for (i = 0; i < 2; i++)
		for_each_row(row)
			if (row_answered(&s, row))
				ask_for_bytes(&s, i ? s.mounts : s.host, row,
					      &with[i][row]);
	if (!engine_off())
		return;
	for (i = 0; i < 2; i++)
		for_each_row(row) {
			if (!row_answered(&s, row))
				continue;
			ask_for_bytes(&s, i ? s.mounts : s.host, row,
				      &without);
			if (with[i][row].ret != without.ret ||
			    memcmp(with[i][row].params, without.params,
				   mpu_rows[row].size) ||
			    memcmp(with[i][row].array, without.array,
				   sizeof(without.array)))
				fail_case("0x%x on the host differs",
					  mpu_rows[row].cmd);
		}
	engine_on();
}

/* --- counters --- */

static long counter(u32 row, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/kernel/mpu/controls/%s/%s",
		 mpu_control_names[mpu_rows[row].control], name);
	return *read_text(path) ? atol(read_text(path)) : -1;
}

static bool counts(struct actor *seer, u32 row, const char *name, int by)
{
	long before = counter(row, name);

	if (!ask(seer, &q))
		return false;
	check_or(false, before >= 0 && counter(row, name) == before + by,
		 "0x%x: %s went from %ld to %ld", mpu_rows[row].cmd, name,
		 before, counter(row, name));
	return true;
}

static void counters(void)
{
	struct scene s;
	u32 row;

	if (!scene_small(&s))
		return;
	for_each_row(row) {
		if (mpu_rows[row].cmd == 0x607 || !row_answered(&s, row))
			continue;
		memset(&q, 0, sizeof(q));
		q.row = row;
		q.count = 1;
		q.pids[0] = mpu_rows[row].dir == MPU_IN ? 1 : 0;
		if (!counts(s.a, row, "translated", 1) ||
		    !counts(s.host, row, "translated", 0) ||
		    !counts(s.host, row, "seen", 0))
			return;
		q.fail = NV_ERR_INSUFFICIENT_RESOURCES;
		if (!counts(s.a, row, "refused", 1))
			return;
		q.fail = 0;
		q.place = PLACE_TORN;
		if (!counts(s.a, row, "fault", 1))
			return;
		q.place = PLACE_HEAP;
		q.size = mpu_rows[row].size - 4;
		if (!counts(s.a, row, "odd_size", 1) ||
		    !counts(s.a, row, "translated", 0))
			return;
	}
}

/* --- unloading --- */

/* The engine may go only when nobody is inside; the host's callers never are. */
static void unload_while(struct actor *who, bool must_wait)
{
	u32 ms = 2000;
	unsigned int from;

	actor_begin(who, gpu_sleep, &ms, sizeof(ms));
	usleep(300000);
	check(!!atoi(read_text("/sys/kernel/mpu/calls")) == must_wait,
	      "%s calls in flight", read_text("/sys/kernel/mpu/calls"));
	from = now_ms();
	if (!engine_off())
		return;
	if (must_wait)
		check(!actor_busy(who) || now_ms() - from > 1500,
		      "unloaded under a call, after %u ms", now_ms() - from);
	check(actor_end(who, &ms, sizeof(ms)) == 0, "the call failed");
	engine_on();
}

static void unload_in_flight(void)
{
	struct scene s;

	if (scene_small(&s))
		unload_while(s.a, true);
}

static void unload_host_sleeps(void)
{
	struct scene s;

	if (scene_small(&s))
		unload_while(s.host, false);
}

/* SIGKILL for a caller that sleeps in the driver: nothing stays behind. */
static void killed_inside(void)
{
	u32 ms = 700;
	struct scene s;

	if (!scene_small(&s))
		return;
	actor_begin(s.a, gpu_sleep, &ms, sizeof(ms));
	usleep(200000);
	actor_kill(s.a);
	check(!atoi(read_text("/sys/kernel/mpu/calls")),
	      "%s calls in flight", read_text("/sys/kernel/mpu/calls"));
	if (engine_off())
		engine_on();
}

/* One short burst of every control; answers may be anybody's meanwhile. */
static int burst(void *unused)
{
	u32 row, i;

	(void)unused;
	for (i = 0; i < 5; i++)
		for_each_row(row) {
			memset(&q, 0, sizeof(q));
			q.row = row;
			q.count = 1;
			q.pids[0] = 1;
			gpu_ask(&q);
			if (q.ret < 0)
				return q.ret;
		}
	return 0;
}

static void load_and_unload(void)
{
	struct actor *busy[3];
	struct scene s;
	unsigned int i, j;
	int ret = 0;

	if (!scene_small(&s))
		return;
	busy[0] = s.a;
	busy[1] = s.d;
	busy[2] = s.host;
	for (j = 0; j < 3; j++)
		actor_begin(busy[j], burst, NULL, 0);
	for (i = 0; i < suite.loops && !case_failed(); i++) {
		engine_off();
		engine_on();
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
	memset(&q, 0, sizeof(q));
	q.row = find_row(0xb04, 0);
	if (ask(s.a, &q))
		check(question_count(&q) == 1 && question_pid(&q, 0, 0) == 1,
		      "no longer translates");
}

/* --- the driver's comings and goings --- */

static void driver_reloads(void)
{
	char path[128];
	unsigned int i;
	struct scene s;
	int ret;

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", driver_name());
	for (i = 0; i < suite.loops; i++) {
		check(!strncmp(read_text("/sys/kernel/mpu/driver"),
			       driver_name(), strlen(driver_name())),
		      "attached to: %s", read_text("/sys/kernel/mpu/driver"));
		check(!strcmp(read_text(path), "0\n"),
		      "a reference is held on the driver: %s", read_text(path));
		ret = module_unload(driver_name());
		check(!ret, "the driver does not unload: %s", strerror(-ret));
		check(!strcmp(read_text("/sys/kernel/mpu/driver"), "none\n"),
		      "still attached to: %s",
		      read_text("/sys/kernel/mpu/driver"));
		ret = module_load(suite.driver, suite.options);
		check(!ret, "the driver does not load: %s", strerror(-ret));
	}
	if (!scene_small(&s))
		return;
	memset(&q, 0, sizeof(q));
	q.row = find_row(0xb04, 0);
	if (ask(s.a, &q))
		check(question_count(&q) == 1 && question_pid(&q, 0, 0) == 1,
		      "no longer translates");
}

/* Loaded before the driver is there, unloaded after it has gone. */
static void without_driver(void)
{
	int ret;

	if (!engine_off())
		return;
	ret = module_unload(driver_name());
	check(!ret, "the driver does not unload: %s", strerror(-ret));
	if (!engine_on())
		return;
	check(!strcmp(read_text("/sys/kernel/mpu/driver"), "none\n"),
	      "attached to: %s", read_text("/sys/kernel/mpu/driver"));
	if (!engine_off() || !engine_on())
		return;
	ret = module_load(suite.driver, suite.options);
	check(!ret, "the driver does not load: %s", strerror(-ret));
	check(!strncmp(read_text("/sys/kernel/mpu/driver"), driver_name(),
		       strlen(driver_name())), "attached to: %s",
	      read_text("/sys/kernel/mpu/driver"));
}

const struct test_case cases_module[] = {
	{ "module: the host's answers are the driver's", host_untouched, MAYBE,
	  true },
	{ "module: counters", counters, MAYBE, true },
	{ "module: unload waits for a call that sleeps", unload_in_flight,
	  MAYBE, true },
	{ "module: unload does not wait for the host", unload_host_sleeps,
	  MAYBE, true },
	{ "module: caller killed inside the driver", killed_inside, MAYBE,
	  true },
	{ "module: load and unload under traffic", load_and_unload, MAYBE,
	  true },
	{ "module: driver reloads", driver_reloads, MAYBE, true },
	{ "module: loaded before the driver", without_driver, MAYBE, true },
	{ NULL, NULL, 0, false },
};
