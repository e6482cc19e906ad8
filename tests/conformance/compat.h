/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls as a 32-bit program makes them. On x86-64 a 64-bit program can make them,
 * too, by int 0x80; on arm64 a 32-bit program does it for us (conformance32.c).
 */
#ifndef MPU_TESTS_CONFORMANCE_COMPAT_H
#define MPU_TESTS_CONFORMANCE_COMPAT_H

#include "core/env.h"

/* i386 and arm have the same numbers. */
#define COMPAT_GETPID	20
#define COMPAT_IOCTL	54

/**
 * compat_alloc() - memory below 4 GiB, for all that such a call points at
 *
 * It holds zeros or what the last call left there, and lasts until compat_free() has
 * been called as often. Children made meanwhile share it.
 *
 * Return: NULL if there is no more.
 */
void *compat_alloc(u32 size);
void compat_free(void);

/**
 * compat_call() - make a call
 * @low:	from compat_alloc(), or NULL
 *
 * On x86-64 it is a fault where the kernel runs no 32-bit programs.
 * Return: what the kernel returns; negative errno if nobody could make the call.
 */
long compat_call(u32 nr, int fd, u32 request, void *low);

#endif /* MPU_TESTS_CONFORMANCE_COMPAT_H */
