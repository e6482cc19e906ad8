/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which system calls ldconfig may make, while it reads a stranger's files.
 */
#ifndef MPU_ROOTFS_LDCONFIG_FILTER_H
#define MPU_ROOTFS_LDCONFIG_FILTER_H

/**
 * ldconfig_filter() - allow this process, from now on, what ldconfig takes: files
 * and memory. Anything else ends with EPERM
 *
 * Return: 0 or negative errno.
 */
int ldconfig_filter(void);

#endif /* MPU_ROOTFS_LDCONFIG_FILTER_H */
