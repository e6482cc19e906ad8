// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu agent: the daemon of engine notify, in the foreground.
 */
#include "cli/cli.h"
#include "engines/notify/agent.h"
#include "engines/notify/agent_message.h"

enum cli_exit cmd_agent(const struct cli *cli)
{
	const char *socket = cli->option[OPT_SOCKET];
	const struct keeper_options options = {
		.cpu_percent = cli_cpu_percent(cli),
		.pass_unknown = cli_passes_unknown(cli),
	};
	enum cli_exit status = cli_need_host(cli);
	char why[WHY_SIZE];

	if (!status && agent_run(socket ? socket : AGENT_SOCKET, &options, why))
		status = cli_fail(cli, CLI_FAILED, "%s", why);
	return status;
}
