/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver as it is installed on this machine: all that a container can be
 * given, read once.
 */
#ifndef MPU_NVIDIA_INSTALLATION_H
#define MPU_NVIDIA_INSTALLATION_H

#include "nvidia/devices.h"
#include "nvidia/driver.h"
#include "nvidia/files.h"

/**
 * struct installation - what is there
 * @version:	"580.159.04"
 * @cuda:	the version of CUDA that it has: "13.0"; "": not known
 * @files:	those that were asked for
 */
struct installation {
	struct driver_root root;
	char version[DRIVER_VERSION];
	char cuda[32];
	struct devices devices;
	struct driver_files files;
};

/**
 * installation_read() - read all of it
 * @root:	as of driver_root_open()
 * @capabilities, @ldcache: as of driver_files_find()
 *
 * Return: 0, or negative errno and a sentence in @why; -ENODEV: no driver is
 * loaded; -EOPNOTSUPP: on WSL none ever is.
 */
int installation_read(struct installation *installation, const char *root,
		      unsigned int capabilities, const char *ldcache,
		      char why[WHY_SIZE]);

/**
 * installation_read_some() - read what there is of versions and devices, and no files: the
 * driver need not be loaded
 * @root:	as of driver_root_open()
 *
 * Return: 0, or negative errno and a sentence in @why: there is no such root.
 */
int installation_read_some(struct installation *installation, const char *root,
			   char why[WHY_SIZE]);

/**
 * installation_version() - the version of the driver alone
 * @root:	as of driver_root_open()
 *
 * Return: as installation_read().
 */
int installation_version(char version[DRIVER_VERSION], const char *root,
			 char why[WHY_SIZE]);

void installation_free(struct installation *installation);

#endif /* MPU_NVIDIA_INSTALLATION_H */
