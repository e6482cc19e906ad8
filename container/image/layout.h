/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folders where a container's image expects files: found by looking into its root,
 * which is only read, and never left through a link.
 */
#ifndef MPU_CONTAINER_IMAGE_LAYOUT_H
#define MPU_CONTAINER_IMAGE_LAYOUT_H

#include <limits.h>
#include <stdbool.h>

#include "lib/why.h"

/**
 * struct layout - folders in a container
 * @library, @library32: of libraries: "/usr/lib/x86_64-linux-gnu"
 * @program:	"/usr/bin"
 * @compat:	of newer CUDA libraries that the image brings and the driver needs:
 *		"/usr/local/cuda/compat"; "" for none
 * @cached:	the image has an ld.so.cache, or a loader that reads one
 * @searched:	its loader is known to look into @library without a cache, too
 */
struct layout {
	char library[PATH_MAX];
	char library32[PATH_MAX];
	char program[PATH_MAX];
	char compat[PATH_MAX];
	bool cached, searched;
};

/**
 * layout_read() - look into a container's root
 * @root:	its root folder; NULL: there is none to look into, which is for what
 *		is written before an image is known (CDI): laid out as this machine is
 * @driver:	version of this machine's driver
 * @cuda:	and the CUDA version that it has; NULL: not known
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int layout_read(struct layout *layout, const char *root, const char *driver,
		const char *cuda, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_IMAGE_LAYOUT_H */
