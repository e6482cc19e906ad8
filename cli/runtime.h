/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu-runtime: an OCI runtime in front of another one.
 */
#ifndef MPU_CLI_RUNTIME_H
#define MPU_CLI_RUNTIME_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** runtime_is_called() - were we called by the runtime's name? */
bool runtime_is_called(const char *argv0);

/**
 * runtime_main() - the runtime's own command line
 *
 * Return: an exit status, if the other runtime cannot be called.
 */
int runtime_main(int argc, char **argv);

/**
 * runtime_find() - which runtime do we stand in front of?
 * @path:	receives it
 * @why:	receives a sentence if there is none
 *
 * MPU_RUNTIME, or the line in /etc/mpu/runtime, or runc or crun in PATH that
 * is not us.
 */
int runtime_find(char path[PATH_MAX], char *why, size_t size);

/** runtime_has_flag() - do it and the kernel know OCI_FLAG? */
bool runtime_has_flag(const char *path);

#endif /* MPU_CLI_RUNTIME_H */
