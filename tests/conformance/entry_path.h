/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ways of one and the same ioctl to the driver.
 */
#ifndef MPU_TESTS_CONFORMANCE_ENTRY_PATH_H
#define MPU_TESTS_CONFORMANCE_ENTRY_PATH_H

#include "core/env.h"
#include "nvidia/rm.h"

enum entry_path {
	ENTRY_PLAIN,
	ENTRY_BITS,		/* other type and direction bits */
	ENTRY_HALVES,		/* address that a 32-bit argument has no room for */
	ENTRY_XFER,		/* wrapped in NV_ESC_XFER */
	ENTRY_COMPAT,		/* call of a 32-bit program */
	ENTRY_COMPAT_XFER,
	ENTRY_PATHS,
};

/* Called by rm_open(): the client's calls go the way that was taken last. */
extern const struct rm_ops way_ops;

/** entry_path_take() - from now on, until it is ENTRY_PLAIN again */
void entry_path_take(enum entry_path path);

/**
 * entry_path_works() - for actor_do(): has this kernel this way (u32, enum entry_path)?
 *
 * Return: 0: yes; -ENOSYS: it runs no 32-bit programs; else it could not be found out.
 */
int entry_path_works(void *path);

/**
 * entry_path_alloc() - memory for what a call by this way points at, and what that points at
 *
 * Return: what entry_path_free() takes; NULL: there is no more.
 */
void *entry_path_alloc(enum entry_path path, u32 size);
void entry_path_free(enum entry_path path, void *memory);

#endif /* MPU_TESTS_CONFORMANCE_ENTRY_PATH_H */
