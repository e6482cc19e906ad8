/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of edits that make a container a GPU container. It is computed once;
 * config.json, CDI, nvidia-container-cli and `explain` are four ways to render
 * it.
 */
#ifndef MPU_CONTAINER_EDITS_H
#define MPU_CONTAINER_EDITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/words.h"

enum edit_kind {
	EDIT_ENV,	/* set a variable of its process: text */
	EDIT_NODE,	/* a device node, and the right to read and write it */
	EDIT_MOUNT,	/* something of the host's, at a path */
	EDIT_LINK,	/* a symbolic link: text is what it says */
	EDIT_TEXT,	/* a file that says: text */
	EDIT_MASK,	/* hide what is at a path */
	EDIT_PROC,	/* filter /proc/driver/nvidia: the chosen GPUs alone */
	EDIT_GROUP,	/* a group of its process */
	EDIT_HOOK,	/* a program that its runtime is to run */
	EDIT_OTHER,	/* a member that CDI has and we only hand on: JSON in text */
};

/**
 * struct edit - one of them
 * @device:	name of the device that it is for; NULL: for any
 * @path:	in the container; of EDIT_HOOK: the program, on the host
 * @source:	of EDIT_NODE and EDIT_MOUNT: on the host
 * @text:	see enum edit_kind
 * @options:	of EDIT_MOUNT: its options; of EDIT_HOOK: arguments
 * @env:	of EDIT_HOOK: variables
 * @stage:	of EDIT_HOOK: "createRuntime"; of EDIT_OTHER: the member's name
 * @node:	of EDIT_NODE; its mode is 0 if it is the runtime's to choose
 * @group:	of EDIT_GROUP
 * @timeout:	of EDIT_HOOK: in seconds; 0: none
 * @optional:	a container can do without it: where it cannot be had, go on
 * @rule:	why it is there: "a library of capability compute"
 * @input:	what asked for it: "NVIDIA_DRIVER_CAPABILITIES=compute,utility"
 */
struct edit {
	enum edit_kind kind;
	char *device;
	char *path;
	char *source;
	char *text;
	struct words options;
	struct words env;
	char *stage;
	struct {
		char type;		/* 'c', 'b', 'u', 'p' */
		uint32_t major, minor;
		mode_t mode;
		uid_t uid;
		gid_t gid;
		char access[4];		/* "rw" */
	} node;
	gid_t group;
	unsigned int timeout;
	bool optional;
	char *rule;
	char *input;
};

/**
 * struct edits - all of them, in the order in which they are to be made
 */
struct edits {
	struct edit *edit;
	size_t n;
};

/**
 * edits_add() - add one
 * @edit:	its strings are taken over, also if it fails
 *
 * Return: 0 or -ENOMEM. One that is there already (same kind, path, source and
 * device) is not added again.
 */
int edits_add(struct edits *edits, struct edit *edit);

void edits_free(struct edits *edits);

#endif /* MPU_CONTAINER_EDITS_H */
