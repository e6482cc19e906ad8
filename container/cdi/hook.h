/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that a CDI document has a container's runtime run, as the existing
 * generator writes them.
 */
#ifndef MPU_CONTAINER_CDI_HOOK_H
#define MPU_CONTAINER_CDI_HOOK_H

#include <stdbool.h>

#include "container/plan/edits.h"
#include "nvidia/devices.h"

/* Listed in the order in which they are to run. */
#define CDI_HOOKS(X) \
	X(CHMOD, "chmod") \
	X(SYMLINKS, "create-symlinks") \
	X(COMPAT, "enable-cuda-compat") \
	X(LDCACHE, "update-ldcache") \
	X(PARAMS, "disable-device-node-modification") \
	X(PROFILE, "update-application-profile") \
	X(MEMORY, "apply-cuda-memory-limits")

enum cdi_hook_index {
#define X(name, text) CDI_HOOK_INDEX_##name,
	CDI_HOOKS(X)
#undef X
	CDI_HOOK_COUNT
};

enum cdi_hook {
#define X(name, text) CDI_HOOK_##name = 1 << CDI_HOOK_INDEX_##name,
	CDI_HOOKS(X)
#undef X
	CDI_HOOK_ALL = (1 << CDI_HOOK_COUNT) - 1,
	/*
	 * The hooks that are written if nothing else is asked for: they make a document
	 * work in an image that is laid out otherwise than the host. Without links, a
	 * library is mounted under each of its names.
	 */
	CDI_HOOK_DEFAULT = CDI_HOOK_ALL & ~(CDI_HOOK_CHMOD | CDI_HOOK_SYMLINKS),
};

/** cdi_hook_find() - enum cdi_hook by its name; "all": all; 0: there is none */
unsigned int cdi_hook_find(const char *name);

/**
 * cdi_hook_add() - add a hook to a list
 * @hook:	one of enum cdi_hook
 * @path:	of nvidia-cdi-hook, or of nvidia-ctk
 * @arguments:	of CDI_HOOK_SYMLINKS "TARGET::LINK", of CDI_HOOK_CHMOD paths:
 *		without any of these it is not added. For others, as they are
 * @device:	for which it is, NULL: for any
 *
 * Return: 0 or -ENOMEM.
 */
int cdi_hook_add(struct edits *edits, enum cdi_hook hook, const char *path,
		 const struct strv *arguments, const char *device);

/**
 * cdi_hook_add_cache() - add CDI_HOOK_LDCACHE for the folders of the libraries that a
 * list mounts, if there are any
 *
 * Return: 0 or -ENOMEM.
 */
int cdi_hook_add_cache(struct edits *edits, const char *path);

/**
 * cdi_hook_add_memory() - add CDI_HOOK_MEMORY for a GPU
 * @root:	of its driver
 *
 * Return: 0 or -ENOMEM.
 */
int cdi_hook_add_memory(struct edits *edits, const char *path, const struct gpu *gpu,
			const struct driver_root *root, const char *device);

/** cdi_is_library() - is it the path of a library: "libcuda.so", "libcuda.so.1"? */
bool cdi_is_library(const char *path);

/**
 * cdi_library_folders() - folders of the libraries among paths, sorted, each once
 *
 * Return: 0 or -ENOMEM.
 */
int cdi_library_folders(const struct strv *paths, struct strv *folders);

#endif /* MPU_CONTAINER_CDI_HOOK_H */
