/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that nobody but root may write: what root follows, runs or gives to others.
 */
#ifndef MPU_LIB_TRUST_H
#define MPU_LIB_TRUST_H

#include <sys/stat.h>

#include "lib/why.h"

/**
 * trust_file() - may nobody but root write a file, or a folder's entries? A sticky folder may
 * be written: files of root's stay in it. @path: for the sentence
 *
 * Return: 0, or -EPERM and a sentence in @why.
 */
int trust_file(const struct stat *st, const char *path, char why[WHY_SIZE]);

/**
 * trust_path() - may nobody but root have a path lead to something else? Whoever is not
 * root of this machine trusts all. A missing file is not checked, but its folders are
 */
int trust_path(const char *path, char why[WHY_SIZE]);

#endif /* MPU_LIB_TRUST_H */
