/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /etc/ld.so.conf of a container, as far as it matters where libraries are found:
 * which folders ldconfig looks into.
 */
#ifndef MPU_CONTAINER_CDI_LDCONF_H
#define MPU_CONTAINER_CDI_LDCONF_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/strv.h"
#include "lib/why.h"

/**
 * ldconf_filter() - those folders that ldconfig does not look into yet
 * @root:	below which files are looked up and links are followed: O_PATH, "/"
 *		of a container
 * @path:	of the file: "/etc/ld.so.conf". A missing file names nothing
 * @missing:	receives them in their order
 *
 * Some files are not read, without a message: files nested more than 8 deep; more than
 * 256, of which all are that lie in a folder where a pattern looks; of one more than 64
 * KiB; more than 64 patterns at one depth. It is the image's to have such, and at
 * worst a folder is named twice.
 *
 * Return: 0 or negative errno.
 */
int ldconf_filter(int root, const char *path, const struct strv *folders,
		  struct strv *missing);

/**
 * ldconf_text() - what a file that names folders says: a line each, once
 *
 * Return: a string to free, NULL: there are none, or no memory, and then errno is
 * ENOMEM.
 */
char *ldconf_text(const struct strv *folders);

/* More patterns than the files of an image name. */
#define LDCONF_INCLUDES	64

/**
 * struct ldconf_found - what files of a configuration say
 * @n:		how many @include there are
 * @include:	patterns of further files
 * @named:	not 0: the folder of this number is named
 */
struct ldconf_found {
	uint32_t n;
	char include[LDCONF_INCLUDES][PATH_MAX];
	unsigned char named[];
};

/**
 * ldconf_parse() - find out what they say: a sandbox_parser, here for the fuzzer
 * @bytes:	three strings of each file, with their terminators: a pattern, its
 *		path, what it says. A file whose path does not match does not count
 * @arg:	struct strv: folders
 * @result:	struct ldconf_found
 */
int ldconf_parse(const void *bytes, size_t size, const void *arg, void *result);

#endif /* MPU_CONTAINER_CDI_LDCONF_H */
