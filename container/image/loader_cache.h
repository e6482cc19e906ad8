/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ld.so.cache of an image, made anew with the driver's libraries in it. An image may
 * have any bytes there: they are read in the sandbox.
 */
#ifndef MPU_CONTAINER_IMAGE_LOADER_CACHE_H
#define MPU_CONTAINER_IMAGE_LOADER_CACHE_H

#include <stddef.h>

#include "nvidia/ldcache.h"

#define LOADER_CACHE	"/etc/ld.so.cache"

/**
 * loader_cache_merge() - make an image's cache anew, with libraries added
 * @root:	the image's root: a descriptor; an image without a cache, or with a broken
 *		one, gets one that has these alone
 * @added:	as of ldcache_merge()
 * @bytes:	receives the file's content, terminated, to be freed
 *
 * Return: its size, or negative errno; -E2BIG: it would be larger than LDCACHE_SIZE_MAX.
 */
long loader_cache_merge(int root, const struct ldcache_entry *added, size_t n,
			char **bytes);

#endif /* MPU_CONTAINER_IMAGE_LOADER_CACHE_H */
