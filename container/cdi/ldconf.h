/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /etc/ld.so.conf of a container, as far as it matters where libraries are found:
 * which folders ldconfig looks into.
 */
#ifndef MPU_CONTAINER_CDI_LDCONF_H
#define MPU_CONTAINER_CDI_LDCONF_H

#include "lib/why.h"
#include "lib/words.h"

/**
 * ldconf_filter() - those folders that ldconfig does not look into yet
 * @root:	below which files are looked up and links are followed: O_PATH, "/"
 *		of a container
 * @path:	of the file: "/etc/ld.so.conf". One that is not there names nothing
 * @missing:	receives them in their order
 *
 * What is not read any more, without a word: files nested more than 8 deep, above
 * 1000, larger than 64 KiB. It is the image's to have such, and at worst a
 * folder is named twice.
 *
 * Return: 0 or negative errno.
 */
int ldconf_filter(int root, const char *path, const struct words *folders,
		  struct words *missing);

/**
 * ldconf_text() - what a file that names folders says: a line each, once
 *
 * Return: a string to free, NULL: there are none, or no memory, and then errno is
 * ENOMEM.
 */
char *ldconf_text(const struct words *folders);

#endif /* MPU_CONTAINER_CDI_LDCONF_H */
