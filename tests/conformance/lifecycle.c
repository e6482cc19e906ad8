// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engines start and stop, drivers are loaded and unloaded.
 */
#include "tests/conformance/suite.h"

static struct question q;

bool loops_wanted(void)
{
	if (!options.loops)
		case_skip("--loops 0");
	return options.loops;
}

bool engine_must_start(void)
{
	int ret = engine_start();

	check_or(false, !ret, "the engine does not start: %s", strerror(-ret));
	return true;
}

bool engine_must_stop(void)
{
	int ret = engine_stop();

	check_or(false, !ret, "the engine does not stop: %s", strerror(-ret));
	return true;
}

/* Engine bpf looks for a driver every now and then, mpu.ko is told by the kernel. */
bool engine_must_attach(const char *name)
{
	/* Engine bpf measures first what was there before, which takes seconds. */
	int tries = engine_on(ON_BPF) ? 6000 : 1;
	const char *driver;

	while (strcmp(driver = engine_driver(), name) && --tries)
		usleep(10000);
	check_or(false, !strcmp(driver, name), "attached to %s, not %s", driver, name);
	return true;
}

bool driver_must_unload(void)
{
	int tries = engine_on(ON_BPF) ? 1000 : 1, ret;

	/* Engine bpf asks it for a while, when it has come, and holds it then. */
	while ((ret = host_unload_module(driver_name())) == -EAGAIN && --tries)
		usleep(10000);
	check_or(false, !ret, "the driver does not unload: %s", strerror(-ret));
	return true;
}

bool driver_must_load(const char *file, const char *params)
{
	int ret = host_load_module(file, params);

	check_or(false, !ret, "the driver does not load: %s", strerror(-ret));
	return true;
}

/*
 * The accounting list is of global numbers in nearly every driver. Ended processes of
 * the actor's container may be in it, too.
 */
bool actor_sees_itself(struct actor *actor)
{
	u32 i, seen = 0;

	q = (struct question){ .row = row_find(0xb04, 0) };
	if (!question_ask(actor, &q))
		return false;
	for (i = 0; i < question_count(&q); i++)
		seen += question_pid(&q, i, 0) == 1;
	check_or(false, seen == 1, "no longer translates");
	return answer_hides_strangers(actor, &q);
}

bool engine_must_translate(void)
{
	struct scenario s;

	return scenario_open_small(&s) && actor_sees_itself(s.a);
}
