/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvidia-container-runtime-hook: what a runtime calls before a container starts.
 */
#ifndef MPU_CLI_NVIDIA_NVIDIA_HOOK_H
#define MPU_CLI_NVIDIA_NVIDIA_HOOK_H

/** nvidia_hook_main() - @words: as main() has them. Return: an exit status. */
int nvidia_hook_main(char **words);

#endif /* MPU_CLI_NVIDIA_NVIDIA_HOOK_H */
