/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GPUs for containers: a container's edits, mpu-runtime, and the prestart hook.
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
 * @edits:	of MODE_LEGACY the first is the hook that has nvidia-container-cli make others
 */
struct gpus {
	const struct container *container;
	const struct settings *settings;
	bool by_cli;		/* nvidia-container-cli is to make the edits, not the runtime */
	struct request request;	/* if that is no GPU, there are no edits */
	enum mode mode;
	struct places places;	/* places of its paths */
	struct edits edits;
};

/**
 * gpus_plan() - find out
 * @setting:	instead of the settings' mode, or NULL
 * @by_cli:	"legacy": what the hook of that mode has nvidia-container-cli make
 *
 * Return: 0, or negative errno and a sentence in @why. Either way gpus_free() is to follow.
 */
int gpus_plan(struct gpus *gpus, const struct container *container,
	      const struct settings *settings, const char *setting, bool by_cli,
	      char why[WHY_SIZE]);

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

/** oci_runtime_clean() - remove a deleted container's mount points; it goes in any case */
void oci_runtime_clean(const struct oci_runtime *runtime);

/** oci_runtime_exec() - become the runtime. Return: negative errno and a sentence in @why */
int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE]);

/* A container, as its runtime describes it. */
struct hook_state {
	char *bundle;	/* absolute */
	pid_t pid;	/* number of its first process in the runtime's namespace; 0: not said */
	char *root;	/* root folder, which crun says; "" */
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
 * hook_root() - the root folder, to be freed: what the state says, else what @config says,
 * below the bundle if it is relative
 * @config:	of json_file_read(); NULL: there is none
 *
 * Return: as hook_state_read().
 */
int hook_root(const struct hook_state *state, struct json_object *config,
	      char **root, char why[WHY_SIZE]);

/**
 * hook_device_rules() - find linux.resources.devices
 * @config:	that container_read() has read
 * @rules:	receives it, which is @config's; NULL: there is none
 *
 * Return: as hook_state_read().
 */
int hook_device_rules(struct json_object *config, struct json_object **rules, char why[WHY_SIZE]);

/** hook_check_mode() - may the hook do its work? Return: 0, or -EPERM and a sentence in @why */
int hook_check_mode(const struct settings *settings, char why[WHY_SIZE]);

/* A call of nvidia-container-cli. */
struct hook_call {
	const char *path;
	bool debug;		/* called with -debug: its log goes to standard error */
	const struct settings *settings;
	const struct request *request;
	pid_t pid;
	const char *root;
};

void hook_words(const struct hook_call *call, struct strv *words);

#endif /* MPU_CONTAINER_CONTAINER_H */
