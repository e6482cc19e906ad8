// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu runtime, and mpu by the name of mpu-runtime: an OCI runtime in front of
 * another one. Its containers are supervised, unless another engine is up.
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

static const char *agent_path(void)
{
	const char *path = getenv("MPU_AGENT");

	return path && *path ? path : AGENT_SOCKET;
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
	fprintf(stderr, OCI_RUNTIME_NAME ": %s\n", text);
	oci_runtime_log(runtime, level, text);
}

int runtime_main(char **words)
{
	const char *listener = agent_path();
	struct oci_runtime runtime;
	char why[WHY_SIZE];
	int ret = oci_runtime_read(&runtime, words, why);

	if (!ret)
		ret = oci_runtime_locate(&runtime, why);
	if (!ret && oci_runtime_creates(&runtime))
		ret = check_agent(&listener, why);
	if (!ret)
		ret = oci_runtime_prepare(&runtime, listener, why);
	if (ret > 0)
		say(&runtime, "warning", why);
	if (ret >= 0)
		oci_runtime_exec(&runtime, why);
	say(&runtime, "error", why);
	return CLI_FAILED;
}

enum cli_exit cmd_runtime(const struct cli *cli)
{
	if (!cli->words || !cli->words[0])
		return cli_fail(cli, CLI_USAGE,
				"no command line of a runtime given; see 'mpu help runtime'");
	/* In front of its words stands the command itself. */
	return (enum cli_exit)runtime_main(cli->words - 1);
}
