/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seccomp filter: which system calls of a container are looked at.
 */
#ifndef MPU_NOTIFY_FILTER_H
#define MPU_NOTIFY_FILTER_H

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

#endif /* MPU_NOTIFY_FILTER_H */
