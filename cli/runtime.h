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
 * MPU_RUNTIME, or the first line in /etc/mpu/runtime that is neither empty nor
 * a comment, or runc or crun in PATH that
 * is not us.
 */
int runtime_find(char path[PATH_MAX], char *why, size_t size);

/**
 * struct runtime_knows - what a runtime says it can do
 * @notify:	the action to notify; one that does not say is taken to know it
 * @flag:	OCI_FLAG, and the kernel knows it, too
 */
struct runtime_knows {
	bool notify;
	bool flag;
};

/** runtime_examine() - ask it */
void runtime_examine(const char *path, struct runtime_knows *knows);

/**
 * runtime_bundle() - where is the bundle of a container?
 * @state:	command line of the runtime that describes it
 * @path:	receives the folder
 *
 * Return: false if that cannot be told: there is no such container, say.
 */
bool runtime_bundle(char *const *state, char path[PATH_MAX]);

#endif /* MPU_CLI_RUNTIME_H */
