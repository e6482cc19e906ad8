/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroup of a container that exists: it is allowed to use the nodes that it was
 * given, and no more memory of GPUs than it may have. Where config.json is written at
 * create, only the latter is needed.
 */
#ifndef MPU_ROOTFS_CGROUP_H
#define MPU_ROOTFS_CGROUP_H

#include <json-c/json.h>

#include "container/rootfs/device_rules.h"
#include "lib/why.h"

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

/**
 * cgroup_write() - write a line into a file of a container's cgroup, which is of v2;
 * the cgroups above it are made to give it that controller
 * @file:	its name: "dmem.max"
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int cgroup_write(int proc, const char *file, const char *line, char why[WHY_SIZE]);

#endif /* MPU_ROOTFS_CGROUP_H */
