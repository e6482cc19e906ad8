/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvidia-cdi-hook: what CDI documents have a container's runtime run.
 */
#ifndef MPU_CLI_NVIDIA_CDI_HOOK_H
#define MPU_CLI_NVIDIA_CDI_HOOK_H

/**
 * cdi_hook_main() - @words: as main() has them; also those of "nvidia-ctk hook",
 * from "hook" on. Return: an exit status.
 */
int cdi_hook_main(char **words);

#endif /* MPU_CLI_NVIDIA_CDI_HOOK_H */
