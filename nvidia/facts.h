/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an image may require of a driver and a GPU, and no file of the kernel says:
 * known here by version and by name, so that no GPU has to be opened.
 */
#ifndef MPU_NVIDIA_FACTS_H
#define MPU_NVIDIA_FACTS_H

/**
 * facts_cuda() - the CUDA version of a driver
 * @version:	of the driver: "580.159.04"
 *
 * Return: "13.0", or NULL: not known.
 */
const char *facts_cuda(const char *version);

/**
 * facts_brand() - the brand of a GPU, as NVML and NVIDIA_REQUIRE_... name it
 * @model:	"NVIDIA GeForce RTX 4090"
 *
 * Return: "GeForce", or NULL: not known.
 */
const char *facts_brand(const char *model);

#endif /* MPU_NVIDIA_FACTS_H */
