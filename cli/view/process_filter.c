// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which GPU processes a command line means: see filter.h.
 */
#include <limits.h>
#include <stdlib.h>

#include "cli/view/process_filter.h"

enum cli_exit filter_read(const struct cli *cli, struct usage_filter *filter)
{
	const char *pid = cli->option[OPT_PID];
	char *end;
	long number;

	*filter = (struct usage_filter){
		.gpu = cli->option[OPT_GPU],
		.container = cli->option[OPT_CONTAINER],
		.pod = cli->option[OPT_POD],
		.namespace = cli->option[OPT_NAMESPACE],
		.user = cli->option[OPT_USER],
	};
	if (!pid)
		return CLI_DONE;
	number = strtol(pid, &end, 10);
	if (*end || number <= 0 || number > INT_MAX)
		return cli_fail(cli, CLI_USAGE,
			"--pid %s: that is no PID; give it a number from 1 on", pid);
	filter->pid = (pid_t)number;
	return CLI_DONE;
}

enum cli_exit filter_check(const struct cli *cli, const struct usage_filter *filter,
			   const struct usage *usage)
{
	size_t gpu;

	if (!filter->gpu)
		return CLI_DONE;
	for (gpu = 0; gpu < usage->n_gpus; gpu++)
		if (usage_is_gpu(usage, gpu, filter->gpu))
			return CLI_DONE;
	return cli_fail(cli, CLI_FAILED,
		"--gpu %s: there is no such GPU here; 'mpu ps --by gpu' lists them",
		filter->gpu);
}
