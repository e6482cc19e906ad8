/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ways of one and the same ioctl to the driver.
 */
#ifndef MPU_TESTS_CONFORMANCE_WAY_H
#define MPU_TESTS_CONFORMANCE_WAY_H

#include "core/env.h"
#include "nvidia/rm.h"

enum way {
	WAY_PLAIN,
	WAY_BITS,		/* other type and direction bits */
	WAY_HALVES,		/* address that a 32-bit argument has no room for */
	WAY_XFER,		/* wrapped in NV_ESC_XFER */
	WAY_COMPAT,		/* call of a 32-bit program */
	WAY_COMPAT_XFER,
	WAYS,
};

/* Called by rm_open(): the client's calls go the way that was taken last. */
extern const struct rm_ops way_ops;

/** way_take() - from now on, until it is WAY_PLAIN again */
void way_take(enum way way);

/**
 * way_works() - for actor_do(): has this kernel this way (u32, enum way)?
 *
 * Return: 0: yes; -ENOSYS: it runs no 32-bit programs; else it could not be found out.
 */
int way_works(void *way);

/**
 * way_alloc() - memory for what a call by this way points at, and what that points at
 *
 * Return: what way_free() takes; NULL: there is no more.
 */
void *way_alloc(enum way way, u32 size);
void way_free(enum way way, void *memory);

#endif /* MPU_TESTS_CONFORMANCE_WAY_H */
