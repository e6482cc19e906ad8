// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses GPU processes by a command line: see process_filter.h.
 */
#include <limits.h>
#include <stdlib.h>

#include "cli/view/process_filter.h"

const struct command_option process_filter_options[] = {
	{ "gpu", 'g', "GPU", NULL, "only this GPU: its number, PCI address or UUID" },
	{ "container", 'C', "NAME", NULL,
	  "only this container: its name, or how its id begins" },
	{ "pod", 'P', "NAME", NULL, "only this pod: NAME, or NAMESPACE/NAME" },
	{ "namespace", 'n', "NAME", NULL, "only pods of this namespace" },
	{ "user", 'U', "NAME", NULL, "only processes of this user: name or number" },
	{ "pid", 'p', "PID", NULL, "only this process, by its PID on the host" },
	{ .name = NULL },
};

enum cli_exit filter_read(const struct command_call *call, struct usage_filter *filter)
{
	const char *pid = command_value(call, "pid");
	char *end;
	long number;

	*filter = (struct usage_filter){
		.gpu = command_value(call, "gpu"),
		.container = command_value(call, "container"),
		.pod = command_value(call, "pod"),
		.namespace = command_value(call, "namespace"),
		.user = command_value(call, "user"),
	};
	if (!pid)
		return CLI_DONE;
	number = strtol(pid, &end, 10);
	if (*end || number <= 0 || number > INT_MAX)
		return command_fail_usage(call, "invalid value '%s' for --pid: use a number from 1 on",
					  pid);
	filter->pid = (pid_t)number;
	return CLI_DONE;
}

enum cli_exit filter_check(const struct command_call *call, const struct usage_filter *filter,
			   const struct usage *usage)
{
	size_t gpu;

	if (!filter->gpu)
		return CLI_DONE;
	for (gpu = 0; gpu < usage->n_gpus; gpu++)
		if (usage_is_gpu(usage, gpu, filter->gpu))
			return CLI_DONE;
	return command_fail(call, CLI_FAILED,
		"--gpu %s: there is no such GPU here; 'mpu ps --by gpu' lists them",
		filter->gpu);
}
