/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of driver_files_find() have in common: where to look, and where
 * to put what is found.
 */
#ifndef MPU_NVIDIA_SEARCH_H
#define MPU_NVIDIA_SEARCH_H

#include "nvidia/files.h"
#include "nvidia/ldcache.h"
#include "nvidia/parts.h"

/**
 * struct search - a search
 * @cache:	ld.so.cache of the root; without entries if it has none
 */
struct search {
	const struct driver_root *root;
	const char *version;
	struct ldcache cache;
	struct driver_files *files;
};

/**
 * search_name() - the name of a part's file: "libcuda.so.580.159.04"
 * Return: false: it is too long.
 */
bool search_name(const struct search *search, const struct part *part,
		 char name[PATH_MAX]);

/**
 * search_add() - add a file that was found
 * @soname:	NULL: it has none
 * Return: 0 or -ENOMEM.
 */
int search_add(struct search *search, enum driver_file_kind kind,
	       const struct part *part, const char *path, const char *place,
	       const char *soname);

/** search_libraries() - find the libraries, of both kinds. Return: as search_add(). */
int search_libraries(struct search *search);

#endif /* MPU_NVIDIA_SEARCH_H */
