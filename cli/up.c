// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu up: start an engine.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/engine.h"
#include "lib/host.h"

/* The one the user named, or the first that this host allows. */
static const struct engine *choose(const char *name, bool has_file, char *why)
{
	char one[ENGINE_WHY], todo[ENGINE_WHY];
	size_t i;

	if (name && strcmp(name, "auto"))
		return engine_find(name);
	why[0] = '\0';
	for (i = 0; engines[i]; i++) {
		size_t len = strlen(why);

		/* A module of the user's own need not be installed. */
		if (has_file && engines[i] == &engine_module)
			return engines[i];
		if (engines[i]->available(one, todo))
			return engines[i];
		snprintf(why + len, ENGINE_WHY - len, "%sengine %s: %.200s; %.200s",
			 len ? ". " : "", engines[i]->name, one, todo);
	}
	return NULL;
}

static void report(const struct cli *cli, const struct engine *engine,
		   bool already)
{
	struct json_object *answer = json_object_new_object();
	const char *driver, *version;

	json_add(answer, "engine", engine->name);
	json_object_object_add(answer, "already",
			       json_object_new_boolean(already));
	engine->status(answer, false);
	if (cli->json) {
		cli_print_json(answer);
		return;
	}
	if (!engine->everywhere) {
		printf("%s: engine %s, for containers of mpu runtime\n",
		       already ? "already up" : "up", engine->name);
		json_object_put(answer);
		return;
	}
	driver = json_text(answer, "driver");
	version = json_text(answer, "driver_version");
	printf("%s: engine %s, ", already ? "already up" : "up", engine->name);
	if (driver)
		printf("attached to %s%s%s\n", driver, version ? " " : "",
		       version ? version : "");
	else
		printf("waiting for the NVIDIA driver\n");
	json_object_put(answer);
}

enum cli_exit cmd_up(const struct cli *cli)
{
	const struct engine *engine = engine_current();
	const char *name = cli->option[OPT_ENGINE];
	const char *file = cli->option[OPT_MODULE];
	char why[ENGINE_WHY];

	if (engine) {
		report(cli, engine, true);
		return CLI_DONE;
	}
	if (host_is_other())
		return cli_fail(cli, CLI_FAILED,
			"MPU_ROOT is set: that is another system's files, nothing can be started there");
	engine = choose(name, file, why);
	if (!engine)
		return cli_fail(cli, CLI_FAILED,
			"%s", why);
	if (geteuid())
		return cli_fail(cli, CLI_FAILED,
			"only root may start MPU: use sudo mpu up");
	if (engine->up(file, why))
		return cli_fail(cli, CLI_FAILED, "%s", why);
	report(cli, engine, false);
	return CLI_DONE;
}
