// SPDX-License-Identifier: GPL-2.0-only
/*
 * ld.so.cache of an image.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/image/loader_cache.h"
#include "lib/beneath.h"
#include "lib/regular.h"
#include "lib/sandbox.h"
#include "nvidia/parts.h"

/* Libraries to add, for the sandbox. */
struct addition {
	const struct ldcache_entry *added;
	size_t n;
};

/*
 * A cache that was written in the sandbox. The existing tools let ldconfig write
 * as much.
 */
struct merged {
	uint32_t size;
	unsigned char bytes[1 << 20];
};

/* Programs look for libGL by GLVND's name, whether it is the driver's or not. */
static bool is_driver(const char *key)
{
	const struct part *part = part_find(key);

	return part && part->check != PART_DIRECT;
}

int loader_cache_parse(const void *bytes, size_t size, const void *arg,
		       void *result)
{
	struct loader_paths *paths = result;
	struct ldcache_entry entry;
	struct ldcache cache;
	uint32_t i;

	(void)arg;
	if (size > LDCACHE_SIZE_MAX)
		return -EFBIG;
	if (ldcache_open(&cache, bytes, size))
		return -EINVAL;
	for (i = 0; i < cache.n && !paths->more; i++) {
		if (!ldcache_entry(&cache, i, &entry) ||
		    entry.flags != LDCACHE_NATIVE || !is_driver(entry.key))
			continue;
		if (paths->n < LOADER_PATHS)
			strcpy(paths->path[paths->n++], entry.path);
		else
			paths->more = 1;
	}
	return 0;
}

static int merge(const void *bytes, size_t size, const void *arg, void *result)
{
	const struct addition *addition = arg;
	struct merged *merged = result;
	struct ldcache cache;
	long ret;

	if (size > LDCACHE_SIZE_MAX)
		return -EFBIG;
	if (ldcache_open(&cache, bytes, size))
		return -EINVAL;
	ret = ldcache_merge(&cache, addition->added, addition->n, merged->bytes,
			    sizeof(merged->bytes));
	merged->size = ret < 0 ? 0 : (uint32_t)ret;
	return ret < 0 ? (int)ret : 0;
}

static int parse_file(int root, sandbox_parser *parser, const void *arg,
		      void *result, size_t size)
{
	int fd = regular_open(beneath_open(root, LOADER_CACHE, O_PATH), O_RDONLY);
	int ret;

	if (fd < 0)
		return fd;
	ret = sandbox_parse(fd, parser, arg, result, size);
	close(fd);
	return ret;
}

int loader_cache_paths(int root, struct loader_paths *paths)
{
	int ret = parse_file(root, loader_cache_parse, NULL, paths, sizeof(*paths));
	size_t i;

	if (ret)
		return ret;
	/* The sandbox may have written anything. */
	if (paths->n > LOADER_PATHS)
		paths->n = LOADER_PATHS;
	for (i = 0; i < paths->n; i++)
		paths->path[i][PATH_MAX - 1] = '\0';
	return 0;
}

long loader_cache_merge(int root, const struct ldcache_entry *added, size_t n,
			void **bytes)
{
	const struct addition addition = { added, n };
	struct merged *merged = malloc(sizeof(*merged));
	long ret;

	*bytes = NULL;
	if (!merged)
		return -ENOMEM;
	ret = parse_file(root, merge, &addition, merged, sizeof(*merged));
	if (!ret)
		ret = merged->size <= sizeof(merged->bytes) ? (long)merged->size : -EINVAL;
	else if (ret == -ENOENT || ret == -EINVAL)
		ret = ldcache_merge(NULL, added, n, merged->bytes,
				    sizeof(merged->bytes));
	if (ret < 0) {
		free(merged);
		return ret;
	}
	memmove(merged, merged->bytes, (size_t)ret);
	*bytes = merged;
	return ret;
}
