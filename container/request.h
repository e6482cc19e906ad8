/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a container asks for: read from its variables, mounts and annotations,
 * within what the settings of the machine allow.
 */
#ifndef MPU_CONTAINER_REQUEST_H
#define MPU_CONTAINER_REQUEST_H

#include "container/container.h"
#include "container/settings.h"

/**
 * struct request - what is asked for
 * @devices:	names of devices in their order, each once: "all", "0", "GPU-...",
 *		"nvidia.com/gpu=0"
 * @is_gpu:	it asks for the driver; with no device, it gets that alone
 * @capabilities: enum capability
 * @requirements: expressions of the requirement language, all of which must hold
 * @mig_config, @mig_monitor: "all", NULL: not asked for
 * @imex:	channels, as they are written
 * @source:	what has asked, for `explain`: "NVIDIA_VISIBLE_DEVICES=0,1"
 * @warnings:	sentences: what was asked for and is not given
 */
struct request {
	struct words devices;
	bool is_gpu;
	unsigned int capabilities;
	struct words requirements;
	char *mig_config, *mig_monitor;
	struct words imex;
	char *source;
	struct words warnings;
};

/**
 * request_read() - find out what a container asks for
 * @annotations: devices that annotations name count, too
 *
 * Return: 0, or negative errno and a sentence in @why: it asks for what it may
 * not have.
 */
int request_read(struct request *request, const struct container *container,
		 const struct settings *settings, bool annotations,
		 char why[WHY_SIZE]);

void request_free(struct request *request);

#endif /* MPU_CONTAINER_REQUEST_H */
