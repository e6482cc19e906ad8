// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-ctk: its tree of commands.
 */
#include <string.h>

#include "cli/command/help.h"
#include "cli/nvidia/commands.h"

static const struct command_option options[] = {
	{ "debug", 'd', NULL, "NVIDIA_CTK_DEBUG", "taken and not used" },
	{ "quiet", 'q', NULL, "NVIDIA_CTK_QUIET", "taken and not used" },
	{ "config", 0, "FILE", "NVIDIA_CTK_CONFIG",
	  "config.toml, by which cdi generate finds the driver's root" },
	{ .name = NULL },
};

static const struct command *const commands[] = {
	&command_cdi, &ctk_config, &ctk_runtime, &ctk_system,
	COMMAND(.name = "info", .run = help_print, .what = "have its help, and nothing else"),
	NULL
};

static const struct program nvidia_ctk = {
	.top = {
		.name = "nvidia-ctk", .options = { options }, .commands = commands,
		.what = "Set up what gives GPUs to containers",
	},
	.style = PROGRAM_GO,
	.version = "NVIDIA Container Toolkit CLI version " NVIDIA_VERSION "\ncommit: mpu " MPU_VERSION,
	.usage_status = CLI_FAILED,
	.helps = true,
};

int nvidia_ctk_main(char **words)
{
	if (words[0] && words[1] && !strcmp(words[1], "hook"))
		return cdi_hook_main(words + 1);
	return program_main(&nvidia_ctk, words);
}
