// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzz target: ld.so.cache. Whatever it holds, what is read lies within it, and
 * what is merged is a cache that has what was added.
 */
#include "nvidia/internal.h"
#include "tests/container/random.h"

/* The input is the file, behind "="; or what to change in one that is right. */
const char *const random_seeds[] = {
	"", "!", "+", "-", "=glibc-ld.so.cache1.1", "=ld.so-1.7.0", "30\1\377", "84\2\200", NULL,
};

static const struct ldcache_entry some[] = {
	{ .key = "libcuda.so.1", .path = "/usr/lib64/libcuda.so.1", .flags = LDCACHE_NATIVE },
	{ .key = "libcuda.so.1", .path = "/usr/lib/libcuda.so.1", .flags = LDCACHE_NATIVE32 },
	{ .key = "libnvidia-ml.so.1", .path = "/opt/other", .flags = LDCACHE_NATIVE },
	{ .key = "libz.so.1", .path = "/lib/libz.so.1", .flags = LDCACHE_NATIVE, .hwcap = 1ull << 62 },
};

static const struct ldcache_entry added[] = {
	{ .key = "libcuda.so.1", .path = "/new/libcuda.so.1", .flags = LDCACHE_NATIVE },
	{ .key = "libnvidia-ml.so.1", .flags = LDCACHE_NATIVE },
};

/* Two bytes say where, a third what stands there; what is odd comes from behind. */
static void change(unsigned char *file, size_t size, const uint8_t *data, size_t n)
{
	for (; n >= 3; data += 3, n -= 3) {
		size_t at = ((size_t)data[0] << 8 | data[1]) % size;

		file[data[0] & 1 ? size - 1 - at : at] = data[2];
	}
}

static void check_merged(const unsigned char *bytes, size_t size)
{
	struct ldcache_entry entry;
	unsigned int found = 0;
	struct ldcache cache;
	uint32_t i;

	require(!ldcache_open(&cache, bytes, size));
	for (i = 0; i < cache.n; i++) {
		require(ldcache_entry(&cache, i, &entry));
		if (entry.flags != LDCACHE_NATIVE)
			continue;
		require(strcmp(entry.key, "libnvidia-ml.so.1"));
		if (!strcmp(entry.key, "libcuda.so.1")) {
			require(!strcmp(entry.path, "/new/libcuda.so.1"));
			found++;
		}
	}
	require(found == 1);
}

static void check(const unsigned char *file, size_t size)
{
	static unsigned char merged[1 << 16], again[1 << 16];
	struct ldcache_entry entry;
	struct ldcache cache;
	uint32_t i;
	long length;

	if (ldcache_open(&cache, file, size))
		return;
	random_taken++;
	for (i = 0; i < cache.n; i++)
		if (ldcache_entry(&cache, i, &entry))
			require(entry.key >= (const char *)file &&
				entry.path + strlen(entry.path) < (const char *)file + size);
	length = ldcache_merge(&cache, added, 2, merged, sizeof(merged));
	if (length < 0)
		return;
	check_merged(merged, (size_t)length);
	/* A cache that has it already does not change. */
	require(!ldcache_open(&cache, merged, (size_t)length));
	require(ldcache_merge(&cache, added, 2, again, sizeof(again)) <= length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *file = malloc(size + 4096);
	long made;

	if (!file)
		return 0;
	if (size && data[0] == '=') {
		memcpy(file, data + 1, size - 1);
		made = (long)size - 1;
	} else {
		made = ldcache_merge(NULL, some, sizeof(some) / sizeof(*some), file, 4096);
		require(made > 0);
		change(file, (size_t)made, data, size);
	}
	/* Allocated in its own size, for the sanitizer. */
	file = realloc(file, made ? (size_t)made : 1);
	if (file)
		check(file, (size_t)made);
	free(file);
	return 0;
}
