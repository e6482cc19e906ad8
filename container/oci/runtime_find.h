/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The runtime behind mpu-runtime: where it is, and what it says about itself.
 */
#ifndef MPU_CONTAINER_OCI_RUNTIME_FIND_H
#define MPU_CONTAINER_OCI_RUNTIME_FIND_H

#include "container/oci/runtime_args.h"
#include "lib/strv.h"

/**
 * oci_runtime_locate() - find the runtime behind this one
 * @candidates:	names, or paths, of which the first is taken that is there
 *
 * MPU_RUNTIME, or the first line in /etc/mpu/runtime that is neither empty nor
 * a comment, or one of @candidates in PATH that is not mpu.
 *
 * Return: 0, or negative errno and a sentence in @why. -ELOOP: that runtime has
 * called mpu-runtime, again and again.
 */
int oci_runtime_locate(struct oci_runtime *runtime,
		       const struct strv *candidates, char why[WHY_SIZE]);

/** oci_runtime_is_program() - can it be a runtime? */
bool oci_runtime_is_program(const char *path);

/**
 * struct oci_features - what a runtime says it can do
 * @notify:	the action to notify; one that does not say is taken to know it
 * @flag:	OCI_FLAG, and the kernel knows it, too
 */
struct oci_features {
	bool notify;
	bool flag;
};

/** oci_runtime_examine() - ask a runtime for its features */
void oci_runtime_examine(const char *path, struct oci_features *features);

/**
 * struct oci_state - what a runtime says of a container
 * @bundle:	its folder
 * @stopped:	its process has ended
 */
struct oci_state {
	char bundle[PATH_MAX];
	bool stopped;
};

/**
 * oci_runtime_state() - ask the runtime for the state of the container that the command
 * line names
 *
 * Return: false if that cannot be told: there is no such container, say.
 */
bool oci_runtime_state(const struct oci_runtime *runtime, struct oci_state *state);

#endif /* MPU_CONTAINER_OCI_RUNTIME_FIND_H */
