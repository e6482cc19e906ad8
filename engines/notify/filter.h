/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seccomp filter: which system calls of a container are looked at.
 */
#ifndef MPU_NOTIFY_FILTER_H
#define MPU_NOTIFY_FILTER_H

#include <linux/ioctl.h>
#include <stdbool.h>

#include "core/nvrm.h"

/*
 * The bits of a request that are looked at, and their value in RM_CONTROL and XFER. The
 * driver goes by number and size, whatever the type and direction bits (nv.c,
 * nvidia_ioctl()); the number alone is also a terminal's, TCGETS2.
 */
#define FILTER_MASK	(_IOC_NRMASK | _IOC_SIZEMASK << _IOC_SIZESHIFT)
#define FILTER_VALUE(nr, type) \
			((nr) | (unsigned int)sizeof(type) << _IOC_SIZESHIFT)
#define FILTER_CONTROL	FILTER_VALUE(NV_ESC_RM_CONTROL, struct nv_control)
#define FILTER_XFER	FILTER_VALUE(NV_ESC_XFER, struct nv_xfer)

/**
 * filter_install() - put the calling thread and what it starts under the filter
 *
 * Needs CAP_SYS_ADMIN in the thread's user namespace, or no_new_privs, which
 * is left to the caller to set.
 *
 * Return: the listener, close-on-exec, or negative errno. -EBUSY: the thread
 * is already under a filter that has a listener; the kernel allows one.
 */
int filter_install(void);

/**
 * filter_can_wait_killable() - does the kernel know the flag WAIT_KILLABLE_RECV (5.19)?
 *
 * With it a signal does not interrupt a call that is being carried out.
 */
bool filter_can_wait_killable(void);

#endif /* MPU_NOTIFY_FILTER_H */
