/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CDI document for a root folder that others see elsewhere: a driver container
 * writes "/run/nvidia/driver" where the host has another folder, or "/".
 */
#ifndef MPU_CONTAINER_CDI_TRANSFORM_H
#define MPU_CONTAINER_CDI_TRANSFORM_H

#include <json-c/json.h>
#include <stdbool.h>

#include "lib/why.h"

/**
 * cdi_transform_root() - put @to where paths begin with @from
 * @root:	the document
 * @container:	in paths of the container, and not of the host
 *
 * Nodes, mounts, programs of hooks, and their arguments that are paths. All else
 * of the document stays as it is.
 *
 * Return: 0, or negative errno and a sentence in @why: it is no valid document,
 * before or afterwards.
 */
int cdi_transform_root(struct json_object *root, const char *from,
		       const char *to, bool container, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_CDI_TRANSFORM_H */
