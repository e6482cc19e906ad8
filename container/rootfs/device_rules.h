/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices that a container is to be allowed.
 */
#ifndef MPU_ROOTFS_DEVICE_RULES_H
#define MPU_ROOTFS_DEVICE_RULES_H

#include <stddef.h>
#include <stdint.h>

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

#endif /* MPU_ROOTFS_DEVICE_RULES_H */
