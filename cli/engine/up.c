// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu up: start an engine.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/engine/internal.h"
#include "engines/engines.h"
#include "lib/host.h"
#include "lib/process.h"
#include "nvidia/nvidia.h"

/* Counts the engines of this build that understand an option; @last: the last of them. */
static size_t count_engines(enum engine_option option, const struct engine **last)
{
	size_t i, n = 0;

	*last = NULL;
	for (i = 0; engines[i]; i++) {
		if (!(engines[i]->options & option))
			continue;
		*last = engines[i];
		n++;
	}
	return n;
}

/*
 * Return: the one engine that understands an option, NULL if the user leaves the choice to us;
 * @stray: an option that does not fit, or that no engine of this build understands.
 */
static const char *named_engine(const struct command_call *call, const char **stray)
{
	static const struct { const char *name; enum engine_option needed; } options[] = {
		{ "module", ENGINE_FILE }, { "unknown", ENGINE_UNKNOWN },
	};
	const char *name = command_value(call, "engine");
	const struct engine *engine;
	size_t i, n;

	*stray = NULL;
	if (name && !strcmp(name, "auto"))
		name = NULL;
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!command_value(call, options[i].name))
			continue;
		n = count_engines(options[i].needed, &engine);
		if (!name && n == 1)
			name = engine->name;
		engine = name ? engine_find(name) : NULL;
		if (name ? engine && !(engine->options & options[i].needed) : !n)
			*stray = options[i].name;
	}
	return name;
}

/** struct passed - engines that were tried and did not start */
static const struct passed {
	size_t count;
	const struct engine *engine[ENGINES];
	char why[ENGINES][WHY_SIZE];	/* the reason of each of @engine */
} none;

/* @passed: those that were tried before */
static const struct engine *start_any(const struct engine_options *options, struct passed *passed)
{
	char todo[WHY_SIZE], *why;
	size_t i;

	for (i = 0; engines[i]; i++) {
		why = passed->why[passed->count];
		if (engines[i]->available(why, todo) && !engines[i]->up(options, why))
			return engines[i];
		passed->engine[passed->count++] = engines[i];
	}
	return NULL;
}

static void print_json(const struct engine *engine, bool already,
		       const struct engine_status *status,
		       const struct passed *passed, const struct unsupervised *left,
		       const struct findings *findings)
{
	struct json_object *answer = json_object_new_object(), *list = json_object_new_array();
	size_t i;

	member_add_text(answer, "engine", engine->name);
	member_add_bool(answer, "already", already);
	engine_status_add(answer, status, false);
	for (i = 0; i < passed->count; i++) {
		struct json_object *one = json_object_new_object();

		member_add_text(one, "engine", passed->engine[i]->name);
		member_add_text(one, "why", passed->why[i]);
		json_object_array_add(list, one);
	}
	json_object_object_add(answer, "passed_over", list);
	if (status->supervises) {
		json_object_object_add(answer, "unsupervised", array_of_words(&left->names));
		findings_add_json(answer, findings);
	}
	command_print_json(answer);
}

static void print_text(const struct engine *engine, bool already,
		       const struct engine_status *status,
		       const struct passed *passed, const struct unsupervised *left,
		       const struct findings *findings)
{
	const struct engine_place *place = &status->place;
	char names[WHY_SIZE];
	struct driver driver;
	size_t i;

	for (i = 0; i < passed->count; i++)
		fprintf(stderr, "mpu: not engine %s: %s\n",
			passed->engine[i]->name, passed->why[i]);
	printf("%s: engine %s, ", already ? "already up" : "up", engine->name);
	if (!engine->everywhere)
		printf("for containers that mpu-runtime starts\n");
	else if (place->driver[0])
		printf("attached to %s%s%s\n", place->driver,
		       place->driver_version[0] ? " " : "",
		       place->driver_version);
	else
		printf("waiting for the NVIDIA driver\n");
	driver_read(&driver, place->driver[0] ? place->driver : DRIVER_MODULE);
	if (engine != &engine_module && driver_shares_processes(&driver))
		fprintf(stderr, "mpu: a process of the host can have the driver show host PIDs to containers -> %s\n",
			DRIVER_SHARE_NOTHING);
	for (i = 0; i < findings->count; i++)
		if (findings->finding[i].verdict != FINE)
			fprintf(stderr, "mpu: %s: %s -> %s\n", findings->finding[i].about,
				findings->finding[i].found, findings->finding[i].todo);
	if (left->names.n)
		fprintf(stderr, "mpu: not supervised, though they use a GPU: %s -> %s\n",
			names_join(names, &left->names), left->todo);
}

/* Reports an engine that is up. Return: CLI_FAILED if it says that it is off. */
static enum cli_exit report(const struct command_call *call, const struct engine *engine,
			    bool already, const struct passed *passed)
{
	enum cli_exit exit_status = CLI_DONE;
	struct engine_status status;
	struct unsupervised left = { 0 };
	struct findings findings = { 0 };

	engine_status(engine, &status);
	if (status.supervises)
		doctor_engines(&findings, true, true);
	if (status.supervises && status.answered)
		unsupervised_find(&left, &status.agent, true);
	if (status.place.off[0])
		exit_status = command_fail(call, CLI_FAILED,
			"engine %s is up, but off: %s", engine->name,
			status.place.off);
	else if (command_wants_json(call))
		print_json(engine, already, &status, passed, &left, &findings);
	else
		print_text(engine, already, &status, passed, &left, &findings);
	unsupervised_free(&left);
	engine_status_free(&status);
	return exit_status;
}

static enum cli_exit fail_all(const struct command_call *call, const struct passed *passed)
{
	char text[WHY_SIZE * 4] = "";
	size_t i;

	for (i = 0; i < passed->count; i++) {
		size_t len = strlen(text);

		snprintf(text + len, sizeof(text) - len, "%sengine %s: %s",
			 len ? ". " : "", passed->engine[i]->name,
			 passed->why[i]);
	}
	return command_fail(call, CLI_FAILED, "%s; 'mpu doctor' says what to do", text);
}

static enum cli_exit start_named(const struct command_call *call, const char *name,
				 const struct engine_options *options)
{
	const struct engine *engine = engine_find(name);
	char why[WHY_SIZE], todo[WHY_SIZE];

	if (!engine)
		return command_fail(call, CLI_FAILED,
			"this mpu was built without engine %s: clang, bpftool and libbpf were not there",
			name);
	/* A module of the user's own need not be installed. */
	if (!options->file && !engine->available(why, todo))
		return command_fail(call, CLI_FAILED, "engine %s: %s; %s", name, why, todo);
	if (engine->up(options, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	return report(call, engine, false, &none);
}

/* A service watches what it has started itself, and of its own version. */
static enum cli_exit take_over(const struct command_call *call, const struct engine *engine,
			       const struct engine_options *options)
{
	char why[WHY_SIZE];

	if (command_value(call, "foreground") && engine->replace_running &&
	    engine->replace_running(options, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	return report(call, engine, true, &none);
}

static enum cli_exit start(const struct command_call *call)
{
	const struct engine_options options = {
		.file = command_value(call, "module"),
		.unknown = command_value(call, "unknown"),
	};
	const struct engine *engine = engine_current();
	struct passed passed = { 0 };
	const char *stray, *name = named_engine(call, &stray);

	if (stray && !name)
		return command_fail(call, CLI_FAILED,
			"--%s is for an engine that this mpu was built without",
			stray);
	if (stray)
		return command_fail_usage(call, "--%s is not for engine %s", stray, name);
	if (engine && !engine_leftovers(engine)) {
		if (!name || !strcmp(name, engine->name) || command_value(call, "foreground"))
			return take_over(call, engine, &options);
		return command_fail(call, CLI_FAILED,
			"engine %s is up: stop it with 'sudo mpu down', then start engine %s",
			engine->name, name);
	}
	if (host_is_other())
		return command_fail(call, CLI_FAILED,
			"MPU_ROOT is set: that is another system's files, nothing can be started there");
	if (geteuid())
		return command_fail(call, CLI_FAILED, "only root may start MPU: use sudo mpu up");
	if (module_is_foreign())
		return command_fail(call, CLI_FAILED, "a module named mpu is loaded that is not of this MPU, and may translate PIDs by itself: sudo rmmod mpu, then sudo mpu up");
	if (name || engine)
		return start_named(call, engine ? engine->name : name, &options);
	engine = start_any(&options, &passed);
	if (!engine)
		return fail_all(call, &passed);
	return report(call, engine, false, &passed);
}

static int run_up(const struct command_call *call)
{
	static const int held[] = { SIGTERM, SIGINT, SIGHUP, 0 };
	enum cli_exit status;
	int signals;

	if (!command_value(call, "foreground"))
		return start(call);
	if (host_is_other() || geteuid())
		return command_fail(call, CLI_FAILED,
			"--foreground is for root, and without MPU_ROOT: it starts an engine and stops it");
	/* None ends us while an engine starts. */
	signals = signals_hold(held);
	if (signals < 0)
		return command_fail(call, CLI_FAILED, "cannot wait for signals: %s",
				    strerror(-signals));
	status = start(call);
	if (!status)
		status = foreground_serve(call, engine_current(), signals);
	close(signals);
	return status;
}

static const struct command_option options[] = {
	{ "engine", 'e', "auto|" ENGINE_NAMES, NULL, "engine to use (default: auto)" },
	{ "module", 'm', "FILE", NULL, "load this mpu.ko instead of the installed one" },
	{ "foreground", 'f', NULL, NULL,
	  "stay and watch the engine, as a service; stop it at the end" },
	{ .name = NULL },
};

const struct command command_up = {
	.name = "up", .options = { options, unknown_option }, .run = run_up,
	.what = "start: from now on containers see their own GPU processes",
};
