// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu down: stop the engine.
 */
#include <stdio.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/engine/internal.h"
#include "engines/engines.h"
#include "lib/host.h"

void show_progress(const char *what)
{
	fprintf(stderr, "mpu: %s\n", what);
}

static void show_nothing(const char *what)
{
	(void)what;
}

/* Lists the containers that an engine supervises: they need it to be up. */
static void list_living(const struct engine *engine, struct strv *living)
{
	struct engine_status status;
	size_t i;

	engine_status(engine, &status);
	supervised_name(&status.agent);
	for (i = 0; i < status.agent.containers; i++) {
		const struct engine_container *one = &status.agent.container[i];

		strv_add(living, one->known_as[0] ? one->known_as :
			 one->name[0] ? one->name : "(no name)");
	}
	engine_status_free(&status);
}

/* @living: containers that are translated on, and cannot do the rest until MPU is up. */
static enum cli_exit report(const struct command_call *call, const struct engine *engine,
			    const struct strv *living)
{
	struct json_object *answer;

	if (!command_wants_json(call)) {
		printf("%s\n", engine ? "down" : "already down");
		return CLI_DONE;
	}
	answer = json_object_new_object();
	member_add_text(answer, "engine", engine ? engine->name : NULL);
	member_add_bool(answer, "already", !engine);
	member_add_number(answer, "living", (int64_t)living->n);
	command_print_json(answer);
	return CLI_DONE;
}

/* Returns the engine that is up; else one that has left something. */
static const struct engine *find(void)
{
	const struct engine *engine = engine_current();
	size_t i;

	for (i = 0; !engine && engines[i]; i++)
		if (!host_is_other() && engine_leftovers(engines[i]))
			engine = engines[i];
	return engine;
}

static int run_down(const struct command_call *call)
{
	const struct engine *engine = find();
	bool force = command_is_on(call, "force");
	char why[WHY_SIZE], names[WHY_SIZE];
	struct strv living = { 0 };
	enum cli_exit status;

	if (!engine)
		return report(call, NULL, &living);
	if (host_is_other())
		return command_fail(call, CLI_FAILED,
			"MPU_ROOT is set: that is another system's files, nothing can be stopped there");
	if (geteuid())
		return command_fail(call, CLI_FAILED, "only root may stop MPU: use sudo mpu down");
	list_living(engine, &living);
	if (living.n && !command_is_on(call, "yes"))
		status = command_fail(call, CLI_FAILED,
			"%zu container%s depend%s on engine %s: without it exec into them, health checks by exec and restarts fail, and their running calls alone are translated: %s; end them first, or do it with --yes",
			living.n, living.n == 1 ? "" : "s", living.n == 1 ? "s" : "",
			engine->name, names_join(names, &living));
	else if (command_is_on(call, "dry-run") && !force && engine->held && engine->held(why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	else if (command_is_on(call, "dry-run"))
		status = command_wants_json(call) ? report(call, engine, &living) : CLI_DONE;
	else if (engine->down(force, command_wants_json(call) ? show_nothing : show_progress, why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	else
		status = report(call, engine, &living);
	strv_free(&living);
	return status;
}

static const struct command_option options[] = {
	{ "yes", 'y', NULL, NULL, "also while containers depend on it" },
	{ "force", 0, NULL, NULL,
	  "also while a call does not end: from then on containers are told the host's PIDs" },
	{ "dry-run", 0, NULL, NULL, "stop nothing: say whether it would be refused" },
	{ .name = NULL },
};

const struct command command_down = {
	.name = "down", .options = { options }, .run = run_down,
	.what = "stop: let calls in flight end, then leave the driver alone",
};
