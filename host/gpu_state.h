/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the values of nvidia/state.h, in JSON and in metrics alike.
 */
#ifndef MPU_HOST_GPU_STATE_H
#define MPU_HOST_GPU_STATE_H

#include "nvidia/state.h"

/**
 * struct gpu_value_name - of one value
 * @metric:	"mpu_gpu_power_watts"
 * @help:	a sentence
 * @times:	what it is multiplied by to be in the unit of its name
 * @decimals:	how many of its digits are then behind the point
 * @counts:	it only grows
 */
struct gpu_value_name {
	const char *metric, *help;
	u32 times;
	u8 decimals;
	bool counts;
};

/* GPU_THROTTLE has none: it is a set. */
extern const struct gpu_value_name gpu_value_names[GPU_VALUES];

/** gpu_value_key() - its name in JSON: "power_watts" */
const char *gpu_value_key(enum gpu_value value);

#endif /* MPU_HOST_GPU_STATE_H */
