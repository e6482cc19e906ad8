/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GPUs for containers: from a container to its list of edits, mpu-runtime in front of an OCI
 * runtime, and the prestart hook.
 */
#ifndef MPU_CONTAINER_CONTAINER_H
#define MPU_CONTAINER_CONTAINER_H

#include <sys/types.h>

#include "container/image/image.h"
#include "container/plan/plan.h"
#include "container/request/request.h"

struct json_object;
struct oci_runtime;

/**
 * struct gpus - a container, and what it is to be given
 * @by_cli:	nvidia-container-cli is to make the edits, and not the container's runtime
 * @request:	what it asks for; if that is no GPU, there are no edits
 * @mode:	what gives it
 * @places:	where its paths lead
 * @edits:	what is to be edited in config.json: of MODE_LEGACY the first is the hook
 *		that has nvidia-container-cli make others
 */
struct gpus {
	const struct container *container;
	const struct settings *settings;
	bool by_cli;
	struct request request;
	enum mode mode;
	struct places places;
	struct edits edits;
};

/**
 * gpus_plan() - find out
 * @setting:	instead of the settings' mode, NULL: that
 *
 * Return: 0, or negative errno and a sentence in @why. Either way gpus_free() is
 * to follow.
 */
int gpus_plan(struct gpus *gpus, const struct container *container,
	      const struct settings *settings, const char *setting, char why[WHY_SIZE]);

/** gpus_plan_hook() - what the hook of MODE_LEGACY has nvidia-container-cli make */
int gpus_plan_hook(struct gpus *gpus, const struct container *container,
		   const struct settings *settings, char why[WHY_SIZE]);

void gpus_free(struct gpus *gpus);

/**
 * oci_runtime_create() - before a container is made: give it GPUs, if it asks for some, and
 * have it supervised, both by one edit of its config.json
 * @listener:	of the agent; NULL: do not supervise
 *
 * A file that needs no edit is left alone. Logs what was done, and what was asked for and
 * is not given.
 *
 * Return: 0; or negative errno and a sentence in @why; or above 0 and a sentence why the
 * container will not be supervised.
 */
int oci_runtime_create(const struct oci_runtime *runtime, const struct settings *settings,
		       const char *listener, char why[WHY_SIZE]);

/**
 * oci_runtime_check_move() - refuse to checkpoint or restore a supervised container
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_runtime_check_move(const struct oci_runtime *runtime, const char *listener,
			   char why[WHY_SIZE]);

/**
 * oci_runtime_clean() - remove mount points of a container that is to be deleted: it is,
 * whatever comes of this
 */
void oci_runtime_clean(const struct oci_runtime *runtime);

/**
 * oci_runtime_exec() - become the runtime, with the words that this one was called with
 *
 * Return: negative errno and a sentence in @why.
 */
int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE]);

/**
 * struct hook_state - what a runtime says of a container
 * @bundle:	its folder: absolute
 * @pid:	of its first process, as the runtime's namespace numbers it; 0 if it
 *		does not say
 * @root:	its root folder, which crun says; ""
 */
struct hook_state {
	char *bundle;
	pid_t pid;
	char *root;
};

/**
 * hook_state_read() - read a state from @fd: what follows its object does not count
 *
 * Return: 0, or negative errno and a sentence in @why. Either way hook_state_free() is to
 * follow.
 */
int hook_state_read(struct hook_state *state, int fd, char why[WHY_SIZE]);

void hook_state_free(struct hook_state *state);

/**
 * hook_root() - the root folder of a container: what the state says, else what
 * config.json says, below the bundle if it is relative
 * @config:	of json_file_read(); NULL: there is none
 * @root:	receives it, to be freed
 *
 * Return: as hook_state_read().
 */
int hook_root(const struct hook_state *state, struct json_object *config,
	      char **root, char why[WHY_SIZE]);

/**
 * hook_check_config() - does config.json have what no container lacks?
 * @rules:	receives linux.resources.devices, which is @config's; NULL: there is none
 *
 * Return: as hook_state_read().
 */
int hook_check_config(struct json_object *config, struct json_object **rules,
		      char why[WHY_SIZE]);

/**
 * hook_check_mode() - may the hook do its work, by the mode of the runtime?
 *
 * Return: 0, or -EPERM and a sentence in @why.
 */
int hook_check_mode(const struct settings *settings, char why[WHY_SIZE]);

/**
 * struct hook_call - what nvidia-container-cli is called for
 * @path:	of the program
 * @debug:	the hook was called with -debug: its log goes to standard error
 */
struct hook_call {
	const char *path;
	bool debug;
	const struct settings *settings;
	const struct request *request;
	pid_t pid;
	const char *root;
};

/** hook_words() - the command line for it */
void hook_words(const struct hook_call *call, struct strv *words);

#endif /* MPU_CONTAINER_CONTAINER_H */
