/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of container/image alone.
 */
#ifndef MPU_CONTAINER_IMAGE_INTERNAL_H
#define MPU_CONTAINER_IMAGE_INTERNAL_H

#include "container/image/image.h"
#include "nvidia/nvidia.h"

/* compat.c */
bool compat_is_newer(const struct libcuda_note *note, const char *version,
		     const char *driver, const char *cuda);

#endif /* MPU_CONTAINER_IMAGE_INTERNAL_H */
