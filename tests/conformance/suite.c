// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the cases and says how each ended.
 *
 *	conformance --driver nvsim.ko --options "flavour=open ..." --regime NAME
 *		    [--engine module|notify|bpf --engine-file mpu.ko|mpu]
 *		    [--engine-options "hook=ftrace"] [--reference mpu.ko]
 *		    [--loops N] [--only TEXT[,TEXT]...] [--tell] [--list]
 *
 * The options of mpu.ko are its parameters, those of engine bpf its hook.
 * Without --engine a case that the driver alone gets wrong must fail: it is then
 * reported as passed, for it has shown that it can fail.
 */
#include <time.h>

#include "tests/conformance/suite.h"

/* The order of the groups: cases that stop the engine or its driver come late. */
static const char *const groups[] = {
	"root", "table", "figures", "edges", "faults", "evasion", "entry_paths", "page", "lifecycle",
	"accounting", "races", "flight", "kernel", "engine", "differential", "oracle",
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

static struct test_case *cases;

static unsigned int group_of(const struct test_case *c)
{
	unsigned int g = 0;

	while (g < GROUPS && (strncmp(c->name, groups[g], strlen(groups[g])) ||
			      c->name[strlen(groups[g])] != ':'))
		g++;
	return g;
}

void case_add(struct test_case *c)
{
	struct test_case **at = &cases;

	while (*at && (group_of(*at) < group_of(c) ||
		       (group_of(*at) == group_of(c) && (*at)->place < c->place)))
		at = &(*at)->next;
	c->next = *at;
	*at = c;
}

static void play(const struct test_case *c)
{
	struct scenario s;

	if (c->run.alone)
		c->run.alone();
	else if (c->run.in_small && scenario_open_small(&s))
		c->run.in_small(&s);
	else if (c->run.in_whole && scenario_open(&s))
		c->run.in_whole(&s);
}

static void run_case(const struct test_case *c)
{
	struct timespec from, to;

	case_begin();
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (c->engines && !engine_on(c->engines)) {
		case_skip("is about another engine");
	} else if (engine_limit(c)) {
		case_skip("not with this engine: %s", engine_limit(c));
	} else {
		fixture_open();
		play(c);
		fixture_close();
		/* Alone, the driver must get this case wrong. */
		if (!engine_on(ON_ANY) && c->native != MAYBE && !(c->native & IN(options.regime)))
			case_must_fail();
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	case_end(c->name, (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000);
}

static int die(const char *what, int err)
{
	fprintf(stderr, "conformance: %s: %s\n", what, strerror(-err));
	return 1;
}

/* Does the name hold one of the texts in a list split by commas? */
static bool is_wanted(const char *name, const char *only)
{
	char list[256], *rest = list, *text;

	if (!only)
		return true;
	snprintf(list, sizeof(list), "%s", only);
	while ((text = strsep(&rest, ",")))
		if (strstr(name, text))
			return true;
	return false;
}

/* A step that is no case: it is counted only if it fails. */
static void end_step(const char *name, int ret)
{
	if (!ret)
		return;
	case_begin();
	case_fail("%s", strerror(-ret));
	case_end(name, 0);
}

static int run_all(void)
{
	const struct test_case *c;
	int ret;

	host_make_nodes();
	/*
	 * Far from the small numbers of containers, and above those that cases give
	 * to processes: the driver keeps records of ended processes by number, and a
	 * new thread must not get one of these by chance. Nor may they begin anew with
	 * small ones, as they would where the host is busy: a case that lasts longer
	 * starts thousands of processes.
	 */
	ret = host_raise_pid_max();
	if (ret)
		return die("/proc/sys/kernel/pid_max", ret);
	ret = host_set_next_pid(20000);
	if (ret)
		return die("/proc/sys/kernel/ns_last_pid", ret);
	ret = host_load_module(options.driver, options.driver_options);
	if (ret)
		return die(options.driver, ret);
	ret = engine_start();
	if (ret)
		return die(options.engine_file, ret);
	for (c = cases; c; c = c->next)
		if (is_wanted(c->name, options.only))
			run_case(c);
	end_step("engine stops at the end", engine_stop());
	end_step("driver unloads at the end", host_unload_module(driver_name()));
	return !report_total();
}

static int list_cases(void)
{
	const struct test_case *c;

	for (c = cases; c; c = c->next)
		puts(c->name);
	return 0;
}

int main(int argc, char **argv)
{
	if (!options_read(argc, argv))
		return 2;
	if (options.list)
		return list_cases();
	if (!engine_choose(options.engine) || (engine_on(ON_ANY) && !options.engine_file)) {
		fprintf(stderr, "conformance: --engine %s: module, notify or "
				"bpf, and its --engine-file\n", options.engine);
		return 2;
	}
	return run_all();
}
