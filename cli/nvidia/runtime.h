/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu as an OCI runtime.
 */
#ifndef MPU_CLI_NVIDIA_RUNTIME_H
#define MPU_CLI_NVIDIA_RUNTIME_H

/**
 * runtime_main() - the runtime's own command line
 * @words:	as main() has them; NULL ends them
 *
 * Return: an exit status, if the runtime behind cannot be called.
 */
int runtime_main(char **words);

#endif /* MPU_CLI_NVIDIA_RUNTIME_H */
