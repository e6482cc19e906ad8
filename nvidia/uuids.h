/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * UUIDs that procfs does not have: those of GPUs that nobody has opened yet, and of MIG
 * devices.
 */
#ifndef MPU_NVIDIA_UUIDS_H
#define MPU_NVIDIA_UUIDS_H

#include "nvidia/devices.h"

/**
 * uuids_find() - find out UUIDs that are not known
 *
 * Opens each GPU without one for a moment, and each that has such a MIG device, with
 * the nodes of its capabilities: to be called only where a UUID that was asked for is
 * not among those that are known. A UUID that cannot be asked for, or is not answered, stays
 * unknown.
 */
void uuids_find(struct devices *devices, const struct driver_root *root);

#endif /* MPU_NVIDIA_UUIDS_H */
