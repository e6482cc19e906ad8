/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts about drivers and GPUs by their numbers and names, where asking the driver
 * itself would open a GPU.
 */
#ifndef MPU_NVIDIA_GPU_DATABASE_H
#define MPU_NVIDIA_GPU_DATABASE_H

#include <stdint.h>

#include "nvidia/devices.h"

/** gpu_database_cuda() - the CUDA version of a driver branch: "13.0" of 580; NULL: not known */
const char *gpu_database_cuda(uint32_t branch);

/** gpu_database_brand() - the brand of a model: "GeForce"; NULL: not known */
const char *gpu_database_brand(const char *model);

/**
 * gpu_database_arch() - compute capability of a PCI device of NVIDIA's: "9.0"; NULL: not
 * known
 */
const char *gpu_database_arch(uint16_t device);

/** gpu_database_read_arch() - likewise, of a GPU of this machine */
const char *gpu_database_read_arch(const struct driver_root *root, const struct gpu *gpu);

#endif /* MPU_NVIDIA_GPU_DATABASE_H */
