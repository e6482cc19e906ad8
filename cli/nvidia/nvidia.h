/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands of mpu that give GPUs to containers, and the programs by NVIDIA's names.
 */
#ifndef MPU_CLI_NVIDIA_NVIDIA_H
#define MPU_CLI_NVIDIA_NVIDIA_H

#include "cli/command/command.h"

extern const struct command command_cdi, command_configure, command_container,
	command_runtime;

/* Programs, called with the words that main() has. Return: an exit status. */
int cdi_hook_main(char **words);
int container_cli_main(char **words);
int nvidia_ctk_main(char **words);
int nvidia_hook_main(char **words);
int runtime_main(char **words);

#endif /* MPU_CLI_NVIDIA_NVIDIA_H */
