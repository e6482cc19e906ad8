/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of edits that make a container a GPU container. It is computed once;
 * config.json, CDI, nvidia-container-cli and `explain` are four ways to render it.
 */
#ifndef MPU_CONTAINER_PLAN_PLAN_H
#define MPU_CONTAINER_PLAN_PLAN_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "container/image/image.h"
#include "container/request/request.h"
#include "lib/strv.h"
#include "lib/why.h"
#include "nvidia/nvidia.h"

/*
 * A rendering that cannot make an edit in its own way makes it in the next best:
 * what that is stands beside each.
 */
enum edit_kind {
	EDIT_ENV,	/* set a variable of its process: text */
	EDIT_NODE,	/* a device node, and the right to read and write it */
	EDIT_MOUNT,	/* something of the host's, at a path; text, if any, is CDI's type:
			 * "bind", or a file system, which we do not mount */
	EDIT_LINK,	/* a symbolic link: text is what it says; or: mount source there */
	EDIT_TEXT,	/* a file that says: text, or has these bytes */
	EDIT_PROC,	/* of /proc/driver/nvidia show what every container may see and the
			 * paths below it that options name; or: make each EDIT_MASK */
	EDIT_MASK,	/* hide what is at a path: of use where EDIT_PROC is not made */
	EDIT_GROUP,	/* a group of its process */
	EDIT_HOOK,	/* a program that its runtime is to run */
	EDIT_CGROUP,	/* a file of its cgroup, path, takes a line, text: "dmem.max" */
	EDIT_OTHER,	/* a member that CDI has and we only hand on: JSON in text */
};

/**
 * struct edit - one of them
 * @device:	name of the device that it is for; NULL: for any
 * @path:	in the container; of EDIT_HOOK: the program, on the host, but in the
 *		container if its stage is "startContainer"
 * @source:	of EDIT_NODE, EDIT_MOUNT, EDIT_LINK and EDIT_PROC: on the host
 * @text:	see enum edit_kind
 * @size:	of @text where it is bytes and no string, terminated all the same; 0
 * @own:	of EDIT_TEXT: a file of the container's own, which its programs may replace:
 *		it is written into its root, and mounted only where it cannot be written
 * @below:	of EDIT_TEXT: what a file says that is made to mount it on, and stays
 *		there; NULL: nothing
 * @options:	of EDIT_MOUNT and EDIT_LINK: options of the mount; of EDIT_PROC: see
 *		enum edit_kind; of EDIT_HOOK: arguments
 * @env:	of EDIT_HOOK: variables
 * @stage:	of EDIT_HOOK: "createRuntime"; of EDIT_OTHER: the member's name
 * @node:	of EDIT_NODE; its mode is 0 if it is the runtime's to choose, and the
 *		owner, too, then; an owner that a CDI document leaves to the container's
 *		process is -1
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
	size_t size;
	bool own;
	char *below;
	struct strv options;
	struct strv env;
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
 * @lacks:	sentences: what the container was to be given, and is not there
 * @missing:	of struct driver_files: what a container can do without, for logs
 * @slots, @n_slots: of edits_add(): where it finds an edit again
 */
struct edits {
	struct edit *edit;
	size_t n;
	struct strv lacks, missing;
	uint32_t *slots;
	size_t n_slots;
};

/**
 * edits_add() - add one, unless the list has it already for the same device, whatever its
 * rule
 * @edit:	its strings are taken over, and it is empty then
 */
void edits_add(struct edits *edits, struct edit *edit);

/** edits_add_copy() - add a copy of an edit of another list, for @device */
void edits_add_copy(struct edits *edits, const struct edit *edit, const char *device);

/** edit_kind_name() - "mount" */
const char *edit_kind_name(enum edit_kind kind);

void edits_free(struct edits *edits);

/**
 * struct plan_inputs - what to plan for
 * @settings:	config.toml, whose keys count here and nowhere before; NULL: there is none
 * @capabilities: enum capability
 * @without:	enum driver_without
 * @root:	of the container, whose ld.so.cache is made anew; NULL: there is none yet
 * @places:	of the container; NULL: nothing but its root is known
 * @read_only:	that is not to be written to
 * @library_path: LD_LIBRARY_PATH that the container has, NULL: it has none
 * @by_path:	what is mounted is named by its path, for others to open
 * @why_devices, @why_capabilities: what asked for them, for `explain`
 */
struct plan_inputs {
	const struct installation *installation;
	const struct selection *selection;
	const struct layout *layout;
	const struct settings *settings;
	unsigned int capabilities, without;
	const char *root;
	struct places *places;
	bool read_only;
	const char *library_path;
	bool by_path;
	const char *why_devices, *why_capabilities;
};

/**
 * plan_edits() - make the list
 *
 * The same input gives the same list, byte for byte.
 *
 * Return: 0, or negative errno and a sentence in @why: the driver lacks what the
 * container cannot do without.
 */
int plan_edits(struct edits *edits, const struct plan_inputs *plan, char why[WHY_SIZE]);

/**
 * plan_cache() - add the image's ld.so.cache with the libraries that a list mounts in the
 * layout's folders, and its newer CUDA libraries
 * @plan:	its layout and root count
 */
void plan_cache(struct edits *edits, const struct plan_inputs *plan);

/**
 * plan_group() - the group that a process must be in to use a device node
 *
 * Return: 0: it need not be in any.
 */
gid_t plan_group(const struct stat *node);

/** plan_profile() - the application profile that names the GPUs EGL may take, by minor numbers */
struct edit plan_profile(const uint32_t *minors, size_t n);

/**
 * plan_memory() - add an EDIT_CGROUP for each GPU and file
 *
 * Return: 0, or negative errno and a sentence in @why: this machine cannot limit it.
 */
int plan_memory(struct edits *edits, const struct selection *selection,
		const struct gpu_memory *memory, char why[WHY_SIZE]);

/**
 * plan_can_limit_memory() - can this machine limit the memory of a GPU?
 *
 * Asked before a hook does it: a runtime may hide the hook's messages, as crun does.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int plan_can_limit_memory(char why[WHY_SIZE]);

/** plan_is_memory() - does an edit limit memory, or have a hook do so? */
bool plan_is_memory(const struct edit *edit);

/** explain_edit() - say one in a line, with its rule. Return: the caller's to free */
char *explain_edit(const struct edit *edit);

/**
 * explain_text() - say it in lines
 * @reasons:	with the rule and the input of each
 *
 * Return: a string, the caller's to free.
 */
char *explain_text(const struct edits *edits, bool reasons);

/**
 * explain_json() - say it as an object with "edits", "lacks" and "missing"
 *
 * Return: the caller's to put.
 */
struct json_object *explain_json(const struct edits *edits);

#endif /* MPU_CONTAINER_PLAN_PLAN_H */
