/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conclusions from the observations of a calibration and from what is known of drivers.
 * No system call is made here.
 */
#ifndef MPU_NVIDIA_INFER_H
#define MPU_NVIDIA_INFER_H

#include "nvidia/calibration.h"

/**
 * infer_pid_space() - whose PIDs the driver uses, control by control
 * @calibration: @driver and @seen are set; @looked_up and below follow
 */
void infer_pid_space(struct calibration *calibration);

/**
 * infer_regime_by_version() - the regime that a driver of this version and
 * flavour has; MPU_REGIMES if it is not known
 */
enum mpu_regime infer_regime_by_version(const struct driver *driver);

/**
 * infer_is_translated() - does a container see its own processes, by its own
 * numbers, and no others?
 *
 * The measurement was made through an engine. Return: 1 yes, 0 no, -1 there was
 * nothing to see.
 */
int infer_is_translated(const struct calibration *calibration);

/** infer_contradicts_version() - does the driver do what its version does not? */
bool infer_contradicts_version(const struct calibration *calibration);

#endif /* MPU_NVIDIA_INFER_H */
