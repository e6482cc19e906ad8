/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpu-runtime: an OCI runtime in front of another one.
 */
#ifndef MPU_CONTAINER_RUNTIME_H
#define MPU_CONTAINER_RUNTIME_H

#include "container/inject.h"
#include "container/oci/runtime_args.h"

/**
 * oci_runtime_prepare() - do what comes before the runtime is called: edit the
 * configuration of a container that is to be made, refuse to checkpoint or
 * restore one that is supervised, remove mount points of one that is to be deleted
 * @listener:	of the agent; NULL: do not supervise
 * @injection:	as of inject()
 *
 * Return: 0; or negative errno and a sentence in @why; or above 0 and a
 * sentence why the container will not be supervised.
 */
int oci_runtime_prepare(const struct oci_runtime *runtime,
			const char *listener, struct injection *injection,
			char why[WHY_SIZE]);

/**
 * oci_runtime_words() - the words that the runtime is called with
 * @words:	own ones; NULL ends them
 *
 * Return: the caller's to free; NULL: no memory.
 */
char **oci_runtime_words(char **words, const char *path);

/**
 * oci_runtime_exec() - become the runtime
 *
 * Return: negative errno and a sentence in @why.
 */
int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_RUNTIME_H */
