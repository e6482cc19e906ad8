/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device cgroup of a container that exists: it is allowed to use the nodes that
 * it was given. Where config.json is written at create, none of this is needed.
 */
#ifndef MPU_ROOTFS_CGROUP_H
#define MPU_ROOTFS_CGROUP_H

#include <json-c/json.h>
#include <stdint.h>

#include "lib/why.h"

/**
 * struct device_rule - a character device that may be read and written
 */
struct device_rule {
	uint32_t major, minor;
};

/**
 * struct device_rules - some of them, in the order in which they were asked for
 */
struct device_rules {
	struct device_rule *rule;
	size_t n;
};

/** device_rules_add() - add one, unless it is there. Return: 0 or -ENOMEM */
int device_rules_add(struct device_rules *rules, uint32_t major,
		     uint32_t minor);

void device_rules_free(struct device_rules *rules);

/**
 * cgroup_allow() - allow a container these devices
 * @proc:	folder in /proc of a process of it
 * @config:	linux.resources.devices of its config.json, NULL: not known
 *
 * All or none.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int cgroup_allow(int proc, const struct device_rules *rules,
		 struct json_object *config, char why[WHY_SIZE]);

#endif /* MPU_ROOTFS_CGROUP_H */
