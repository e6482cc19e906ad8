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
struct strv;

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
 * An option that is not known is taken for one without a value.
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int oci_runtime_read(struct oci_runtime *runtime, char **words, char why[WHY_SIZE]);

/* Does the command line make a container? Delete one? Checkpoint or restore one? */
bool oci_runtime_creates(const struct oci_runtime *runtime);
bool oci_runtime_deletes(const struct oci_runtime *runtime);
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
 * oci_runtime_locate() - find the runtime behind this one
 * @candidates:	names, or paths, of which the first is taken that is there
 *
 * MPU_RUNTIME, or the first line in /etc/mpu/runtime that is neither empty nor
 * a comment, or one of @candidates in PATH that is not mpu.
 *
 * Return: 0, or negative errno and a sentence in @why. -ELOOP: that runtime has
 * called mpu-runtime, again and again.
 */
int oci_runtime_locate(struct oci_runtime *runtime, const struct strv *candidates,
		       char why[WHY_SIZE]);

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
 * oci_runtime_state() - ask the runtime for the state of the container that the command
 * line names
 *
 * Return: false if that cannot be told: there is no such container, say.
 */
bool oci_runtime_state(const struct oci_runtime *runtime, struct oci_state *state);

/**
 * oci_runtime_log() - log a sentence where the command line says, as runc does
 * it: whoever called shows the last error that is found there
 * @level:	"error", "warning", "info" or "debug"
 */
void oci_runtime_log(const struct oci_runtime *runtime, const char *level, const char *text);

/**
 * oci_can_make() - is there a member for an edit?
 *
 * Runtimes make no links, and refuse mounts below /proc. A link becomes a mount of its
 * source; a link without a source is left out. Masks stand in for EDIT_PROC.
 */
bool oci_can_make(const struct edit *edit);

/**
 * oci_inject() - make the edits
 * @bundle:	folder of the configuration, which files are added to that the
 *		container is to see; absolute
 * @root:	of the container, which files of its own are written into; NULL: they are
 *		mounted
 *
 * Edits that oci_can_make() refuses are left out. Other members stay as they are. Edits
 * that were made are found and made the same again: the second time nothing changes.
 *
 * Return: 0, or negative errno and a sentence in @why: the configuration may be
 * half edited then.
 */
int oci_inject(struct json_object *config, const struct edits *edits, const char *bundle,
	       const char *root, char why[WHY_SIZE]);

/**
 * oci_hooks_plan_nvidia() - NVIDIA's prestart hook, as an edit
 * @path:	of the program
 * @input:	what asked for it; NULL: not known
 */
void oci_hooks_plan_nvidia(struct edits *edits, const char *path, const char *input);

/**
 * oci_hooks_add_nvidia() - have NVIDIA's prestart hook called
 * @edit:	of oci_hooks_plan_nvidia()
 *
 * A configuration that has one already, by either of its names, is left alone.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_hooks_add_nvidia(struct json_object *config, const struct edit *edit,
			 char why[WHY_SIZE]);

/** oci_hooks_has_nvidia() - has a configuration one, as engines' "--gpus" put it there? */
bool oci_hooks_has_nvidia(struct json_object *config);

/** oci_hooks_remove_nvidia() - have it not called. Return: as oci_hooks_add_nvidia() */
int oci_hooks_remove_nvidia(struct json_object *config, char why[WHY_SIZE]);

/**
 * oci_hooks_find() - where a program is that is named in config.toml
 * @name:	a path, which is taken as it is; or a name, for PATH and the usual
 *		folders
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
 * oci_mount_points_record() - write down which mount points of the edits are
 * missing; those of an earlier container of that bundle and root are used again, and
 * removed with these; those of another root are removed before
 * @bundle:	its folder
 * @root:	the container's root folder: absolute
 * @config:	its configuration: what it mounts is not in the root
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_mount_points_record(const char *bundle, const char *root,
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
 * struct oci_supervision - what is to be added for engine notify
 * @listener:	absolute path of the agent's socket
 * @flag:	with SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, which a runtime that does not
 *		know it refuses a container for
 */
struct oci_supervision {
	const char *listener;
	bool flag;
};

/**
 * oci_runtime_supervises() - what the runtime can do: does it know the action to notify?
 * @want:	receives whether it, and the kernel, know the flag
 *
 * A runtime that does not say is taken to know the action.
 */
bool oci_runtime_supervises(const struct oci_runtime *runtime, struct oci_supervision *want);

/**
 * enum oci_result - what became of a configuration
 * @OCI_ADDED:	it was edited
 * @OCI_PRESENT: it needs nothing: it was edited earlier, or is a pod's sandbox
 * @OCI_FOREIGN: it has another listener, and one is all the kernel allows: left
 *		alone
 * @OCI_CLOSED:	its profile lets no call through that the filter notifies of:
 *		left alone
 */
enum oci_result { OCI_ADDED, OCI_PRESENT, OCI_FOREIGN, OCI_CLOSED };

/**
 * oci_seccomp_add() - have a container supervised
 * @config:	edited for OCI_ADDED; for what is negative it may be half edited
 * @why:	receives a sentence for anything but OCI_ADDED and OCI_PRESENT
 *
 * Calls that the profile let through (ALLOW, LOG) and that carry one of the
 * driver's requests notify; whatever else it decided it still decides.
 *
 * Return: enum oci_result, or -EINVAL: the profile cannot be merged with.
 */
int oci_seccomp_add(struct json_object *config, const struct oci_supervision *want,
		    char why[WHY_SIZE]);

/** oci_seccomp_has() - is the container supervised, by that listener? */
bool oci_seccomp_has(struct json_object *config, const char *listener);

#endif /* MPU_CONTAINER_OCI_OCI_H */
