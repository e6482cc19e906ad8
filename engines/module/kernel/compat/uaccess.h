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
 * Reads a word of the caller, inline where that is possible. Up to 4.20, which has
 * VERIFY_READ (until kernel commit 96d4f267e40f), user_access_begin() takes no arguments
 * (until 594cc251fdd0), or three (Ubuntu's 4.15). Return: false if the word is not there.
 */
static __always_inline bool mpu_get_user_inline(u32 *value, const u32 __user *from)
{
#ifdef VERIFY_READ
	return !get_user(*value, from);
#else
	bool there = false;

	if (user_access_begin(from, sizeof(*from))) {
		unsafe_get_user(*value, from, fault);
		there = true;
fault:
		user_access_end();
	}
	return there;
#endif
}

#endif /* MPU_COMPAT_UACCESS_H */
