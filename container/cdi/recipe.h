/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recipe of a CDI document: the kind of its devices, their names, and what they get.
 */
#ifndef MPU_CONTAINER_CDI_RECIPE_H
#define MPU_CONTAINER_CDI_RECIPE_H

#include "container/cdi/hook.h"
#include "nvidia/installation.h"

/* Modes of documents: name, and the class that each has if none is named. */
#define CDI_MODES(X) \
	X(GPU, "gpu", "gpu") \
	X(GDS, "gds", "gds") \
	X(MOFED, "mofed", "mofed") \
	X(GDRCOPY, "gdrcopy", "gdrcopy") \
	X(NVSWITCH, "nvswitch", "nvswitch") \
	X(IMEX, "imex", "imex-channel") \
	X(MANAGEMENT, "management", "gpu")

enum cdi_mode {
#define X(name, text, class) CDI_MODE_##name,
	CDI_MODES(X)
#undef X
	CDI_MODE_COUNT
};

extern const char *const cdi_mode_names[CDI_MODE_COUNT];
extern const char *const cdi_mode_classes[CDI_MODE_COUNT];

/** cdi_mode_find() - by its name, in any case; CDI_MODE_COUNT: there is none */
enum cdi_mode cdi_mode_find(const char *name);

/* The ways to name GPUs and MIG devices. */
enum cdi_naming {
	CDI_NAMING_INDEX = 1,		/* "0", "0:1" */
	CDI_NAMING_UUID = 2,		/* "GPU-...", "MIG-..." where it is known */
	CDI_NAMING_TYPE_INDEX = 4,	/* "gpu0", "mig0:1" */
};

/**
 * struct cdi_recipe - what document to make
 * @installation: its devices may be woken, to find UUIDs out
 * @vendor, @class: NULL: "nvidia.com", and what the mode has
 * @naming:	of enum cdi_naming
 * @devices:	those alone; of CDI_MODE_GPU as NVIDIA_VISIBLE_DEVICES has them, of
 *		CDI_MODE_IMEX channels; NULL: all
 * @no_all:	without the device "all"
 * @capabilities: enum capability
 * @library, @library32: folders of libraries in containers; NULL: as containers
 *		that are like this machine have them
 * @settings:	see struct plan_inputs
 * @annotate:	say the driver's version in an annotation, which needs CDI 0.6.0
 * @hooks:	enum cdi_hook: those to write. Without CDI_HOOK_SYMLINKS a library is
 *		mounted under each of its names
 * @hook_path:	of the program that they are; NULL: /usr/bin/nvidia-cdi-hook
 */
struct cdi_recipe {
	struct installation *installation;
	enum cdi_mode mode;
	const char *vendor, *class;
	unsigned int naming;
	const struct strv *devices;
	bool no_all;
	unsigned int capabilities;
	const char *library, *library32;
	const struct settings *settings;
	bool annotate;
	unsigned int hooks;
	const char *hook_path;
};

#endif /* MPU_CONTAINER_CDI_RECIPE_H */
