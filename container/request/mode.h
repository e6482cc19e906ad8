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
	X(JIT_CDI, "jit-cdi")	/* from a CDI document made on demand */

enum mode {
#define X(name, text) MODE_##name,
	MODES(X)
#undef X
	MODE_COUNT
};

/* NVIDIA's toolkit has one more, "csv". */
#define MODE_CSV_REFUSED \
	"mode \"csv\" in [nvidia-container-runtime] of config.toml is for the lists of files of a Tegra, and is not done here: install NVIDIA's toolkit on a Tegra, and elsewhere set mode to auto"

extern const char *const mode_names[MODE_COUNT];

/** mode_find() - by name. Return: MODE_COUNT: there is none of it. */
enum mode mode_find(const char *name);

/**
 * mode_resolve() - what a setting stands for
 * @setting:	"auto"; any other is its own answer
 * @is_cdi:	every device was asked for by a name of CDI, and one was
 * @standard:	where names do not decide: "native"
 */
const char *mode_resolve(const char *setting, bool is_cdi, const char *standard);

#endif /* MPU_CONTAINER_REQUEST_MODE_H */
