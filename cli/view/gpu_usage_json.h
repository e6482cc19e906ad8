/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GPU processes, and sums of them, as JSON: docs/ps.md says what the members mean.
 */
#ifndef MPU_CLI_VIEW_GPU_USAGE_JSON_H
#define MPU_CLI_VIEW_GPU_USAGE_JSON_H

#include "host/gpu_usage.h"
#include "lib/json.h"

/**
 * usage_describe() - the GPUs, and all processes; the caller's to put
 *
 * The processes are described when this is written as text: @usage has to be there then.
 */
struct json_object *usage_describe(const struct usage *usage);

/** usage_describe_sums() - the GPUs, and sums in place of processes */
struct json_object *usage_describe_sums(const struct usage *usage, enum usage_by by,
					const struct usage_sum *sums, size_t n);

#endif /* MPU_CLI_VIEW_GPU_USAGE_JSON_H */
