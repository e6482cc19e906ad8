/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvidia-ctk: NVIDIA's command for what belongs to containers.
 */
#ifndef MPU_CLI_NVIDIA_CTK_H
#define MPU_CLI_NVIDIA_CTK_H

/** nvidia_ctk_main() - @words: as main() has them. Return: an exit status. */
int nvidia_ctk_main(char **words);

#endif /* MPU_CLI_NVIDIA_CTK_H */
