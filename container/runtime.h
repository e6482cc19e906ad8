/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu-runtime: an OCI runtime in front of another one.
 */
#ifndef MPU_CONTAINER_RUNTIME_H
#define MPU_CONTAINER_RUNTIME_H

#include "container/oci/oci.h"
#include "container/request/request.h"

/**
 * oci_runtime_create() - before a container is made: give it GPUs, if it asks for some, and
 * have it supervised, both by one edit of its config.json
 * @listener:	of the agent; NULL: do not supervise
 *
 * A file that needs no edit is left alone. Logs what was done, and what was asked for and
 * is not given.
 *
 * Return: 0; or negative errno and a sentence in @why; or above 0 and a sentence why the
 * container will not be supervised.
 */
int oci_runtime_create(const struct oci_runtime *runtime, const struct settings *settings,
		       const char *listener, char why[WHY_SIZE]);

/**
 * oci_runtime_check_move() - refuse to checkpoint or restore a supervised container
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_runtime_check_move(const struct oci_runtime *runtime, const char *listener,
			   char why[WHY_SIZE]);

/**
 * oci_runtime_clean() - remove mount points of a container that is to be deleted: it is,
 * whatever comes of this
 */
void oci_runtime_clean(const struct oci_runtime *runtime);

/**
 * oci_runtime_exec() - become the runtime, with the words that this one was called with
 *
 * Return: negative errno and a sentence in @why.
 */
int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_RUNTIME_H */
