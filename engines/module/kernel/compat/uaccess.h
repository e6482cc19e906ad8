/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading kernel memory that may not be there, and a caller's.
 */
#ifndef MPU_COMPAT_UACCESS_H
#define MPU_COMPAT_UACCESS_H

#include <linux/uaccess.h>

/* The name until 0c389d89abc2 (5.8). */
#ifndef get_kernel_nofault
#define get_kernel_nofault(val, ptr) probe_kernel_address(ptr, val)
#endif

/*
 * Up to 4.20 access_ok() was told the direction, too (kernel commit 96d4f267e40f), and
 * user_access_begin() did not ask it (594cc251fdd0).
 */
#ifdef VERIFY_READ
#define mpu_access_ok(from, size) access_ok(VERIFY_READ, from, size)
#define mpu_user_access_begin(from, size)				\
	(mpu_access_ok(from, size) && ({ user_access_begin(); true; }))
#else
#define mpu_access_ok(from, size) access_ok(from, size)
#define mpu_user_access_begin(from, size) user_access_begin(from, size)
#endif

#endif /* MPU_COMPAT_UACCESS_H */
