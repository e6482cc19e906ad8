// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-ctk: its tree of commands.
 */
#include <string.h>

#include "cli/nvidia/cdi.h"
#include "cli/nvidia/cdi_hook.h"
#include "cli/nvidia/configure.h"
#include "cli/nvidia/nvidia_ctk.h"
#include "cli/nvidia/nvidia_system.h"

static const struct tool_option options[] = {
	{ "debug", 'd', NULL, "NVIDIA_CTK_DEBUG", "taken and not used" },
	{ "quiet", 'q', NULL, "NVIDIA_CTK_QUIET", "taken and not used" },
	{ .name = NULL },
};

static const struct tool_command commands[] = {
	{ "cdi", NULL, NULL, cdi_commands, NULL,
	  "documents by which engines know devices" },
	{ "config", NULL, config_options, config_commands, config_run,
	  "show config.toml, or edit it" },
	{ "runtime", NULL, NULL, configure_commands, NULL,
	  "container engines and their runtimes" },
	{ "system", NULL, NULL, system_commands, NULL, "device nodes" },
	{ .name = NULL },
};

static const struct tool nvidia_ctk = {
	.top = { "nvidia-ctk", NULL, options, commands, NULL,
		 "Set up what gives GPUs to containers" },
	.style = TOOL_GO,
	.version = "NVIDIA Container Toolkit CLI version " MPU_VERSION " (mpu)",
	.usage_status = CLI_FAILED,
};

int nvidia_ctk_main(char **words)
{
	if (words[0] && words[1] && !strcmp(words[1], "hook"))
		return cdi_hook_main(words + 1);
	return tool_main(&nvidia_ctk, words);
}
