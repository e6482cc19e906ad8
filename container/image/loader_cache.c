// SPDX-License-Identifier: GPL-2.0-only
/*
 * ld.so.cache of an image.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/image/internal.h"
#include "lib/in_root.h"
#include "lib/sandbox.h"
#include "lib/xalloc.h"

/* Libraries to add, for the sandbox; @room: of the cache that it writes. */
struct addition {
	const struct ldcache_entry *added;
	size_t n;
	size_t room;
};

/* A cache that was written in the sandbox. */
struct merged {
	uint32_t size;
	unsigned char bytes[];
};

/*
 * Room for an image's cache and the libraries: all of it is copied at each start of a
 * container. ldconfig has names share strings with paths, which a merged cache does not.
 */
static size_t find_room(int fd, const struct ldcache_entry *added, size_t n)
{
	struct stat st;
	size_t room = 4096, i;

	if (fd >= 0 && !fstat(fd, &st))
		room += st.st_size < LDCACHE_SIZE_MAX ? 4 * (size_t)st.st_size : LDCACHE_SIZE_MAX;
	for (i = 0; i < n; i++)
		room += 64 + strlen(added[i].key) + (added[i].path ? strlen(added[i].path) : 0);
	return room < LDCACHE_SIZE_MAX ? room : LDCACHE_SIZE_MAX;
}

/* Is it a cache of any glibc, of one to come, too? Its loader may read more than we do. */
static bool has_magic(const void *bytes, size_t size)
{
	static const char *const magics[] = { "ld.so-", "glibc-ld.so.cache" };
	size_t i, len;

	for (i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		len = strlen(magics[i]);
		if (size >= len && !memcmp(bytes, magics[i], len))
			return true;
	}
	return false;
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
		return has_magic(bytes, size) ? -ENOTSUP : -EINVAL;
	ret = ldcache_merge(&cache, addition->added, addition->n, merged->bytes, addition->room);
	merged->size = ret < 0 ? 0 : (uint32_t)ret;
	return ret < 0 ? (int)ret : 0;
}

long loader_cache_merge(int held, const struct ldcache_entry *added, size_t n, char **bytes)
{
	int fd = regular_open(held, O_RDONLY);
	const struct addition addition = { added, n, find_room(fd, added, n) };
	struct merged *merged = xcalloc(1, sizeof(*merged) + addition.room);
	long ret = fd;

	*bytes = NULL;
	if (ret >= 0)
		ret = sandbox_parse(fd, merge, &addition, merged, sizeof(*merged) + addition.room);
	if (fd >= 0)
		close(fd);
	if (!ret)
		ret = merged->size <= addition.room ? (long)merged->size : -EINVAL;
	else if (ret == -ENOENT || ret == -EINVAL)
		ret = ldcache_merge(NULL, added, n, merged->bytes, addition.room);
	if (ret < 0) {
		free(merged);
		return ret;
	}
	memmove(merged, merged->bytes, (size_t)ret);
	*bytes = (char *)merged;
	(*bytes)[ret] = '\0';	/* the byte after @size */
	return ret;
}

const char *loader_cache_why(long error)
{
	return error == -ENOTSUP ? "it is broken, or of a newer or older format" :
	       error == -EBUSY ? "it is a mount of the container's own" :
	       error == -E2BIG ? "there are more libraries than any container has" :
	       strerror((int)-error);
}
