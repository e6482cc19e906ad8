/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading kernel memory that may not be there.
 */
#ifndef MPU_COMPAT_UACCESS_H
#define MPU_COMPAT_UACCESS_H

#include <linux/uaccess.h>

/* Its name until 0c389d89abc2 (5.8). */
#ifndef get_kernel_nofault
#define get_kernel_nofault(val, ptr) probe_kernel_address(ptr, val)
#endif

#endif /* MPU_COMPAT_UACCESS_H */
