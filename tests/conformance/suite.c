// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the cases and says how each ended.
 *
 *	conformance --driver nvsim.ko --options "flavour=open ..." --regime N
 *		    [--engine module|notify|bpf --engine-file mpu.ko|mpu]
 *		    [--engine-options "hook=ftrace"] [--twin mpu.ko]
 *		    [--loops N] [--only TEXT[,TEXT]...] [--tell] [--list]
 *
 * The options of mpu.ko are its parameters, those of engine bpf its hook.
 * Without --engine a case that the driver alone gets wrong must fail: it is then
 * reported as passed, for it has shown that it can fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "core/nvrm.h"
#include "engine.h"
#include "cases.h"
#include "world.h"

struct suite suite = { .loops = 20 };

static enum { PASSED, FAILED, SKIPPED } outcome;
static char reason[512];
static unsigned int passed, failed, skipped;

static void settle(int how, const char *format, va_list ap)
{
	if (outcome != PASSED)
		return;		/* the first reason is the reason */
	outcome = how;
	vsnprintf(reason, sizeof(reason), format, ap);
}

void fail_case(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	settle(FAILED, format, ap);
	va_end(ap);
}

void skip_case(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	settle(SKIPPED, format, ap);
	va_end(ap);
}

bool case_failed(void)
{
	return outcome == FAILED;
}

const char *read_text(const char *path)
{
	static char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return text;
}

int module_load(const char *path, const char *options)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, options ? options : "", 0) ?
	      -errno : 0;
	close(fd);
	return ret;
}

int module_unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

/* A module is named by its file, dashes aside. */
const char *driver_name(void)
{
	static char name[64];
	const char *base = strrchr(suite.driver, '/');
	size_t i;

	snprintf(name, sizeof(name), "%s", base ? base + 1 : suite.driver);
	name[strcspn(name, ".")] = '\0';
	for (i = 0; name[i]; i++)
		if (name[i] == '-')
			name[i] = '_';
	return name;
}

bool driver_is_real(void)
{
	return !strcmp(driver_name(), "nvidia");
}

/* Without an engine: did the case do what it must in this regime? */
static void judge_native(const struct test_case *c)
{
	if (outcome == SKIPPED || c->native == MAYBE)
		return;
	if (c->native & 1 << suite.regime)
		return;
	if (outcome == PASSED) {
		outcome = FAILED;
		strcpy(reason, "passes without an engine, so it proves nothing");
		return;
	}
	outcome = PASSED;
}

static void report(const struct test_case *c, unsigned int ms)
{
	switch (outcome) {
	case PASSED:
		passed++;
		printf("ok %s%s%s (%u ms)\n", c->name,
		       *reason ? " # fails without an engine: " : "", reason,
		       ms);
		break;
	case FAILED:
		failed++;
		printf("not ok %s: %s\n", c->name, reason);
		break;
	case SKIPPED:
		skipped++;
		printf("skip %s: %s\n", c->name, reason);
		break;
	}
	fflush(stdout);
}

static void run_case(const struct test_case *c)
{
	struct timespec from, to;

	outcome = PASSED;
	reason[0] = '\0';
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (c->engines && !engine_on(c->engines)) {
		skip_case("is about another engine");
	} else if (engine_limit(c)) {
		skip_case("not with this engine: %s", engine_limit(c));
	} else {
		world_open();
		c->run();
		world_close();
		if (!engine_on(~0u))
			judge_native(c);
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	report(c, (to.tv_sec - from.tv_sec) * 1000 +
		  (to.tv_nsec - from.tv_nsec) / 1000000);
}

static const struct test_case *const groups[] = {
	cases_root,
	cases_table,
	cases_figures,
	cases_edges,
	cases_faults,
	cases_tricks,
	cases_ways,
	cases_lives,
	cases_accounting,
	cases_races,
	cases_flight,
	cases_kernel,
	cases_engine,
	cases_twins,
	cases_told,
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

static int die(const char *what, int err)
{
	fprintf(stderr, "conformance: %s: %s\n", what, strerror(-err));
	return 1;
}

/* As nvidia-modprobe does: the driver makes no nodes itself. */
static void make_nodes(void)
{
	char path[32];
	int i;

	for (i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "/dev/nvidia%d", i);
		mknod(path, S_IFCHR | 0666, makedev(NV_MAJOR, i));
	}
	mknod("/dev/nvidiactl", S_IFCHR | 0666, makedev(NV_MAJOR,
							NV_MINOR_CTL));
}

/* Does the name hold one of the texts in a list split by commas? */
static bool wanted(const char *name, const char *only)
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

static int run_all(const char *only)
{
	const struct test_case *c;
	unsigned int g;
	int ret;

	make_nodes();
	/* Far from the small numbers of containers. */
	ret = host_next_pid(20000);
	if (ret)
		return die("/proc/sys/kernel/ns_last_pid", ret);
	ret = module_load(suite.driver, suite.options);
	if (ret)
		return die(suite.driver, ret);
	ret = engine_start();
	if (ret)
		return die(suite.engine_file, ret);
	for (g = 0; g < GROUPS; g++)
		for (c = groups[g]; c->name; c++)
			if (wanted(c->name, only))
				run_case(c);
	ret = engine_stop();
	if (ret) {
		failed++;
		printf("not ok engine stops at the end: %s\n",
		       strerror(-ret));
	}
	ret = module_unload(driver_name());
	if (ret) {
		failed++;
		printf("not ok driver unloads at the end: %s\n",
		       strerror(-ret));
	}
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0 || !passed;
}

static int list(void)
{
	const struct test_case *c;
	unsigned int g;

	for (g = 0; g < GROUPS; g++)
		for (c = groups[g]; c->name; c++)
			puts(c->name);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "driver", required_argument, NULL, 'd' },
		{ "options", required_argument, NULL, 'o' },
		{ "engine", required_argument, NULL, 'e' },
		{ "engine-file", required_argument, NULL, 'f' },
		{ "engine-options", required_argument, NULL, 'p' },
		{ "regime", required_argument, NULL, 'r' },
		{ "twin", required_argument, NULL, 't' },
		{ "loops", required_argument, NULL, 'n' },
		{ "only", required_argument, NULL, 'c' },
		{ "tell", no_argument, NULL, 's' },
		{ "list", no_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	const char *only = NULL, *engine = "none";
	int o;

	suite.regime = -1;
	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (o) {
		case 'd': suite.driver = optarg; break;
		case 'o': suite.options = optarg; break;
		case 'e': engine = optarg; break;
		case 'f': suite.engine_file = optarg; break;
		case 'p': suite.engine_options = optarg; break;
		case 'r': suite.regime = atoi(optarg); break;
		case 't': suite.twin = optarg; break;
		case 'n': suite.loops = atoi(optarg); break;
		case 'c': only = optarg; break;
		case 's': suite.tell = true; break;
		case 'l': return list();
		default: return 2;
		}
	}
	if (!suite.driver || suite.regime < 0 || suite.regime > 4) {
		fprintf(stderr, "conformance: --driver FILE and --regime 0..4 "
				"are needed\n");
		return 2;
	}
	if (!engine_choose(engine) || (engine_on(~0u) && !suite.engine_file)) {
		fprintf(stderr, "conformance: --engine %s: module, notify or "
				"bpf, and its --engine-file\n", engine);
		return 2;
	}
	return run_all(only);
}
