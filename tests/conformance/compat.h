/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls as a 32-bit program makes them, from a 64-bit one: x86 has int 0x80 for it; on
 * other machines nobody can.
 */
#ifndef MPU_CONFORMANCE_COMPAT_H
#define MPU_CONFORMANCE_COMPAT_H

#include <errno.h>
#include <sys/mman.h>

#if defined(__x86_64__)

#define COMPAT_IOCTL	54	/* __NR_ioctl of i386 */
#define COMPAT_GETPID	20	/* __NR_getpid of i386 */

#define COMPAT_MEMORY	MAP_32BIT	/* memory that such a program can name */
#define COMPAT_LACKING	"this kernel runs no 32-bit programs"

/* Return: what the kernel returns. Without IA32 emulation it is a fault. */
static inline long compat_call(long nr, long a, long b, void *c)
{
	__asm__ volatile("int $0x80"
			 : "+a"(nr)
			 : "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)nr;
}

#else

#define COMPAT_IOCTL	0	/* it is not possible */
#define COMPAT_GETPID	0
#define COMPAT_MEMORY	0
#define COMPAT_LACKING	"on this machine a 64-bit program cannot call as they do"

static inline long compat_call(long nr, long a, long b, void *c)
{
	(void)nr;
	(void)a;
	(void)b;
	(void)c;
	return -ENOSYS;
}

#endif

#endif /* MPU_CONFORMANCE_COMPAT_H */
