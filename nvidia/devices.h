/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GPUs of this machine, and what stands for them in /dev: from procfs alone.
 * No GPU is opened, which takes seconds each where no daemon keeps them ready.
 */
#ifndef MPU_NVIDIA_DEVICES_H
#define MPU_NVIDIA_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvidia/driver_root.h"
#include "nvidia/procfs.h"

/* Advice where a MIG device was asked for by a UUID that none has. */
#define MIG_UUID_ADVICE \
	"nvidia-smi -L lists the UUIDs of MIG devices; the numbers of GPU and MIG device, as 0:1, name one, too"

/* Minor numbers of the nodes whose major number is 195 (nvidia-frontend). */
#define MINOR_CONTROL	255	/* /dev/nvidiactl */
#define MINOR_MODESET	254

/**
 * struct mig - a MIG device: a compute instance of a GPU instance
 * @gpu_instance, @compute_instance: as procfs numbers them
 * @gpu_cap, @compute_cap: minor numbers of their nodes in /dev/nvidia-caps
 * @uuid:	"" until uuids_find(): procfs does not have it
 */
struct mig {
	uint32_t gpu_instance, compute_instance;
	uint32_t gpu_cap, compute_cap;
	char uuid[GPU_UUID];
};

/**
 * struct gpu - a GPU that is not excluded
 * @address:	name of its folder in /proc/driver/nvidia/gpus: "0000:3b:00.0"
 * @domain, @bus, @slot, @function: the same as numbers
 * @minor:	of its node in /dev: not always its index
 * @uuid:	"" if it is not known: procfs has it once the GPU was opened
 * @model:	"NVIDIA H200"
 * @migs:	its MIG devices, by GPU instance and compute instance
 */
struct gpu {
	char address[24];
	uint32_t domain;
	uint8_t bus, slot, function;
	uint32_t minor;
	char uuid[GPU_UUID];
	char model[GPU_MODEL];
	struct mig *migs;
	size_t n_migs;
};

/**
 * struct devices - what is there
 * @gpus:	by ascending address, which is the order of NVML's indices
 * @mig_config, @mig_monitor: minor numbers of these capabilities in
 *		/dev/nvidia-caps; 0: the driver has none
 * @imex:	channels that /dev/nvidia-caps-imex-channels has a node for
 */
struct devices {
	struct gpu *gpus;
	size_t n_gpus;
	struct majors majors;
	uint32_t mig_config, mig_monitor;
	uint32_t *imex;
	size_t n_imex;
};

/**
 * devices_read() - read all of it
 *
 * Return: 0, or negative errno and a sentence in @why; -ENODEV: the driver is
 * not loaded.
 */
int devices_read(struct devices *devices, const struct driver_root *root,
		 char why[WHY_SIZE]);

/**
 * devices_wake() - have the driver find out UUIDs of GPUs that procfs does not have yet
 *
 * Opens each GPU without one for a moment: part of uuids_find().
 */
void devices_wake(struct devices *devices, const struct driver_root *root);

/**
 * devices_find_imex() - which IMEX channel a text means: "7", or as its node is
 * called, "channel7"
 *
 * Return: 0; -EINVAL: none can be called that; -ENOENT: there is no node of it,
 * and @channel is set; with a sentence in @why.
 */
int devices_find_imex(const struct devices *devices, const char *text,
		      uint32_t *channel, char why[WHY_SIZE]);

void devices_free(struct devices *devices);

#endif /* MPU_NVIDIA_DEVICES_H */
