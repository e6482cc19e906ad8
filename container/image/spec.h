/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A container, as far as its engine has described it before it exists: what
 * asks for GPUs in it.
 */
#ifndef MPU_CONTAINER_IMAGE_SPEC_H
#define MPU_CONTAINER_IMAGE_SPEC_H

#include <json-c/json.h>
#include <stdbool.h>

#include "lib/strv.h"
#include "lib/why.h"

/**
 * struct container - a container
 * @env:	"NAME=VALUE" of its process
 * @sources, @destinations: of its mounts: what is mounted, and at the same index
 *		where; "" for a source that is not named
 * @annotation_names, @annotation_values: likewise of its annotations
 * @privileged:	CAP_SYS_ADMIN is in its bounding set, be it written as it is since
 *		OCI 1.0.0-rc5, "capabilities": {"bounding": [...]}, or as before,
 *		"capabilities": [...]
 * @root:	its root folder: absolute
 */
struct container {
	struct strv env;
	struct strv sources, destinations;
	struct strv annotation_names, annotation_values;
	bool privileged;
	char *root;
};

/**
 * container_read() - read it out of config.json
 * @config:	of json_file_read()
 * @bundle:	its folder, which a relative root is below of; absolute
 *
 * Return: 0, or negative errno and a sentence in @why. Either way
 * container_free() is to follow.
 */
int container_read(struct container *container, struct json_object *config,
		   const char *bundle, char why[WHY_SIZE]);

/** container_env() - value of a variable, the last of that name; NULL: not set */
const char *container_env(const struct container *container, const char *name);

void container_free(struct container *container);

#endif /* MPU_CONTAINER_IMAGE_SPEC_H */
