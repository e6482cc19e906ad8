/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ld.so.cache of glibc: which library file stands for which name. Read out of
 * bytes that may be anything, and written anew with other entries.
 *
 * The format is that of glibc 2.2 and later ("glibc-ld.so.cache1.1"), alone or
 * behind the older one ("ld.so-1.7.0"), which is skipped.
 */
#ifndef MPU_NVIDIA_LDCACHE_H
#define MPU_NVIDIA_LDCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than any real one: that of a machine with 20000 libraries. */
#define LDCACHE_SIZE_MAX	(4 << 20)

/*
 * Flags of an entry: that it is an ELF library of libc 6, and for which
 * architecture (FLAG_... of glibc's sysdeps/generic/ldconfig.h).
 */
enum ldcache_flags {
	LDCACHE_LIBC6	= 0x0003,
	LDCACHE_I386	= LDCACHE_LIBC6,
	LDCACHE_X86_64	= LDCACHE_LIBC6 | 0x0300,
	LDCACHE_ARMHF	= LDCACHE_LIBC6 | 0x0900,
	LDCACHE_AARCH64	= LDCACHE_LIBC6 | 0x0a00,
};

/* The architecture of this program, and the 32-bit one beside it. */
#if defined(__x86_64__)
#define LDCACHE_NATIVE		LDCACHE_X86_64
#define LDCACHE_NATIVE32	LDCACHE_I386
#elif defined(__aarch64__)
#define LDCACHE_NATIVE		LDCACHE_AARCH64
#define LDCACHE_NATIVE32	LDCACHE_ARMHF
#else
#error "which flags have libraries of this machine?"
#endif

/**
 * struct ldcache - a cache
 * @file, @file_size: all of it
 * @base, @size: from the header of the format that is read: strings are counted
 *		from here
 * @n:		entries
 * @hwcaps:	offset of its list of glibc-hwcaps folders in the file; @n_hwcaps of
 *		them
 */
struct ldcache {
	const unsigned char *file;
	size_t file_size;
	const unsigned char *base;
	size_t size;
	uint32_t n;
	size_t hwcaps;
	uint32_t n_hwcaps;
};

/**
 * struct ldcache_entry - one library
 * @key:	what programs look for: "libcuda.so.1"
 * @path:	where it is
 * @flags:	enum ldcache_flags, or others
 * @system:	oldest kernel that it is for; 0 in caches of glibc 2.36 and later
 * @hwcap:	what the CPU must have
 */
struct ldcache_entry {
	const char *key, *path;
	uint32_t flags, system;
	uint64_t hwcap;
};

/**
 * ldcache_open() - have a look at a cache
 * @bytes:	its file, which @cache goes on to point into; any alignment
 *
 * Return: 0, or -EINVAL: it is none, or cut short, or of the other byte order.
 */
int ldcache_open(struct ldcache *cache, const void *bytes, size_t size);

/**
 * ldcache_entry() - read an entry
 * @i:		from 0
 *
 * Return: false if it leads out of the file, or a string has no end or is longer
 * than a path may be.
 */
bool ldcache_entry(const struct ldcache *cache, uint32_t i,
		   struct ldcache_entry *entry);

/**
 * ldcache_merge() - write a cache that has other entries, too
 * @cache:	what it had; NULL: nothing
 * @added:	in place of those of the same key and flags; those with a NULL path
 *		are removed alone
 * @out:	receives the file, as ldconfig of glibc 2.33 and later writes it
 * @room:	of @out
 *
 * The entries stay in the order in which the loader's binary search expects
 * them. Entries that ldcache_entry() cannot read are left out.
 *
 * Return: size of the file, or -E2BIG: @room is too small, or -ENOMEM.
 */
long ldcache_merge(const struct ldcache *cache,
		   const struct ldcache_entry *added, size_t n, void *out,
		   size_t room);

#endif /* MPU_NVIDIA_LDCACHE_H */
