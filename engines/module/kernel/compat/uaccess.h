/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading kernel memory that may not be there, and a caller's.
 */
#ifndef MPU_COMPAT_UACCESS_H
#define MPU_COMPAT_UACCESS_H

#include <linux/uaccess.h>

/* Its name until 0c389d89abc2 (5.8). */
#ifndef get_kernel_nofault
#define get_kernel_nofault(val, ptr) probe_kernel_address(ptr, val)
#endif

/* Up to 4.20 it was told the direction, too (kernel commit 96d4f267e40f). */
#ifdef VERIFY_READ
#define mpu_access_ok(from, size) access_ok(VERIFY_READ, from, size)
#else
#define mpu_access_ok(from, size) access_ok(from, size)
#endif

#endif /* MPU_COMPAT_UACCESS_H */
