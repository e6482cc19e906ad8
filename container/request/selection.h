/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The devices of this machine that a list of names stands for.
 */
#ifndef MPU_CONTAINER_REQUEST_SELECTION_H
#define MPU_CONTAINER_REQUEST_SELECTION_H

#include "lib/strv.h"
#include "nvidia/devices.h"

/**
 * struct chosen_gpu - a GPU of a selection
 * @whole:	chosen itself; else its node is needed for MIG devices of it
 */
struct chosen_gpu {
	const struct gpu *gpu;
	bool whole;
};

/**
 * struct chosen_mig - a MIG device of a selection
 */
struct chosen_mig {
	const struct gpu *gpu;
	const struct mig *mig;
};

/**
 * struct selection - devices, in the order in which they were asked for
 * @all:	every device was asked for
 * @config, @monitor: GPUs whose MIG devices may be configured, or monitored
 */
struct selection {
	struct chosen_gpu *gpus;
	size_t n_gpus;
	struct chosen_mig *migs;
	size_t n_migs;
	bool all;
	bool config, monitor;
	uint32_t *imex;
	size_t n_imex;
};

/**
 * struct wanted - what to select, as it was written
 * @mig_config, @mig_monitor: NULL: none
 * @imex_made:	channels that have no node yet will be given one
 * @in_parts:	of all devices, a GPU that has MIG devices is there as these alone
 */
struct wanted {
	const struct strv *devices;
	const char *mig_config, *mig_monitor;
	const struct strv *imex;
	bool imex_made;
	bool in_parts;
};

/**
 * selection_make() - find the devices
 * @root:	to find out UUIDs that procfs does not have; NULL: do not
 *
 * Return: 0, or -EINVAL or -ENOMEM and a sentence in @why, which begins with
 * nvidia-container-cli's class of it: "device error: 7: unknown device".
 */
int selection_make(struct selection *selection, struct devices *devices,
		   const struct driver_root *root, const struct wanted *wanted,
		   char why[WHY_SIZE]);

void selection_free(struct selection *selection);

#endif /* MPU_CONTAINER_REQUEST_SELECTION_H */
