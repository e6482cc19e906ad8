/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loading the driver's modules, for machines where nothing else has done it.
 */
#ifndef MPU_NVIDIA_MODULES_H
#define MPU_NVIDIA_MODULES_H

#include "lib/strv.h"

/**
 * modules_load() - load those of nvidia, nvidia-uvm and nvidia-modeset that are not
 * @root:	of the driver, as of driver_root_open(), whose modprobe does it
 * @problems:	receives a sentence for each that cannot be loaded: a container may
 *		do without it
 *
 * Does nothing in a user namespace, where nobody may load modules. The parts of
 * a struct driver_root depend on the driver being loaded: call this before
 * driver_root_open().
 */
void modules_load(const char *root, struct strv *problems);

#endif /* MPU_NVIDIA_MODULES_H */
