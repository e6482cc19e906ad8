/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The architecture that this program is built for, as files of a system are named
 * after it, and the 32-bit one beside it.
 */
#ifndef MPU_LIB_ARCH_H
#define MPU_LIB_ARCH_H

#if defined(__x86_64__)
#define ARCH_NAME	"x86_64"
#define GLIBC_LOADER	"/lib64/ld-linux-x86-64.so.2"
#define TRIPLET32	"i386-linux-gnu"
#elif defined(__aarch64__)
#define ARCH_NAME	"aarch64"
#define GLIBC_LOADER	"/lib/ld-linux-aarch64.so.1"
#define TRIPLET32	"arm-linux-gnueabihf"
#else
#error "what do names of files say of this architecture?"
#endif

/* Debian's folders of libraries; TRIPLET32 likewise. */
#define TRIPLET		ARCH_NAME "-linux-gnu"

#define MUSL_LOADER	"/lib/ld-musl-" ARCH_NAME ".so.1"

#endif /* MPU_LIB_ARCH_H */
