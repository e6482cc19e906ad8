/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits the privileges of a program that works inside of containers: the capabilities
 * of each phase of nvidia-container-cli, and no others.
 */
#ifndef MPU_ROOTFS_PRIVILEGES_H
#define MPU_ROOTFS_PRIVILEGES_H

#include "lib/why.h"

enum rootfs_phase {
	PHASE_INIT,		/* find the driver */
	PHASE_KMODS,		/* the same, and make it ready: modules and nodes */
	PHASE_CONTAINER,	/* look at the container */
	PHASE_INFO,		/* choose devices */
	PHASE_MOUNT,		/* change the container */
	PHASE_SHUTDOWN,
};

/**
 * rootfs_harden() - to be called first by a program that calls the rest: no
 * descriptors but 0, 1 and 2, no variables that a loader obeys, nobody may trace it
 * or read its memory, and no capability that no phase needs
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int rootfs_harden(char why[WHY_SIZE]);

/**
 * rootfs_phase() - begin a phase: its capabilities are effective, no others
 *
 * Return: as rootfs_harden().
 */
int rootfs_phase(enum rootfs_phase phase, char why[WHY_SIZE]);

#endif /* MPU_ROOTFS_PRIVILEGES_H */
