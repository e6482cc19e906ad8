/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search for the driver's libraries.
 */
#ifndef MPU_NVIDIA_LIBRARIES_H
#define MPU_NVIDIA_LIBRARIES_H

#include "nvidia/driver_parts.h"
#include "nvidia/driver_root.h"
#include "nvidia/ldcache.h"

/**
 * typedef library_taker - takes a library that was found
 * @taker:	of struct library_search
 * @path:	below the root, no link in it
 * @place:	below a folder of libraries
 * @soname:	NULL: it has none
 *
 * Return: 0, or negative errno, which ends the search.
 */
typedef int library_taker(void *taker, enum driver_file_kind kind,
			  const struct part *part, const char *path,
			  const char *place, const char *soname);

/**
 * struct library_search - what to look for, and where
 * @version:	of the driver
 * @capabilities: enum capability: what only others take is not looked for, and
 *		libraries of 32 bits only where compat32 is among them
 * @cache:	ld.so.cache of the root; without entries if it has none
 */
struct library_search {
	const struct driver_root *root;
	const char *version;
	unsigned int capabilities;
	const struct ldcache *cache;
	library_taker *take;
	void *taker;
};

/**
 * libraries_find() - find them, those of 32 bits behind the others, each in the
 * table's order
 *
 * Return: 0, or what the taker returned, or -ENOMEM.
 */
int libraries_find(const struct library_search *search);

#endif /* MPU_NVIDIA_LIBRARIES_H */
