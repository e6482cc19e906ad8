/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calibration: whose PIDs the driver uses. A process in a PID namespace of
 * its own uses a GPU and looks for itself, and for one outside; what that does
 * not tell is inferred from what it does, and from the driver's version.
 */
#ifndef MPU_NVIDIA_CALIBRATE_H
#define MPU_NVIDIA_CALIBRATE_H

#include <sys/types.h>

#include "nvidia/calibration.h"

/* How long a measurement may take, in seconds; then its processes are killed. */
#define CALIBRATE_PATIENCE	60

/**
 * calibrate_run() - make the measurement; takes 2 x 2 MiB of a GPU for a moment
 * @dev:	folder of the device nodes
 * @begin:	called before the process in the new namespace issues its first
 *		ioctl, with its tgid in our namespace; or NULL
 * @arg:	for @begin
 *
 * Two processes are made, and are gone on return. It takes a minute at most,
 * if the driver hangs.
 *
 * Return: 0, or negative errno if the processes could not be run or died.
 */
int calibrate_run(struct calibration *calibration, const char *dev,
		  void (*begin)(pid_t tgid, void *arg), void *arg);

#endif /* MPU_NVIDIA_CALIBRATE_H */
