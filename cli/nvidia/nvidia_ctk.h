/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvidia-ctk: NVIDIA's command for what belongs to containers.
 */
#ifndef MPU_CLI_NVIDIA_NVIDIA_CTK_H
#define MPU_CLI_NVIDIA_NVIDIA_CTK_H

#include "cli/tool.h"

/* nvidia-ctk config; these end with a NULL name. */
extern const struct tool_option config_options[];
extern const struct tool_command config_commands[];

/** config_run() - without a command. Return: an exit status. */
int config_run(const struct tool_call *call);

/** nvidia_ctk_main() - @words: as main() has them. Return: an exit status. */
int nvidia_ctk_main(char **words);

#endif /* MPU_CLI_NVIDIA_NVIDIA_CTK_H */
