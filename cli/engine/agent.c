// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu agent: the daemon of engine notify, in the foreground.
 */
#include "cli/engine/commands.h"
#include "cli/engine/options.h"
#include "engines/notify/notify.h"

static int run_agent(const struct command_call *call)
{
	const char *socket = command_value(call, "socket");
	struct monitor_options options;
	int status = read_monitor_options(call, &options);
	char why[WHY_SIZE];

	if (!status && agent_run(socket ? socket : AGENT_SOCKET, &options, why))
		status = command_fail(call, CLI_FAILED, "%s", why);
	return status;
}

static const struct command_option options[] = {
	{ "socket", 's', "FILE", NULL, "socket for runtimes to connect to (default: " AGENT_SOCKET ")" },
	{ .name = NULL },
};

const struct command command_agent = {
	.name = "agent", .options = { options, cpu_option, unknown_option },
	.run = run_agent, .flags = COMMAND_STARTS,
	.what = "supervise containers whose OCI runtime asks for it",
};
