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

/* Libraries to add, for the sandbox. */
struct addition {
	const struct ldcache_entry *added;
	size_t n;
};

/* A cache that was written in the sandbox. */
struct merged {
	uint32_t size;
	unsigned char bytes[LDCACHE_SIZE_MAX];
};

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

static int merge_file(int root, const struct addition *addition, struct merged *merged)
{
	int fd = regular_open(beneath_open(root, LOADER_CACHE, O_PATH), O_RDONLY);
	int ret;

	if (fd < 0)
		return fd;
	ret = sandbox_parse(fd, merge, addition, merged, sizeof(*merged));
	close(fd);
	return ret;
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
	ret = merge_file(root, &addition, merged);
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
