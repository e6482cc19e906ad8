// SPDX-License-Identifier: GPL-2.0-only
/*
 * NVIDIA_GPU_MEMORY_LIMIT and _REQUEST.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "container/request/internal.h"

#define MIB	(1u << 20)

static int read_mib(const char *name, const char *text, uint64_t *bytes,
		    char why[WHY_SIZE])
{
	unsigned long long n;

	errno = 0;
	n = strtoull(text, NULL, 10);
	if (!*text || text[strspn(text, "0123456789")] || errno || n > UINT64_MAX / MIB)
		return why_fail(why, -EINVAL, "%s: '%.64s' is not a number of MiB: write 4096 for 4 GiB",
				name, text);
	*bytes = n * MIB;
	return 0;
}

int gpu_memory_read(struct gpu_memory *memory, const char *request, const char *limit,
		    char why[WHY_SIZE])
{
	int ret = 0;

	*memory = (struct gpu_memory){ .asked = request || limit, .max = GPU_MEMORY_ALL };
	if (limit)
		ret = read_mib(GPU_MEMORY_LIMIT, limit, &memory->max, why);
	memory->min = memory->max;
	if (!ret && request)
		ret = read_mib(GPU_MEMORY_REQUEST, request, &memory->min, why);
	if (!ret && memory->min > memory->max)
		ret = why_fail(why, -EINVAL, GPU_MEMORY_REQUEST ": %" PRIu64 " MiB are above the %" PRIu64 " MiB of " GPU_MEMORY_LIMIT ": ask for less",
			       memory->min / MIB, memory->max / MIB);
	return ret;
}
