// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu status: what the engine is doing, and whether it does it. What an engine
 * says of itself is what it has set up; whether calls reach it is measured.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "engines/engine.h"
#include "lib/host.h"
#include "nvidia/calibrate.h"
#include "nvidia/infer.h"

static void print_counters(struct json_object *controls)
{
	json_object_object_foreach(controls, control, counters) {
		const char *comma = "";

		printf("  %s:", control);
		json_object_object_foreach(counters, name, n) {
			printf("%s %s %" PRId64, comma, name,
			       json_object_get_int64(n));
			comma = ",";
		}
		putchar('\n');
	}
}

/*
 * Open files of the driver, and what else holds it but other modules. A GPU that
 * nobody uses is not woken up for a question.
 */
static bool is_in_use(const char *driver)
{
	struct dirent *one;
	char text[32];
	long users;
	DIR *dir;

	if (host_read(text, sizeof(text), "/sys/module/%s/refcnt", driver) <= 0)
		return false;
	users = strtol(text, NULL, 10);
	dir = host_opendir("/sys/module/%s/holders", driver);
	while (dir && (one = readdir(dir)))
		users -= one->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return users > 0;
}

/* A call through MPU. Return: as infer_is_translated(). */
static int measure(const struct engine *engine, struct json_object *answer)
{
	const char *driver = json_text(answer, "driver");
	struct calibration found;
	char dev[96];

	if (!engine->everywhere || !driver || host_is_other() ||
	    !is_in_use(driver) || host_path(dev, sizeof(dev), "/dev") ||
	    calibrate_run(&found, dev, NULL, NULL))
		return -1;
	return infer_is_translated(&found);
}

/* Is nothing translated, although it is up? */
static bool add_truth(const struct engine *engine, struct json_object *answer,
		      bool quick)
{
	static const char *const words[] = { "wrong", "right" };
	const char *hook = json_text(answer, "hook");
	int seen = quick ? -1 : measure(engine, answer);
	const char *off = NULL;

	if (hook && !strcmp(hook, "off"))
		off = json_text(answer, "hook_why");
	else if (!seen)
		off = "calls do not reach it, or not all of them: 'mpu doctor' says what it sees";
	json_add(answer, "measured", seen < 0 ? NULL : words[seen]);
	json_add(answer, "off", off);
	return off;
}

static void print_truth(struct json_object *answer)
{
	const char *seen = json_text(answer, "measured");

	if (json_text(answer, "off"))
		printf("off:       %s\n", json_text(answer, "off"));
	if (!seen)
		printf("measured:  no; it is when somebody uses a GPU\n");
	else
		printf("measured:  a container %s\n", !strcmp(seen, "right") ?
		       "sees its own processes, and nobody else's" :
		       "is told what the driver says");
}

/* Engine notify has no driver of its own to be attached to. */
static void print_agent(struct json_object *answer)
{
	struct json_object *list = json_object_object_get(answer,
							  "containers");
	struct json_object *controls = json_object_object_get(answer,
							      "controls");
	size_t i, n = list ? json_object_array_length(list) : 0;

	printf("engine:    %s %s\n", json_text(answer, "engine"),
	       json_text(answer, "version"));
	if (!list) {
		printf("agent:     up; it answers root only\n");
		return;
	}
	printf("agent:     PID %" PRId64 ", worker %" PRId64 ", replaced %" PRId64 " times\n",
	       json_number(answer, "pid"), json_number(answer, "worker"),
	       json_number(answer, "restarts"));
	printf("calls:     %" PRId64 " looked at\n",
	       json_number(answer, "calls"));
	if (json_number(answer, "abandoned"))
		printf("abandoned: %" PRId64 " calls that had killed two workers, refused\n",
		       json_number(answer, "abandoned"));
	if (json_number(answer, "waiting"))
		printf("waiting:   %" PRId64 " containers, for the agent to have memory, threads or descriptors\n",
		       json_number(answer, "waiting"));
	printf("containers:%s\n", n ? "" : " none now");
	for (i = 0; i < n; i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		printf("  %s: %" PRId64 " calls%s\n", json_text(one, "name"),
		       json_number(one, "calls"),
		       json_object_object_get(one, "waiting") ? ", waits" : "");
	}
	printf("controls:%s\n", json_object_object_length(controls) ? "" :
	       "  nothing translated yet");
	print_counters(controls);
}

static void print_status(struct json_object *answer)
{
	struct json_object *controls = json_object_object_get(answer,
							      "controls");
	const char *version = json_text(answer, "driver_version");
	const char *driver = json_text(answer, "driver");
	int n = json_object_object_length(controls);

	printf("engine:    %s %s\n", json_text(answer, "engine"),
	       json_text(answer, "version"));
	printf("driver:    %s%s%s\n",
	       driver ? driver : "none yet, waiting for it",
	       version ? " " : "", version ? version : "");
	if (json_text(answer, "hook_why"))
		printf("hook:      %s: %s\n", json_text(answer, "hook"),
		       json_text(answer, "hook_why"));
	else
		printf("hook:      %s\n", json_text(answer, "hook"));
	printf("arguments: from the %s\n", json_text(answer, "arguments"));
	print_truth(answer);
	if (json_text(answer, "also"))
		printf("also up:   engine %s, which nothing needs meanwhile\n",
		       json_text(answer, "also"));
	if (!json_object_object_get(answer, "calls")) {
		printf("calls:     counted, and shown on the host only\n");
		return;
	}
	printf("calls:     %" PRId64 " in flight\n",
	       json_number(answer, "calls"));
	if (json_number(answer, "missed"))
		printf("missed:    %" PRId64 " calls, whose answers were not translated\n",
		       json_number(answer, "missed"));
	if (json_object_object_get(answer, "resident") &&
	    !json_number(answer, "resident"))
		printf("resident:  gone; containers are served, but a new driver will not be met: 'mpu up' starts it again\n");
	printf("controls:%s\n", n ? "" : "  nothing translated yet");
	print_counters(controls);
}

/* It may have been started beside another, for what was made before that. */
static void add_second(const struct engine *engine, struct json_object *answer)
{
	if (engine && engine->everywhere && engine_notify.is_up())
		json_add(answer, "also", engine_notify.name);
}

enum cli_exit cmd_status(const struct cli *cli)
{
	const struct engine *engine = engine_current();
	struct json_object *answer = json_object_new_object();
	enum cli_exit status = engine ? CLI_DONE : CLI_NO;
	char version[64];

	json_add(answer, "engine", engine ? engine->name : NULL);
	if (engine) {
		host_read(version, sizeof(version), "/sys/module/mpu/version");
		json_add(answer, "version", version);
		engine->status(answer, cli->option[OPT_ALL]);
		if (add_truth(engine, answer, cli->option[OPT_QUICK]))
			status = CLI_NO;
		add_second(engine, answer);
	}
	if (json_text(answer, "error")) {
		status = cli_fail(cli, CLI_FAILED, "%s",
				  json_text(answer, "error"));
		json_object_put(answer);
	} else if (cli->json) {
		cli_print_json(answer);
	} else {
		if (engine)
			engine->everywhere ? print_status(answer) :
					     print_agent(answer);
		else
			printf("not up; 'mpu up' starts it\n");
		json_object_put(answer);
	}
	return status;
}
