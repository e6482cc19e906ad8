/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device cgroup of cgroup v2: programs in the kernel, all of which must say
 * yes. Rules can be added to what is there only by replacing each program.
 */
#ifndef MPU_ROOTFS_CGROUP_BPF_H
#define MPU_ROOTFS_CGROUP_BPF_H

#include <json-c/json.h>

#include "container/rootfs/device_rules.h"
#include "lib/why.h"

/**
 * cgroup_bpf_allow() - allow devices in a cgroup
 * @folder:	of it: O_RDONLY
 * @config:	as of cgroup_allow()
 *
 * All programs are replaced, or none. A program that cannot be read is made again from
 * @config.
 *
 * Return: as cgroup_allow().
 */
int cgroup_bpf_allow(int folder, const struct device_rules *rules,
		     struct json_object *config, char why[WHY_SIZE]);

#endif /* MPU_ROOTFS_CGROUP_BPF_H */
