/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of GPUs that a container may have, as its variables say.
 */
#ifndef MPU_CONTAINER_REQUEST_MEMORY_H
#define MPU_CONTAINER_REQUEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/why.h"

#define GPU_MEMORY_REQUEST	"NVIDIA_GPU_MEMORY_REQUEST"
#define GPU_MEMORY_LIMIT	"NVIDIA_GPU_MEMORY_LIMIT"
#define GPU_MEMORY_ALL		UINT64_MAX

/**
 * struct gpu_memory - memory of each of its GPUs, in bytes
 * @asked:	the container has a limit or a request
 * @min:	what it is to be left while others want memory, too
 * @max:	what it may have; GPU_MEMORY_ALL: no limit
 */
struct gpu_memory {
	bool asked;
	uint64_t min, max;
};

/**
 * gpu_memory_read() - read both variables
 * @request, @limit: numbers of MiB; NULL: not set. A limit without a request is both
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int gpu_memory_read(struct gpu_memory *memory, const char *request, const char *limit,
		    char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_REQUEST_MEMORY_H */
