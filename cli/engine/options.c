// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options that several commands of engines have: see options.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/engine/options.h"
#include "engines/notify/notify.h"
#include "lib/host.h"

const struct command_option unknown_option[] = {
	{ "unknown", 'u', "refuse|pass", NULL,
	  "what to do with a known control in an unknown layout (default: refuse)" },
	{ .name = NULL },
};

const struct command_option cpu_option[] = {
	{ "cpu", 'c', "25|50|100", NULL,
	  "percent of a CPU that one container may take (default: 50)" },
	{ .name = NULL },
};

int read_monitor_options(const struct command_call *call, struct monitor_options *options)
{
	const char *unknown = command_value(call, "unknown");
	const char *percent = command_value(call, "cpu");

	*options = (struct monitor_options){
		.cpu_percent = percent ? (unsigned int)atoi(percent) : BUDGET_PERCENT,
		.pass_unknown = unknown && !strcmp(unknown, "pass"),
	};
	if (access("/proc/self/ns/pid", F_OK))
		return command_fail(call, CLI_FAILED, "/proc is not mounted: mount it first");
	if (!host_is_initial())
		return command_fail(call, CLI_FAILED,
			"this is inside of a container: drivers that name processes by the host's PIDs can be translated on the host only");
	return CLI_DONE;
}
