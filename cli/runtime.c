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

#include "cli/cli.h"
#include "cli/runtime.h"
#include "container/oci/runtime.h"
#include "engines/engine.h"
#include "engines/notify/agent_client.h"
#include "engines/notify/agent_message.h"

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

/*
 * Is there somebody to take the listener of a container? There need not be
 * where another engine is in front of every container: then @path becomes NULL.
 */
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

static void say(const struct oci_runtime *runtime, const char *level,
		const char *text)
{
	fprintf(stderr, "%s: %s\n", runtime->name, text);
	oci_runtime_log(runtime, level, text);
}

static int run_as(const char *name, char **words)
{
	static char *const standard[] = { "runc", "crun", NULL };
	const struct words candidates = { (char **)standard, 2 };
	const char *listener = agent_path(name);
	struct oci_runtime runtime;
	char why[WHY_SIZE];
	int ret = oci_runtime_read(&runtime, words, why);

	runtime.name = name;
	if (!ret)
		ret = oci_runtime_locate(&runtime, &candidates, why);
	if (!ret && listener && oci_runtime_creates(&runtime))
		ret = check_agent(&listener, why);
	if (!ret)
		ret = oci_runtime_prepare(&runtime, listener, NULL, why);
	if (ret > 0)
		say(&runtime, "warning", why);
	if (ret >= 0)
		oci_runtime_exec(&runtime, why);
	say(&runtime, "error", why);
	return CLI_FAILED;
}

int runtime_main(char **words)
{
	const char *slash = strrchr(words[0], '/');

	return run_as(slash ? slash + 1 : words[0], words);
}

enum cli_exit cmd_runtime(const struct cli *cli)
{
	if (!cli->words || !cli->words[0])
		return cli_fail(cli, CLI_USAGE,
				"no command line of a runtime given; see 'mpu help runtime'");
	/* In front of its words stands the command itself. */
	return (enum cli_exit)run_as(OCI_RUNTIME_NAME, cli->words - 1);
}
