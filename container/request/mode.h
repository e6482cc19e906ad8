/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modes: who gives a container its GPUs, and when.
 */
#ifndef MPU_CONTAINER_REQUEST_MODE_H
#define MPU_CONTAINER_REQUEST_MODE_H

#include <stdbool.h>

/* Named as in config.toml. */
#define MODES(X) \
	X(NATIVE, "native")	/* all of it edited before the container exists */ \
	X(LEGACY, "legacy")	/* a prestart hook, and nvidia-container-cli */ \
	X(CDI, "cdi")		/* from CDI documents */ \
	X(JIT_CDI, "jit-cdi")	/* from a CDI document made on demand */ \
	X(CSV, "csv")		/* files of lists, on Tegra */

enum mode {
#define X(name, text) MODE_##name,
	MODES(X)
#undef X
	MODE_COUNT
};

extern const char *const mode_names[MODE_COUNT];

/** mode_find() - by name. Return: MODE_COUNT: there is none of it. */
enum mode mode_find(const char *name);

/**
 * struct platform - what machine this is
 * @dxcore:	Windows is below it (WSL)
 * @nvml:	the driver is loaded
 * @tegra_files, @integrated_gpu: it is a Tegra; or has its kind of GPU
 */
struct platform {
	bool dxcore, nvml, tegra_files, integrated_gpu;
};

/**
 * platform_read() - find out, from files alone
 * @root:	of the driver: "" for this machine's own tree
 */
void platform_read(struct platform *platform, const char *root);

/**
 * mode_resolve() - what a setting stands for
 * @setting:	"auto"; any other is its own answer
 * @is_cdi:	every device was asked for by a name of CDI, and one was
 * @standard:	where neither names nor machine decide: "native"
 */
const char *mode_resolve(const char *setting, bool is_cdi,
			 const struct platform *platform, const char *standard);

#endif /* MPU_CONTAINER_REQUEST_MODE_H */
