// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu status: an engine states what it has set up; whether calls reach it is measured.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/doctor/doctor.h"
#include "cli/engine/internal.h"
#include "engines/engines.h"
#include "lib/host.h"
#include "nvidia/nvidia.h"

static void print_controls(const struct engine_status *status, bool all)
{
	unsigned int i, n, shown = 0, before;

	printf("controls:");
	for (i = 0; i < status->controls; i++) {
		const struct engine_control *control = &status->control[i];

		for (n = 0, before = shown; n < MPU_COUNTERS; n++) {
			if (!engine_control_shows(control, n, all))
				continue;
			if (shown++ == before)
				printf("\n  %s:", control->name);
			else
				putchar(',');
			printf(" %s %" PRIu64, mpu_counter_names[n], control->count[n]);
		}
	}
	printf("%s\n", shown ? "" : "  nothing translated yet");
}

static const char *const measured_names[] = {
	[WRONG] = "wrong", [RIGHT] = "right",
};

/*
 * Asks the driver as a container does, whatever the engine says of itself. A GPU that
 * nobody uses is not woken up for the question. @refused: what the driver answered, or ""
 */
enum measured measure_engine(const struct engine_place *place, char refused[WHY_SIZE])
{
	struct calibration found;
	char dev[96];
	int seen;

	*refused = '\0';
	if (!place->driver[0] || host_is_other() || !driver_is_used(place->driver) ||
	    host_path(dev, sizeof(dev), "/dev"))
		return NOT_MEASURED;
	if (calibrate_run(&found, dev, NULL, NULL) || found.step < CALIBRATE_MEMORY) {
		rm_error_text(found.error, refused, WHY_SIZE);
		return NOT_MEASURED;
	}
	seen = infer_is_translated(&found);
	return seen < 0 ? NOT_MEASURED : seen ? RIGHT : WRONG;
}

/**
 * struct report - what is said of an engine
 * @left:	containers that an agent should supervise, and does not
 */
struct report {
	const struct engine *engine;
	const char *also;		/* the name of another one that is up beside it, or NULL */
	struct engine_status status;
	enum measured measured;
	char refused[WHY_SIZE];		/* a reason not to have measured the driver; or "" */
	const char *off;		/* see struct engine_place; or NULL */
	struct unsupervised left;
	bool all;			/* counters that are zero, too */
};

static void print_field(const struct report *report, const char *name)
{
	char text[WHY_SIZE];

	if (engine_status_text(&report->status, name, text))
		printf("%s:%*s%s\n", name, 10 - (int)strlen(name), "", text);
}

static void print_measured(const struct report *report)
{
	if (report->off)
		printf("off:       %s\n", report->off);
	if (report->refused[0])
		printf("measured:  no: the driver refused it (%s); see 'mpu doctor'\n", report->refused);
	else if (report->measured == NOT_MEASURED)
		printf("measured:  no; it is when somebody uses a GPU\n");
	else
		printf("measured:  a container %s\n", report->measured == RIGHT ?
		       "sees its own processes, and nobody else's" :
		       "is told what the driver says");
}

/* Prints a container: the id stands beside a name that says more. */
static void print_container(const struct engine_container *one)
{
	if (!one->name[0])
		printf("  (no name)");
	else if (one->known_as[0] && strcmp(one->known_as, one->name) != 0)
		printf("  %s (%.12s)", one->known_as, one->name);
	else
		printf("  %s", one->name);
	printf(": %" PRIu64 " calls%s\n", one->calls, one->waiting ? ", waits" : "");
}

static void print_containers(const struct report *report)
{
	const struct engine_agent *agent = &report->status.agent;
	char text[WHY_SIZE];
	size_t i;

	printf("containers:%s\n", agent->containers ? "" : " none now");
	for (i = 0; i < agent->containers; i++)
		print_container(&agent->container[i]);
	if (report->left.names.n)
		printf("untranslated: %s, which use a GPU and are not supervised\n  -> %s\n",
		       names_join(text, &report->left.names), report->left.todo);
}

static void print_agent(const struct report *report)
{
	const struct engine_agent *agent = &report->status.agent;

	if (!report->status.answered) {
		printf("agent:     up; it answers root only\n");
		return;
	}
	printf("agent:     PID %d, worker %d, replaced %" PRIu64 " times\n",
	       (int)agent->pid, (int)agent->worker, agent->restarts);
	print_field(report, "calls");
	print_field(report, "abandoned");
	print_field(report, "refused");
	print_field(report, "waiting");
	print_containers(report);
	print_controls(&report->status, report->all);
}

static void print_place(const struct report *report)
{
	const struct engine_place *place = &report->status.place;

	printf("driver:    %s%s%s\n",
	       place->driver[0] ? place->driver : "none yet, waiting for it",
	       place->driver_version[0] ? " " : "", place->driver_version);
	print_field(report, "hook");
	print_field(report, "arguments");
	print_measured(report);
	if (report->also)
		printf("also up:   engine %s (not needed)\n", report->also);
	if (!place->has_counters) {
		printf("calls:     counted, and shown on the host only\n");
		return;
	}
	print_field(report, "calls");
	print_field(report, "missed");
	if (place->has_daemon && !place->daemon)
		printf("daemon:  gone; containers are served, until the driver is loaded again: 'mpu up' starts it again\n");
	print_controls(&report->status, report->all);
}

static void print_text(const struct report *report)
{
	if (!report->engine) {
		printf("not up; 'mpu up' starts it\n");
		return;
	}
	printf("engine:    %s %s\n", report->engine->name, report->status.version);
	if (report->engine->everywhere)
		print_place(report);
	else
		print_agent(report);
}

static void print_json(const struct report *report)
{
	struct json_object *answer = json_object_new_object();

	member_add_text(answer, "engine", report->engine ? report->engine->name : NULL);
	if (report->engine) {
		engine_status_add(answer, &report->status, report->all);
		member_add_text(answer, "measured", measured_names[report->measured]);
		if (report->refused[0])
			member_add_text(answer, "unmeasured", report->refused);
		member_add_text(answer, "off", report->off);
	}
	if (report->status.supervises && report->status.answered)
		json_object_object_add(answer, "unsupervised", array_of_words(&report->left.names));
	if (report->also)
		member_add_text(answer, "also", report->also);
	command_print_json(answer);
}

static void fill_report(struct report *report, const struct command_call *call)
{
	const struct engine *engine = report->engine;
	bool everywhere = engine && engine->everywhere;

	report->all = command_value(call, "all");
	if (engine)
		engine_status(engine, &report->status);
	if (everywhere && !command_value(call, "quick"))
		report->measured = measure_engine(&report->status.place, report->refused);
	if (report->status.supervises && report->status.answered) {
		supervised_name(&report->status.agent);
		if (!command_value(call, "quick"))
			unsupervised_find(&report->left, &report->status.agent, true);
	}
	if (report->status.place.off[0])
		report->off = report->status.place.off;
	else if (report->measured == WRONG)
		report->off = "calls do not reach it, or not all of them: run 'mpu doctor' to find out why";
	/* The agent may be up for containers from before this engine was started. */
	if (everywhere && engine_notify.is_up())
		report->also = engine_notify.name;
}

static int run_status(const struct command_call *call)
{
	struct report report = { .engine = engine_current() };
	enum cli_exit status;

	command_tell_late(call);
	fill_report(&report, call);
	command_tell_late(NULL);
	status = report.engine && !report.off ? CLI_DONE : CLI_NO;
	if (report.status.error[0])
		status = command_fail(call, CLI_FAILED, "%s", report.status.error);
	else if (command_wants_json(call))
		print_json(&report);
	else
		print_text(&report);
	engine_status_free(&report.status);
	unsupervised_free(&report.left);
	return status;
}

static const struct command_option options[] = {
	{ "all", 'a', NULL, NULL, "show counters that are zero, too" },
	{ "quick", 'q', NULL, NULL,
	  "do not measure: only what the engine says of itself" },
	{ .name = NULL },
};

const struct command command_status = {
	.name = "status", .options = { options }, .run = run_status,
	.what = "say whether MPU is up and translates, on which driver, what it did",
};
