// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu down: stop the engine.
 */
#include <stdio.h>
#include <unistd.h>

#include "cli/engine/commands.h"
#include "engines/engine.h"
#include "engines/status.h"
#include "lib/host.h"

static void show_progress(const char *what)
{
	fprintf(stderr, "mpu: %s\n", what);
}

static void show_nothing(const char *what)
{
	(void)what;
}

/* Count the containers that an engine supervises: they need it to be up. */
static size_t count_living(const struct engine *engine)
{
	struct engine_status status;
	size_t n;

	engine_status(engine, &status);
	n = status.agent.containers;
	engine_status_free(&status);
	return n;
}

/* @living: containers that go on, and cannot do everything until MPU is up. */
static enum cli_exit report(const struct command_call *call, const struct engine *engine,
			    size_t living)
{
	struct json_object *answer;

	if (!command_wants_json(call)) {
		printf("%s\n", engine ? "down" : "already down");
		if (living)
			fprintf(stderr, "mpu: %zu container%s live%s and %s translated on; until 'mpu up', exec into them and restarting them fail\n",
				living, living == 1 ? "" : "s",
				living == 1 ? "s" : "",
				living == 1 ? "is" : "are");
		return CLI_DONE;
	}
	answer = json_object_new_object();
	member_add_text(answer, "engine", engine ? engine->name : NULL);
	member_add_bool(answer, "already", !engine);
	member_add_number(answer, "living", (int64_t)living);
	command_print_json(answer);
	return CLI_DONE;
}

/* The engine that is up; else one that has left something. */
static const struct engine *find(void)
{
	const struct engine *engine = engine_current();
	size_t i;

	for (i = 0; !engine && engines[i]; i++)
		if (!host_is_other() && engine_remains(engines[i]))
			engine = engines[i];
	return engine;
}

static int run_down(const struct command_call *call)
{
	const struct engine *engine = find();
	char why[WHY_SIZE];
	size_t living;

	if (!engine)
		return report(call, NULL, 0);
	if (host_is_other())
		return command_fail(call, CLI_FAILED,
			"MPU_ROOT is set: that is another system's files, nothing can be stopped there");
	if (geteuid())
		return command_fail(call, CLI_FAILED,
			"only root may stop MPU: use sudo mpu down");
	living = count_living(engine);
	if (engine->down(command_wants_json(call) ? show_nothing : show_progress, why))
		return command_fail(call, CLI_FAILED, "%s", why);
	return report(call, engine, living);
}

const struct command command_down = {
	.name = "down", .run = run_down,
	.what = "stop: wait for calls in flight, then leave the driver alone",
};
