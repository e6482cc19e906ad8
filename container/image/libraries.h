/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Libraries in folders of an image, by the names that ldconfig gives them. Their files may
 * be anything: they are read in the sandbox.
 */
#ifndef MPU_CONTAINER_IMAGE_LIBRARIES_H
#define MPU_CONTAINER_IMAGE_LIBRARIES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/strv.h"

/**
 * struct image_library - a library
 * @key:	what programs look for: "libcuda.so.1"
 * @folder:	number of its folder among those that were named
 * @name:	of its file there: "libcuda.so.580.95.05"; the key, if a link has it already
 * @linked:	there is room for a link of the key's name to the file, which ldconfig
 *		would make
 * @flags:	as of an entry of ld.so.cache
 */
struct image_library {
	char *key;
	size_t folder;
	char *name;
	bool linked;
	uint32_t flags;
};

struct image_libraries {
	struct image_library *library;
	size_t n;
};

/* More than a container has of such folders, in all of them. */
#define IMAGE_LIBRARIES_MAX	4096

/**
 * image_libraries_read() - find those of some folders
 * @root:	the image's root: a descriptor, in the container's mount namespace
 * @folders:	of two libraries with the same key and flags the one of the first folder
 *		counts. A missing folder has none
 * @n_whole:	so many of the first are read whole: what is mounted counts in the others
 *		alone, for what is the image's own there its own loader knows
 *
 * Return: 0 or negative errno; -E2BIG: there are more. Either way image_libraries_free()
 * is to follow.
 */
int image_libraries_read(struct image_libraries *libraries, int root,
			 const struct strv *folders, size_t n_whole);

void image_libraries_free(struct image_libraries *libraries);

#endif /* MPU_CONTAINER_IMAGE_LIBRARIES_H */
