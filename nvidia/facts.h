/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts about drivers and GPUs by their numbers and names, where asking the driver
 * itself would open a GPU.
 */
#ifndef MPU_NVIDIA_FACTS_H
#define MPU_NVIDIA_FACTS_H

#include <stdint.h>

#include "nvidia/devices.h"

/** facts_cuda() - the CUDA version of a driver branch: "13.0" of 580; NULL: not known */
const char *facts_cuda(uint32_t branch);

/** facts_brand() - the brand of a model: "GeForce"; NULL: not known */
const char *facts_brand(const char *model);

/**
 * facts_arch() - compute capability of a PCI device of NVIDIA's: "9.0"; NULL: not
 * known
 */
const char *facts_arch(uint16_t device);

/** facts_read_arch() - likewise, of a GPU of this machine */
const char *facts_read_arch(const struct driver_root *root, const struct gpu *gpu);

#endif /* MPU_NVIDIA_FACTS_H */
