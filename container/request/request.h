/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A container's request: read from its variables, mounts and annotations, within the
 * settings of the machine.
 */
#ifndef MPU_CONTAINER_REQUEST_REQUEST_H
#define MPU_CONTAINER_REQUEST_REQUEST_H

#include "container/image/image.h"
#include "container/request/memory.h"
#include "container/request/settings.h"

/**
 * struct request - what is asked for
 * @devices:	names of devices in their order: "all", "0", "GPU-...",
 *		"nvidia.com/gpu=0". From variables: each once. From mounts and annotations:
 *		as they are written
 * @is_gpu:	it asks for the driver; with no device, it gets that alone
 * @capabilities: enum capability
 * @requirements: expressions of the requirement language, all of which must hold
 * @mig_config, @mig_monitor: "all", NULL: not asked for
 * @imex:	channels, as they are written
 * @gated:	parts of the driver that have a variable each, as jit-cdi names them:
 *		"mode=gds"
 * @memory:	how much of each GPU
 * @source, @capabilities_source: what has asked, for `explain`:
 *		"NVIDIA_VISIBLE_DEVICES=0,1"
 * @warnings:	sentences: what was asked for and is not given
 */
struct request {
	struct strv devices;
	bool is_gpu;
	unsigned int capabilities;
	struct strv requirements;
	char *mig_config, *mig_monitor;
	struct strv imex;
	struct strv gated;
	struct gpu_memory memory;
	char *source, *capabilities_source;
	struct strv warnings;
};

/**
 * enum request_annotations - do the devices count that annotations name?
 * @ANNOTATIONS_OF_CDI: yes, if all of them are names of CDI: mode "auto" is "cdi" then
 */
enum request_annotations { ANNOTATIONS_IGNORED, ANNOTATIONS_COUNT, ANNOTATIONS_OF_CDI };

/**
 * request_read() - find out which devices a container asks for
 *
 * Return: 0, or negative errno and a sentence in @why. Either way request_free()
 * is to follow.
 */
int request_read(struct request *request, const struct container *container,
		 const struct settings *settings, enum request_annotations annotations,
		 char why[WHY_SIZE]);

/**
 * request_read_details() - and what of the driver it asks for, on which conditions:
 * capabilities, requirements, MIG
 *
 * Where CDI's documents say what belongs to a device, none of it counts.
 *
 * Return: 0, or negative errno and a sentence in @why: it asks for what it may
 * not have.
 */
int request_read_details(struct request *request,
			 const struct container *container,
			 const struct settings *settings, char why[WHY_SIZE]);

/** request_is_jit() - is a name of REQUEST_JIT_KIND, which takes no document? */
bool request_is_jit(const char *name);

/** request_is_cdi() - does it ask for devices, and for none but by CDI's names? */
bool request_is_cdi(const struct request *request);

void request_free(struct request *request);

/* The kind of devices that are not in any file, but made as they are asked for. */
#define REQUEST_JIT_KIND "runtime.nvidia.com/gpu"

/**
 * request_name_devices() - the devices by CDI's names, each once
 * @kind:	of those that have none: "nvidia.com/gpu"
 * @names:	receives them
 *
 * Return: 0, or -EINVAL or -ENOMEM and a sentence in @why: some are of
 * REQUEST_JIT_KIND and some are not.
 */
int request_name_devices(const struct request *request, const char *kind,
			 struct strv *names, char why[WHY_SIZE]);

/**
 * struct request_mode - devices that one mode of CDI's generator makes
 * @mode:	"auto", "gds"
 */
struct request_mode {
	char *mode;
	struct strv devices;
};

/**
 * request_group_devices() - by mode, in the order in which modes come first
 * @names:	"0", REQUEST_JIT_KIND "=0", "mode=gds", "mode=imex,id=3"
 * @modes:	receives an array, for request_free_modes()
 *
 * Return: 0 or -ENOMEM.
 */
int request_group_devices(const struct strv *names, struct request_mode **modes,
			  size_t *n);

void request_free_modes(struct request_mode *modes, size_t n);

#endif /* MPU_CONTAINER_REQUEST_REQUEST_H */
