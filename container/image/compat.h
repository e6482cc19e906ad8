/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CUDA forward compatibility: an image may bring a libcuda that is newer than
 * this machine's driver, in /usr/local/cuda/compat, for programs in it to take.
 */
#ifndef MPU_CONTAINER_IMAGE_COMPAT_H
#define MPU_CONTAINER_IMAGE_COMPAT_H

#include <limits.h>
#include <stdbool.h>

#include "lib/why.h"
#include "nvidia/libcuda.h"

#define COMPAT_FOLDER "/usr/local/cuda/compat"

/* The file that leads the image's own ldconfig to the folder. */
#define COMPAT_CONF	"/etc/ld.so.conf.d/00-compat-mpu.conf"

/**
 * compat_is_newer() - is it to be taken?
 * @version:	of the driver that it was made with: "575.57.08"
 * @driver, @cuda: this machine's; NULL: not known
 */
bool compat_is_newer(const struct libcuda_note *note, const char *version,
		     const char *driver, const char *cuda);

/**
 * compat_find() - look for one in a container's root
 * @root:	the root: a descriptor
 * @place:	where to look: COMPAT_FOLDER
 * @driver, @cuda: as of compat_is_newer()
 * @folder:	receives the folder with no link in it: "/usr/local/cuda-12.9/compat";
 *		"": there is none, or none that is to be taken
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int compat_find(int root, const char *place, const char *driver, const char *cuda,
		char folder[PATH_MAX], char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_IMAGE_COMPAT_H */
