/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a list of edits of the hooks of CDI documents: rootfs_configure() carries it
 * out, like the list of nvidia-container-cli.
 */
#ifndef MPU_CONTAINER_CDI_HOOK_EDITS_H
#define MPU_CONTAINER_CDI_HOOK_EDITS_H

#include <json-c/json.h>

#include "container/cdi/hook.h"
#include "lib/why.h"

/**
 * struct cdi_hook_call - a call of a hook
 * @hook:	one of enum cdi_hook, but neither CDI_HOOK_CHMOD nor CDI_HOOK_MEMORY
 * @root:	of the container, as its own mount namespace has it: O_PATH
 * @config:	its config.json
 * @links:	of CDI_HOOK_SYMLINKS: "TARGET::LINK"
 * @folders:	of CDI_HOOK_LDCACHE
 * @compat:	of CDI_HOOK_COMPAT: where to look; NULL: COMPAT_FOLDER
 * @driver, @cuda: of CDI_HOOK_COMPAT: this machine's versions; NULL: not known
 */
struct cdi_hook_call {
	enum cdi_hook hook;
	int root;
	struct json_object *config;
	const struct strv *links;
	const struct strv *folders;
	const char *compat, *driver, *cuda;
};

/**
 * cdi_hook_edits() - make the list
 * @edits:	its lacks receive sentences, where the container is to start without
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int cdi_hook_edits(struct edits *edits, const struct cdi_hook_call *call,
		   char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_CDI_HOOK_EDITS_H */
