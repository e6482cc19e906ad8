/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ld.so.cache of an image: where it leads for the driver's libraries, and a new
 * one in which they are. An image may have any bytes there: they are read in the
 * sandbox.
 */
#ifndef MPU_CONTAINER_IMAGE_LOADER_CACHE_H
#define MPU_CONTAINER_IMAGE_LOADER_CACHE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "nvidia/ldcache.h"

#define LOADER_CACHE	"/etc/ld.so.cache"

/* More than an image has of the driver's libraries. */
#define LOADER_PATHS	64

/**
 * struct loader_paths - where a cache leads
 * @path:	for names of the driver's libraries, of this architecture
 * @more:	not 0: there are more than these
 */
struct loader_paths {
	uint32_t n, more;
	char path[LOADER_PATHS][PATH_MAX];
};

/**
 * loader_cache_paths() - where an image's cache leads
 * @root:	the image's root: a descriptor
 *
 * Return: 0 or negative errno; -ENOENT: it has none; -EINVAL: what it has is
 * none.
 */
int loader_cache_paths(int root, struct loader_paths *paths);

/**
 * loader_cache_merge() - make an image's cache anew, with libraries added
 * @root:	as of loader_cache_paths(); an image without a cache, or with a broken
 *		one, gets one that has these alone
 * @added:	as of ldcache_merge()
 * @bytes:	receives the file's content, to be freed
 *
 * Return: its size, or negative errno; -E2BIG: it would be larger than 1 MiB.
 */
long loader_cache_merge(int root, const struct ldcache_entry *added, size_t n,
			void **bytes);

/* loader_cache_paths() of bytes in memory: a sandbox_parser, here for the fuzzer. */
int loader_cache_parse(const void *bytes, size_t size, const void *arg,
		       void *result);

#endif /* MPU_CONTAINER_IMAGE_LOADER_CACHE_H */
