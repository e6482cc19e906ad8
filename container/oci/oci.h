/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.json of an OCI bundle, edited; and the runtime that mpu-runtime stands in front of.
 */
#ifndef MPU_CONTAINER_OCI_OCI_H
#define MPU_CONTAINER_OCI_OCI_H

#include <limits.h>
#include <stdbool.h>

#include "lib/why.h"

struct edit;
struct edits;
struct json_object;
struct places;
struct strv;
struct supervision;

#define OCI_RUNTIME_NAME "mpu-runtime"

/**
 * struct oci_runtime - a command line, and the runtime that it is for; NULL: not named
 * @log_json:	errors are to be logged as JSON; @debug: and everything else, too
 * @version:	the version is asked for; @asks: that, or help: nothing is to be done
 * @guessed:	there was an option that is not known here
 */
struct oci_runtime {
	const char *name;	/* name that this one was called by */
	char **words;		/* NULL ends it */
	const char *command;	/* the sub-command, "" if there is none */
	int at;			/* index of @command in @words */
	const char *id;		/* the container's */
	const char *log;
	bool log_json, debug, version, asks, guessed;
	const char *bundle;
	const char *config;
	char path[PATH_MAX];	/* the runtime behind this one */
	const char *logs;	/* a second file for what is logged */
	const char *level;	/* "info": what of it; NULL: the same */
};

/**
 * oci_runtime_read() - read a command line of runc or crun, as far as it takes to find the
 * bundle, and where errors are to be logged; that, as far as it was read, also where the rest
 * is refused. An option that is not known is taken for one without a value
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int oci_runtime_read(struct oci_runtime *runtime, char **words, char why[WHY_SIZE]);

/* Does the command line make a container? Delete one? Checkpoint or restore one? */
bool oci_runtime_creates(const struct oci_runtime *runtime);
bool oci_runtime_deletes(const struct oci_runtime *runtime);
bool oci_runtime_moves(const struct oci_runtime *runtime);

/**
 * oci_runtime_config() - the path of a configuration; @bundle: NULL or "": the working folder
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_runtime_config(const struct oci_runtime *runtime, const char *bundle,
		       char path[PATH_MAX], char why[WHY_SIZE]);

/**
 * oci_runtime_locate() - find the runtime behind this one: MPU_RUNTIME, or the first line in
 * /etc/mpu/runtime that is neither empty nor a comment, or the first of @candidates that is
 * there: a path, or a name in PATH that is not mpu
 *
 * Return: 0, or negative errno and a sentence in @why. -ELOOP: that runtime has
 * called mpu-runtime, again and again.
 */
int oci_runtime_locate(struct oci_runtime *runtime, const struct strv *candidates,
		       char why[WHY_SIZE]);

/* A container, as its runtime describes it. */
struct oci_state {
	char bundle[PATH_MAX];
	bool stopped;	/* has ended */
};

/**
 * oci_runtime_state() - ask the runtime for the state of the container of the command line
 *
 * Return: false if that cannot be told: there is no such container, say.
 */
bool oci_runtime_state(const struct oci_runtime *runtime, struct oci_state *state);

/**
 * oci_runtime_log() - log a sentence where the command line says: the caller shows the last
 * error there. @level: "error", "warning", "info" or "debug", as runc's
 */
void oci_runtime_log(const struct oci_runtime *runtime, const char *level, const char *text);

/**
 * oci_can_make() - is there a member for an edit?
 *
 * Runtimes make no links, and refuse mounts below /proc. A link becomes a mount of its
 * source; a link without a source is left out. Masks stand in for EDIT_PROC.
 */
bool oci_can_make(const struct edit *edit);

/* Folders where packages of CRI-O have its runtimes. */
#define OCI_CRIO_PATH	"/usr/libexec/crio:/usr/lib/cri-o-runc/sbin"

/**
 * oci_inject() - make the edits; those that oci_can_make() refuses are left out
 * @bundle:	absolute folder of the configuration, for files that the container is to see
 * @places:	of the container, whose root files of its own are written into; NULL: they
 *		are mounted
 *
 * Edits that were made are found and made the same again: the second time nothing changes.
 *
 * Return: 0, or negative errno and a sentence in @why: the configuration may be
 * half edited then.
 */
int oci_inject(struct json_object *config, const struct edits *edits, const char *bundle,
	       struct places *places, char why[WHY_SIZE]);

/** oci_hooks_plan_nvidia() - @path: of the program; @input: what asked for it, may be NULL */
void oci_hooks_plan_nvidia(struct edits *edits, const char *path, const char *input);

/**
 * oci_hooks_add_nvidia() - have NVIDIA's prestart hook called, by an edit of
 * oci_hooks_plan_nvidia(), unless the configuration has one by either of its names
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_hooks_add_nvidia(struct json_object *config, const struct edit *edit, char why[WHY_SIZE]);

/** oci_hooks_has_nvidia() - has a configuration one, as engines' "--gpus" put it there? */
bool oci_hooks_has_nvidia(struct json_object *config);

/** oci_hooks_remove_nvidia() - Return: as oci_hooks_add_nvidia() */
int oci_hooks_remove_nvidia(struct json_object *config, char why[WHY_SIZE]);

/**
 * oci_hooks_find() - where a program is that config.toml names: a path, which is taken as it
 * is; or a name, for PATH and the usual folders
 *
 * Return: 0; -ENOENT, with a path in /usr/bin: it is nowhere; or negative errno.
 */
int oci_hooks_find(const char *name, char path[PATH_MAX]);

/*
 * A runtime, or the hook of mode legacy, makes mount points in a container's root: empty
 * files and folders, and the hook's links. They would stay there, also in an image that is
 * made of the container. So the ones that are missing when the container is made are
 * written down beside config.json, and removed when the container has ended.
 *
 * By then the image may have put anything in their place: only what is found below the
 * root is removed, and only if it is as empty as it was made, or a link with the same
 * target.
 */

/**
 * oci_mount_points_record() - write down which mount points of the edits are missing; those
 * of an earlier container of that bundle and root are used again, and removed with these;
 * those of another root are removed before
 * @places:	of the container
 * @config:	what it mounts is not in the root
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_mount_points_record(const char *bundle, struct places *places,
			    struct json_object *config, const struct edits *edits,
			    char why[WHY_SIZE]);

/**
 * oci_mount_points_remove() - remove what was written down, and that
 *
 * To remove a mount point takes away what any other process has mounted there: as
 * long as the root is the root folder of a process, or a runtime has mounted anything
 * in it for another container, nothing is done.
 *
 * Return: as oci_mount_points_record(); -EBUSY: there is such a process; -EPERM: others
 * could have written what is written down.
 */
int oci_mount_points_remove(const char *bundle, char why[WHY_SIZE]);

/**
 * oci_runtime_supervises() - does the runtime know the action to notify? It is taken to if
 * it does not say. @want: receives whether it, and the kernel, know the flag
 */
bool oci_runtime_supervises(const struct oci_runtime *runtime, struct supervision *want);

#endif /* MPU_CONTAINER_OCI_OCI_H */
