// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu: its commands, gathered.
 */
#include <signal.h>
#include <stdlib.h>

#include "cli/applets.h"
#include "cli/command/command.h"
#include "cli/doctor/doctor.h"
#include "cli/engine/engine.h"
#include "cli/nvidia/nvidia.h"
#include "cli/view/top/top.h"
#include "cli/view/view.h"
#include "lib/fds.h"
#include "lib/host.h"

static const struct command *const commands[] = {
	&command_up, &command_down, &command_run, &command_agent, &command_runtime,
	&command_container, &command_configure, &command_cdi, &command_node,
	&command_metrics, &command_status, &command_why, &command_doctor, &command_ps,
	&command_top, &command_usage, &command_controls, &command_help, &command_complete,
	&command_version, NULL
};

static const struct program mpu = {
	.top = {
		.name = "mpu", .commands = commands,
		.what = "Containers see their own GPU processes, by their own PIDs.",
	},
	.version = "mpu " MPU_VERSION,
	.usage_status = CLI_USAGE,
};

int main(int argc, char **argv)
{
	const char *root = getenv("MPU_ROOT");
	int (*other)(char **words) = argc ? names_find(argv[0]) : NULL;

	fd_open_standard();
	/* A parent that ignores it hands that on over exec: no child could be waited for. */
	signal(SIGCHLD, SIG_DFL);
	if (other)
		return other(argv);
	if (root)
		host_set_root(root);
	return program_run(&mpu, argv, NULL);
}
