/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Links of an image that lead to files of the kernel's: whatever is mounted there hides
 * them from the container's own protection. runc writes AppArmor's profile into
 * /proc/self/attr/exec (CVE-2019-16884), and hides /proc/sys.
 */
#ifndef MPU_CONTAINER_IMAGE_KERNEL_FILES_H
#define MPU_CONTAINER_IMAGE_KERNEL_FILES_H

#include <stdbool.h>

#include "lib/why.h"

/**
 * kernel_files_are() - is a place in /proc, /sys or /dev, and its path is not?
 * @path:	in the container, as it is asked for
 * @place:	where links lead from there; "" where that is not known
 * @type:	of the filesystem that is there, as statfs(2) has it; 0: not known
 */
bool kernel_files_are(const char *path, const char *place, long type);

/** kernel_files_refuse() - say that a path leads there. Return: -EXDEV */
int kernel_files_refuse(char why[WHY_SIZE], const char *path);

#endif /* MPU_CONTAINER_IMAGE_KERNEL_FILES_H */
