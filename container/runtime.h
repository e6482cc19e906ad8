/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu-runtime: an OCI runtime in front of another one.
 */
#ifndef MPU_CONTAINER_RUNTIME_H
#define MPU_CONTAINER_RUNTIME_H

#include <stdbool.h>

#include "container/oci/config_file.h"
#include "lib/words.h"

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
 * @fd:		that file; -1: it was not found yet
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
	int fd;
	const char *logs;
	const char *level;
};

/**
 * oci_runtime_read() - read a command line of runc or crun
 *
 * Of it is understood what it takes to find the bundle, and where errors are
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

/**
 * oci_runtime_locate() - find the runtime behind this one
 * @candidates:	names, or paths, of which the first is taken that is there
 *
 * MPU_RUNTIME, or the first line in /etc/mpu/runtime that is neither empty nor
 * a comment, or one of @candidates in PATH that is not mpu.
 *
 * Return: 0, or negative errno and a sentence in @why. -ELOOP: that runtime has
 * called mpu-runtime, again and again. @runtime->fd is the caller's to close.
 */
int oci_runtime_locate(struct oci_runtime *runtime,
		       const struct words *candidates, char why[WHY_SIZE]);

/** oci_runtime_is_program() - can it be a runtime? */
bool oci_runtime_is_program(const char *path);

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

/**
 * oci_runtime_prepare() - do what comes before the runtime is called: edit the
 * configuration of a container that is to be made, refuse to checkpoint or
 * restore one that is supervised, remove mount points of one that is to be deleted
 * @listener:	of the agent; NULL: do not supervise
 * @injection:	what else is edited; NULL: nothing
 *
 * Return: 0; or negative errno and a sentence in @why; or above 0 and a
 * sentence why the container will not be supervised.
 */
int oci_runtime_prepare(const struct oci_runtime *runtime,
			const char *listener, const struct oci_editor *injection,
			char why[WHY_SIZE]);

/**
 * oci_runtime_words() - the words that the runtime is called with
 * @words:	own ones; NULL ends them
 *
 * Return: the caller's to free; NULL: no memory.
 */
char **oci_runtime_words(char **words, const char *path);

/**
 * oci_runtime_exec() - become the runtime
 *
 * Return: negative errno and a sentence in @why.
 */
int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE]);

/**
 * oci_runtime_log() - log a sentence where the command line says, as runc does
 * it: whoever called shows the last error that is found there
 * @level:	"error", "warning", "info" or "debug"
 */
void oci_runtime_log(const struct oci_runtime *runtime, const char *level,
		     const char *text);

/**
 * struct oci_features - what a runtime says it can do
 * @notify:	the action to notify; one that does not say is taken to know it
 * @flag:	OCI_FLAG, and the kernel knows it, too
 */
struct oci_features {
	bool notify;
	bool flag;
};

/** oci_runtime_examine() - ask a runtime for its features */
void oci_runtime_examine(const char *path, struct oci_features *features);

/**
 * struct oci_state - what a runtime says of a container
 * @bundle:	its folder
 * @stopped:	its process has ended
 */
struct oci_state {
	char bundle[PATH_MAX];
	bool stopped;
};

/**
 * oci_runtime_state() - ask a runtime for a container's state
 * @words:	command line of the runtime that describes it
 *
 * Return: false if that cannot be told: there is no such container, say.
 */
bool oci_runtime_state(const char *const *words, struct oci_state *state);

#endif /* MPU_CONTAINER_RUNTIME_H */
