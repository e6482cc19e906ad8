/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The root of the driver's files: this machine's own tree, or a folder that a driver
 * container fills ("/run/nvidia/driver").
 */
#ifndef MPU_NVIDIA_DRIVER_ROOT_H
#define MPU_NVIDIA_DRIVER_ROOT_H

#include <limits.h>

#include "lib/why.h"

/**
 * struct driver_root - what stands before the paths of the driver's files
 * @fd:		the folder: O_PATH
 * @files:	before those of libraries, programs, firmware and sockets: "" for
 *		this machine's own
 * @dev:	before /dev: @files if there is a /dev/nvidiactl below it, else ""
 * @proc:	before /proc and /sys: @files if there is a /proc/driver/nvidia
 *		below it, else ""
 */
struct driver_root {
	int fd;
	char files[PATH_MAX];
	char dev[PATH_MAX];
	char proc[PATH_MAX];
};

/**
 * driver_root_open() - find out
 * @path:	"" or "/" for this machine's own tree
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int driver_root_open(struct driver_root *root, const char *path,
		     char why[WHY_SIZE]);

void driver_root_close(struct driver_root *root);

#endif /* MPU_NVIDIA_DRIVER_ROOT_H */
