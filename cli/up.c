// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu up: start an engine.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "engines/engine.h"
#include "lib/host.h"

/* Options that only one engine understands. */
static const struct {
	enum cli_option option;
	const char *engine;
} own_options[] = {
	{ OPT_MODULE, "module" }, { OPT_HOOK, "bpf" },
};

/*
 * The engine that an option belongs to is the one that is meant. Return: its
 * name, NULL if the user leaves the choice to us; @stray: an option that does
 * not fit.
 */
static const char *named_engine(const struct cli *cli, const char **stray)
{
	const char *name = cli->option[OPT_ENGINE];
	size_t i;

	*stray = NULL;
	if (name && !strcmp(name, "auto"))
		name = NULL;
	/* That is for who starts the agent to say: mpu agent --unknown. */
	if (name && !strcmp(name, "notify") && cli->option[OPT_UNKNOWN])
		*stray = cli_options[OPT_UNKNOWN].name;
	for (i = 0; i < sizeof(own_options) / sizeof(own_options[0]); i++) {
		if (!cli->option[own_options[i].option])
			continue;
		if (!name)
			name = own_options[i].engine;
		else if (strcmp(name, own_options[i].engine))
			*stray = cli_options[own_options[i].option].name;
	}
	return name;
}

static void note(struct json_object *passed, const struct engine *engine,
		 const char *why)
{
	struct json_object *one = json_object_new_object();

	json_add(one, "engine", engine->name);
	json_add(one, "why", why);
	json_object_array_add(passed, one);
}

/*
 * The first that starts, in order of preference. @passed takes the others that
 * were tried, and why they did not.
 */
static const struct engine *start_any(const struct engine_wish *wish,
				      struct json_object *passed)
{
	char why[ENGINE_WHY], todo[ENGINE_WHY];
	size_t i;

	for (i = 0; engines[i]; i++) {
		if (engines[i]->available(why, todo) &&
		    !engines[i]->up(wish, why))
			return engines[i];
		note(passed, engines[i], why);
	}
	return NULL;
}

static void print_passed(struct json_object *passed)
{
	size_t i;

	for (i = 0; i < json_object_array_length(passed); i++) {
		struct json_object *one = json_object_array_get_idx(passed, i);

		fprintf(stderr, "mpu: not engine %s: %s\n",
			json_text(one, "engine"), json_text(one, "why"));
	}
}

/* Where it is in front of the driver. */
static void print_place(const struct engine *engine, struct json_object *answer)
{
	const char *driver = json_text(answer, "driver");
	const char *version = json_text(answer, "driver_version");

	if (!engine->everywhere)
		printf("for containers of mpu runtime\n");
	else if (driver)
		printf("attached to %s%s%s\n", driver, version ? " " : "",
		       version ? version : "");
	else
		printf("waiting for the NVIDIA driver\n");
}

/* Consumes @passed. Return: does it say of itself that it is off? */
static enum cli_exit report(const struct cli *cli, const struct engine *engine,
		   bool already, struct json_object *passed)
{
	struct json_object *answer = json_object_new_object();
	enum cli_exit status = CLI_DONE;
	const char *hook;

	json_add(answer, "engine", engine->name);
	json_object_object_add(answer, "already",
			       json_object_new_boolean(already));
	engine->status(answer, false);
	hook = json_text(answer, "hook");
	if (hook && !strcmp(hook, "off")) {
		status = cli_fail(cli, CLI_FAILED,
			"engine %s is up, but off: %s", engine->name,
			json_text(answer, "hook_why"));
	} else if (cli->json) {
		json_object_object_add(answer, "passed_over",
				       json_object_get(passed));
		cli_print_json(json_object_get(answer));
	} else {
		print_passed(passed);
		printf("%s: engine %s, ", already ? "already up" : "up",
		       engine->name);
		print_place(engine, answer);
	}
	json_object_put(passed);
	json_object_put(answer);
	return status;
}

/* Nothing was up, and nothing could be started. Consumes @passed. */
static enum cli_exit fail_all(const struct cli *cli, struct json_object *passed)
{
	char text[ENGINE_WHY * 4] = "";
	size_t i;

	for (i = 0; i < json_object_array_length(passed); i++) {
		struct json_object *one = json_object_array_get_idx(passed, i);
		size_t len = strlen(text);

		snprintf(text + len, sizeof(text) - len, "%sengine %s: %s",
			 len ? ". " : "", json_text(one, "engine"),
			 json_text(one, "why"));
	}
	json_object_put(passed);
	return cli_fail(cli, CLI_FAILED, "%s; 'mpu doctor' says what to do",
			text);
}

static enum cli_exit start_named(const struct cli *cli, const char *name,
				 const struct engine_wish *wish)
{
	const struct engine *engine = engine_find(name);
	char why[ENGINE_WHY], todo[ENGINE_WHY];

	if (!engine)
		return cli_fail(cli, CLI_FAILED,
			"this mpu was built without engine %s: clang, bpftool and libbpf were not there",
			name);
	/* A module of the user's own need not be installed. */
	if (!wish->file && !engine->available(why, todo))
		return cli_fail(cli, CLI_FAILED, "engine %s: %s; %s", name,
				why, todo);
	if (engine->up(wish, why))
		return cli_fail(cli, CLI_FAILED, "%s", why);
	return report(cli, engine, false, json_object_new_array());
}

enum cli_exit cmd_up(const struct cli *cli)
{
	const struct engine_wish wish = {
		.file = cli->option[OPT_MODULE], .hook = cli->option[OPT_HOOK],
		.unknown = cli->option[OPT_UNKNOWN],
	};
	const struct engine *engine = engine_current();
	struct json_object *passed;
	const char *stray, *name = named_engine(cli, &stray);

	if (stray)
		return cli_fail(cli, CLI_USAGE,
			"--%s is not for engine %s", stray, name);
	if (engine && !engine_remains(engine))
		return report(cli, engine, true, json_object_new_array());
	if (host_is_other())
		return cli_fail(cli, CLI_FAILED,
			"MPU_ROOT is set: that is another system's files, nothing can be started there");
	if (geteuid())
		return cli_fail(cli, CLI_FAILED,
			"only root may start MPU: use sudo mpu up");
	if (name || engine)
		return start_named(cli, engine ? engine->name : name, &wish);
	passed = json_object_new_array();
	engine = start_any(&wish, passed);
	if (!engine)
		return fail_all(cli, passed);
	return report(cli, engine, false, passed);
}
