/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands of mpu that give GPUs to containers, and the programs by NVIDIA's names.
 */
#ifndef MPU_CLI_NVIDIA_COMMANDS_H
#define MPU_CLI_NVIDIA_COMMANDS_H

#include "cli/command/command.h"

/* The release of NVIDIA's toolkit that ours was compared with: scripts ask for one. */
#define NVIDIA_VERSION "1.20.0"

extern const struct command command_cdi, command_configure, command_container,
	command_runtime;

/* nvidia-ctk has these beside command_cdi. */
extern const struct command ctk_config, ctk_runtime, ctk_system;

/*
 * Programs, called with the words that main() has. Return: an exit status.
 * cdi_hook_main() takes those of "nvidia-ctk hook", from "hook" on, too.
 */
int cdi_hook_main(char **words);
int container_cli_main(char **words);
int nvidia_ctk_main(char **words);
int nvidia_hook_main(char **words);
int runtime_main(char **words);

#endif /* MPU_CLI_NVIDIA_COMMANDS_H */
