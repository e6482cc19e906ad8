/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of an OCI runtime.
 */
#ifndef MPU_CONTAINER_OCI_RUNTIME_ARGS_H
#define MPU_CONTAINER_OCI_RUNTIME_ARGS_H

#include <limits.h>
#include <stdbool.h>

#include "lib/why.h"

#define OCI_RUNTIME_NAME "mpu-runtime"

/**
 * struct oci_runtime - a command line, and the runtime that it is for
 * @name:	what this one was called as
 * @words:	the command line; NULL ends it
 * @command:	the sub-command, "" if there is none
 * @at:		its index in @words
 * @id:		the container's, NULL if none is named
 * @log:	where errors are to be logged, NULL: nowhere
 * @log_json:	as JSON
 * @debug:	everything is to be logged
 * @version:	the version is asked for
 * @asks:	that, or help: nothing is to be done
 * @guessed:	there was an option that is not known here
 * @bundle:	NULL: not named
 * @config:	NULL: not named
 * @path:	the runtime behind this one
 * @logs:	a second file for what is logged, NULL: none
 * @level:	"info": what of it; NULL: the same
 */
struct oci_runtime {
	const char *name;
	char **words;
	const char *command;
	int at;
	const char *id;
	const char *log;
	bool log_json, debug, version, asks, guessed;
	const char *bundle;
	const char *config;
	char path[PATH_MAX];
	const char *logs;
	const char *level;
};

/**
 * oci_runtime_read() - read a command line of runc or crun
 *
 * It is understood as far as it takes to find the bundle, and where errors are
 * to be logged; that, as far as it was read, also where the rest is refused.
 * An option that is not known is taken for one without a value; if what follows
 * it is no sub-command then, oci_runtime_guess() says which it is.
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int oci_runtime_read(struct oci_runtime *runtime, char **words,
		     char why[WHY_SIZE]);

/**
 * oci_runtime_guess() - find sub-command and bundle as NVIDIA's wrapper does: any
 * word "create", and the last bundle, wherever they stand
 */
void oci_runtime_guess(struct oci_runtime *runtime, char **words);

/** oci_runtime_creates() - does the command line make a container? */
bool oci_runtime_creates(const struct oci_runtime *runtime);

/** oci_runtime_deletes() - does it delete one? */
bool oci_runtime_deletes(const struct oci_runtime *runtime);

/** oci_runtime_moves() - does it checkpoint or restore one? */
bool oci_runtime_moves(const struct oci_runtime *runtime);

/**
 * oci_runtime_config() - the path of a container's configuration
 * @bundle:	NULL or "": the working folder
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_runtime_config(const struct oci_runtime *runtime, const char *bundle,
		       char path[PATH_MAX], char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_OCI_RUNTIME_ARGS_H */
