/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The prestart hook: from what a runtime says of a container that it has made to
 * the command line of nvidia-container-cli.
 */
#ifndef MPU_CONTAINER_HOOK_H
#define MPU_CONTAINER_HOOK_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

#include "container/request/request.h"

/* More than any runtime says; annotations of a container are part of it. */
#define HOOK_STATE_SIZE	(1 << 20)

/**
 * struct hook_state - what a runtime says of a container
 * @bundle:	its folder; "" if it does not say
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
 * hook_state_read() - read the text that a hook has on its standard input
 * @text:	terminated, at @text[@len]; what follows its object does not count
 *
 * Return: 0, or negative errno and a sentence in @why. Either way
 * hook_state_free() is to follow.
 */
int hook_state_read(struct hook_state *state, char *text, size_t len,
		    char why[WHY_SIZE]);

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

/** hook_check_config() - does config.json have what no container lacks? */
int hook_check_config(struct json_object *config, char why[WHY_SIZE]);

/**
 * hook_device_rules() - linux.resources.devices of config.json
 * @rules:	receives it, which is @config's; NULL: there is none
 *
 * Return: as hook_state_read().
 */
int hook_device_rules(struct json_object *config, struct json_object **rules,
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

/** hook_words() - the command line for it. Return: 0 or -ENOMEM. */
int hook_words(const struct hook_call *call, struct strv *words);

#endif /* MPU_CONTAINER_HOOK_H */
