// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu doctor: what this host allows, what its driver does, what to do.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/doctor.h"
#include "cli/engine.h"
#include "cli/probe.h"
#include "lib/host.h"
#include "lib/rm.h"

#define NOTHING		"nothing to do"

static const char *const verdict_text[] = {
	[FINE] = "ok", [NOTE] = "note", [PROBLEM] = "problem",
};

void finding(struct json_object *list, const char *about, enum verdict verdict,
	     const char *todo, const char *fmt, ...)
{
	struct json_object *one = json_object_new_object();
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	json_add(one, "about", about);
	json_add(one, "verdict", verdict_text[verdict]);
	json_add(one, "found", text);
	json_add(one, "do", todo);
	json_object_array_add(list, one);
}

/*
 * Of the module that is loaded, not of a version number: both flavours have
 * the same. 'P' in its taint means a licence that is not free.
 */
static const char *flavour(const char *module)
{
	char text[512], taint[32];

	host_read(text, sizeof(text), "/proc/driver/nvidia/version");
	if (strstr(text, "Open Kernel Module"))
		return "open";
	if (host_read(taint, sizeof(taint), "/sys/module/%s/taint",
		      module) >= 0)
		return strchr(taint, 'P') ? "proprietary" : "open";
	return text[0] ? "proprietary" : NULL;
}

/* No module of that name: does a driver answer all the same? */
static void check_nameless_driver(struct json_object *list)
{
	char dev[96], version[80];
	struct rm rm;
	int ret = host_path(dev, sizeof(dev), "/dev");

	if (!ret)
		ret = rm_open(&rm, dev, NULL);
	if (ret) {
		finding(list, "driver", PROBLEM,
			"load it (modprobe nvidia); MPU may be started before or after",
			"no NVIDIA driver is loaded");
		return;
	}
	if (rm_version(&rm, version, sizeof(version)))
		snprintf(version, sizeof(version), "of unknown version");
	rm_close(&rm);
	finding(list, "driver", NOTE,
		"'mpu up' says which module it is",
		"%s, flavour not known: it answers, but not as module nvidia",
		version);
}

static void check_driver(struct json_object *list)
{
	const char *module = "nvidia";
	char version[64], name[64];
	const char *kind;

	/* MPU goes by the functions of a module, not by its name. */
	if (host_read(name, sizeof(name), "/sys/kernel/mpu/driver") > 0 &&
	    strcmp(name, "none"))
		module = name;
	if (host_read(version, sizeof(version), "/sys/module/%s/version",
		      module) <= 0) {
		check_nameless_driver(list);
		return;
	}
	kind = flavour(module);
	if (kind)
		finding(list, "driver", FINE, NOTHING, "%s %s, %s flavour",
			module, version, kind);
	else
		finding(list, "driver", NOTE,
			"look for 'Open Kernel Module' in /proc/driver/nvidia/version on the host",
			"%s %s, flavour not known: neither that file nor the module's taint is readable here",
			module, version);
}

static void check_up(struct json_object *list, const struct engine *engine)
{
	struct json_object *status = json_object_new_object();
	const char *driver, *version, *arguments;

	if (!engine->everywhere) {
		finding(list, "mpu", FINE, NOTHING,
			"up (engine %s), for containers of mpu runtime",
			engine->name);
		json_object_put(status);
		return;
	}
	engine->status(status, false);
	driver = json_text(status, "driver");
	version = json_text(status, "driver_version");
	arguments = json_text(status, "arguments");
	if (!driver)
		finding(list, "mpu", NOTE,
			"load the NVIDIA driver; MPU will notice",
			"up (engine %s), waiting for the driver",
			engine->name);
	else if (arguments && !strcmp(arguments, "caller"))
		finding(list, "mpu", NOTE,
			"see 'kprobes' above: with them MPU reads what the driver has read",
			"up (engine %s), attached to %s %s, but it reads arguments from the caller's memory",
			engine->name, driver, version ? version : "");
	else
		finding(list, "mpu", FINE, NOTHING,
			"up (engine %s), attached to %s %s, hook %s",
			engine->name, driver, version ? version : "",
			json_text(status, "hook"));
	json_object_put(status);
}

/* One that cannot be had matters only if there is no other. */
static void check_engines(struct json_object *list)
{
	const struct engine *engine = engine_current();
	char why[ENGINE_WHY], todo[ENGINE_WHY], about[32];
	enum verdict missing = PROBLEM;
	size_t i;

	if (engine) {
		check_up(list, engine);
		return;
	}
	for (i = 0; engines[i]; i++)
		if (engines[i]->available(why, todo))
			missing = NOTE;
	for (i = 0; engines[i]; i++) {
		snprintf(about, sizeof(about), "engine-%s", engines[i]->name);
		if (!engines[i]->available(why, todo))
			finding(list, about, missing, todo, "%s", why);
		else if (engines[i]->everywhere)
			finding(list, about, FINE, "sudo mpu up",
				"usable, not up");
		else
			finding(list, about, FINE,
				"sudo mpu up --engine notify, or mpu run COMMAND to try it",
				"usable, not up");
	}
}

static const char *probe_obstacle(enum probe_step step)
{
	switch (step) {
	case PROBE_NAMESPACE:
		return "no PID namespace could be made: run it as root";
	case PROBE_DRIVER:
		return "no NVIDIA driver to ask: see 'driver' above";
	case PROBE_GPU:
		return "no GPU may be used from here: give this user or container its device node";
	case PROBE_LIST:
		return "the driver refused the list of processes: see the end of 'dmesg'";
	default:
		return "the driver gave no GPU memory to measure with: free some and try again";
	}
}

/* Local and global as in core/core.h. */
enum speaks { NEITHER, LOCAL, GLOBAL, BOTH };

static const char *const speaks_text[] = {
	"a number that is neither the container's nor the host's",
	"the container's PID", "the host's PID",
	"the container's PID and the host's",
};

static const char *const speaks_word[] = {
	"neither", "local", "global", "both",
};

static enum speaks list_speaks(const struct probe *probe)
{
	return (probe->lists_inner ? LOCAL : 0) |
	       (probe->lists_outer ? GLOBAL : 0);
}

static enum speaks input_speaks(const struct probe *probe)
{
	return (probe->finds_inner ? LOCAL : 0) |
	       (probe->finds_outer ? GLOBAL : 0);
}

static void add_measurement(struct json_object *answer,
			    const struct probe *probe)
{
	struct json_object *one = json_object_new_object();

	json_add(one, "list", speaks_word[list_speaks(probe)]);
	json_add(one, "input", probe->step == PROBE_DONE ?
		 speaks_word[input_speaks(probe)] : NULL);
	json_add_number(one, "others", probe->others);
	json_object_object_add(answer, "measured", one);
}

static void judge(struct json_object *list, const struct probe *probe, bool up)
{
	bool done = probe->step == PROBE_DONE;
	bool good = list_speaks(probe) == LOCAL && !probe->others &&
		    (!done || input_speaks(probe) == LOCAL);
	const char *todo;

	if (good && !done)
		todo = probe_obstacle(probe->step);
	else if (good)
		todo = up ? NOTHING :
		       "'mpu up' for utilisation, accounting and sessions, which no driver translates";
	else
		todo = up ?
		       "report it with the output of 'mpu doctor -j' and 'mpu status -aj'" :
		       "sudo mpu up";
	finding(list, "containers", good ? FINE : up ? PROBLEM : NOTE, todo,
		"measured %s: a container's process list holds %s%s; its memory is found by %s",
		up ? "through MPU" : "without MPU",
		speaks_text[list_speaks(probe)],
		probe->others ? " and processes of others" : "",
		done ? speaks_text[input_speaks(probe)] :
		"a number that could not be measured");
}

static bool in_initial_namespace(void)
{
	char text[64];
	ssize_t n = readlink("/proc/self/ns/pid", text, sizeof(text) - 1);

	/* PROC_PID_INIT_INO, include/linux/proc_ns.h */
	return n > 0 && !strncmp(text, "pid:[4026531836]", (size_t)n);
}

static void check_containers(struct json_object *list,
			     struct json_object *answer)
{
	const struct engine *engine;
	struct probe probe;
	char dev[96], text[64];
	int ret;

	if (host_is_other()) {
		finding(list, "containers", NOTE, "unset MPU_ROOT to measure",
			"not measured: MPU_ROOT names another system's files");
		return;
	}
	ret = host_path(dev, sizeof(dev), "/dev");
	if (!ret)
		ret = probe_run(&probe, dev);
	if (ret) {
		finding(list, "containers", NOTE, "see the end of 'dmesg'",
			"not measured: the probe did not answer (%s)",
			strerror(-ret));
		return;
	}
	if (!in_initial_namespace())
		finding(list, "namespace", NOTE,
			"run 'mpu doctor' on the host for the whole truth",
			"this is inside a container: what is called host below is this container");
	if (probe.step < PROBE_MEMORY) {
		finding(list, "containers", NOTE, probe_obstacle(probe.step),
			"not measured: %s",
			rm_error(probe.error, text, sizeof(text)));
		return;
	}
	add_measurement(answer, &probe);
	engine = engine_current();
	judge(list, &probe, engine && engine->everywhere);
}

static void print_findings(struct json_object *list)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		printf("%-8s %s: %s\n         -> %s\n",
		       json_text(one, "verdict"), json_text(one, "about"),
		       json_text(one, "found"), json_text(one, "do"));
	}
}

static bool has_problem(struct json_object *list)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++)
		if (!strcmp(json_text(json_object_array_get_idx(list, i),
				      "verdict"), verdict_text[PROBLEM]))
			return true;
	return false;
}

enum cli_exit cmd_doctor(const struct cli *cli)
{
	struct json_object *answer = json_object_new_object();
	struct json_object *list = json_object_new_array();
	enum cli_exit status;

	json_object_object_add(answer, "findings", list);
	check_driver(list);
	doctor_kernel(list);
	check_engines(list);
	check_containers(list, answer);
	status = has_problem(list) ? CLI_NO : CLI_DONE;
	if (cli->json) {
		cli_print_json(answer);
	} else {
		print_findings(list);
		json_object_put(answer);
	}
	return status;
}
