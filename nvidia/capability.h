/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Driver capabilities: the classes into which NVIDIA divides what its driver
 * can do, by the names that NVIDIA_DRIVER_CAPABILITIES has for them.
 */
#ifndef MPU_NVIDIA_CAPABILITY_H
#define MPU_NVIDIA_CAPABILITY_H

/* Listed in the order of their names. */
#define CAPABILITIES(X) \
	X(COMPAT32, "compat32") \
	X(COMPUTE, "compute") \
	X(DISPLAY, "display") \
	X(GRAPHICS, "graphics") \
	X(NGX, "ngx") \
	X(UTILITY, "utility") \
	X(VIDEO, "video")

enum capability_bit {
#define X(name, text) CAPABILITY_BIT_##name,
	CAPABILITIES(X)
#undef X
	CAPABILITY_COUNT
};

enum capability {
#define X(name, text) CAPABILITY_##name = 1 << CAPABILITY_BIT_##name,
	CAPABILITIES(X)
#undef X
	CAPABILITY_ALL = (1 << CAPABILITY_COUNT) - 1,
	CAPABILITY_DEFAULT = CAPABILITY_COMPUTE | CAPABILITY_UTILITY,
};

/* Names by enum capability_bit. */
extern const char *const capability_names[CAPABILITY_COUNT];

#endif /* MPU_NVIDIA_CAPABILITY_H */
