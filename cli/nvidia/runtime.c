// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu runtime, and mpu by the name of mpu-runtime or nvidia-container-runtime: an
 * OCI runtime in front of another one. Its containers are supervised, unless
 * another engine is up, or only GPUs are wanted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "container/container.h"
#include "container/oci/oci.h"
#include "engines/engines.h"
#include "engines/notify/notify.h"
#include "lib/path.h"

/*
 * NVIDIA's names promise GPUs and no more; who wants both by such a name says so
 * by naming the agent. And who wants GPUs alone by our name says "none".
 * Return: the agent's socket, or NULL: containers are not to be supervised.
 */
static const char *agent_path(const char *name)
{
	const char *path = getenv("MPU_AGENT");

	if (path && *path)
		return strcmp(path, "none") ? path : NULL;
	return strcmp(name, OCI_RUNTIME_NAME) ? NULL : AGENT_SOCKET;
}

/* Is there somebody to take a listener? @path: NULL, where another engine is in front of all */
static int check_agent(const char **path, char why[WHY_SIZE])
{
	const struct engine *engine;
	int sock;

	if (**path != '/')
		return why_fail(why, -EINVAL, "MPU_AGENT says '%s': it must be the absolute path of the agent's socket",
				*path);
	sock = agent_connect(*path);
	if (sock >= 0)
		return close(sock);
	engine = engine_current();
	if (engine && engine->everywhere) {
		*path = NULL;
		return 0;
	}
	if (sock == -EACCES || sock == -EPERM)
		return why_fail(why, sock, "this user may not connect to the agent at %s: start the container as root, or an agent of this user's, and name its socket in MPU_AGENT",
				*path);
	if (sock == -EAGAIN)
		return why_fail(why, sock, "the agent at %s does not answer: see 'mpu status'",
				*path);
	return why_fail(why, sock, "no agent listens at %s: start it with 'systemctl start mpu-agent.socket', or 'mpu agent'",
			*path);
}

/* Reads config.toml, which matters to containers that are made, and to no other. */
static int read_settings(struct oci_runtime *runtime, struct settings *settings, char why[WHY_SIZE])
{
	static char *const standard[] = { "runc", "crun", NULL };
	const struct strv usual = { (char **)standard, 2 };
	int ret = settings_read(settings, NULL, SETTINGS_RUNTIME, why);
	char *warning;

	if (!ret && !runtime->version) {
		runtime->logs = strcmp(settings->runtime.debug, "/dev/null") ?
				settings->runtime.debug : NULL;
		runtime->level = settings->runtime.log_level;
		warning = oci_runtime_creates(runtime) ? settings_warn(settings) : NULL;
		if (warning)
			oci_runtime_log(runtime, "warning", warning);
		free(warning);
	}
	if (ret && oci_runtime_creates(runtime))
		return ret;
	return oci_runtime_locate(runtime, ret ? &usual : &settings->runtime.runtimes, why);
}

static int run_as(const char *name, char **words)
{
	const char *listener = agent_path(name);
	struct settings settings = { 0 };
	struct oci_runtime runtime;
	char why[WHY_SIZE];
	bool creates;
	int ret = oci_runtime_read(&runtime, words, why);

	runtime.name = name;
	creates = oci_runtime_creates(&runtime);
	if (!ret)
		ret = read_settings(&runtime, &settings, why);
	/*
	 * Engines look for a line of the runtime behind, which follows. NVIDIA's wrapper
	 * says so much of itself, and set-ups test for it.
	 */
	if (!ret && runtime.version && strcmp(name, OCI_RUNTIME_NAME)) {
		puts("NVIDIA Container Runtime version " NVIDIA_VERSION
		     "\ncommit: mpu " MPU_VERSION "\nspec: 1.3.0\n");
		fflush(stdout);
	}
	if (!ret && listener && creates)
		ret = check_agent(&listener, why);
	if (!ret && creates)
		ret = oci_runtime_create(&runtime, &settings, listener, why);
	else if (!ret && listener && oci_runtime_moves(&runtime))
		ret = oci_runtime_check_move(&runtime, listener, why);
	else if (!ret && oci_runtime_deletes(&runtime))
		oci_runtime_clean(&runtime);
	if (ret > 0) {
		fprintf(stderr, "%s: %s\n", name, why);
		oci_runtime_log(&runtime, "warning", why);
	}
	if (ret >= 0)
		oci_runtime_exec(&runtime, why);
	fprintf(stderr, "%s: %s\n", name, why);
	oci_runtime_log(&runtime, "error", why);
	settings_free(&settings);
	return CLI_FAILED;
}

int runtime_main(char **words)
{
	return run_as(path_name(words[0]), words);
}

static int run_runtime(const struct command_call *call)
{
	char name[] = "runtime";

	call->words[-1] = name;	/* in place of an option, or of the command */
	return run_as(OCI_RUNTIME_NAME, call->words - 1);
}

const struct command command_runtime = {
	.name = "runtime", .argument = "ARGUMENT...", .run = run_runtime,
	.flags = COMMAND_STARTS | COMMAND_RUNS,
	.what = "OCI runtime wrapper: supervise containers and give them GPUs",
};
