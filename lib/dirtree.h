/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes folders, copies and removes them with all that is in them.
 */
#ifndef MPU_LIB_DIRTREE_H
#define MPU_LIB_DIRTREE_H

#include <stdbool.h>

#include "lib/why.h"

/**
 * dirtree_make() - make the folders on the way to a file, for all users, whatever the umask is
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int dirtree_make(const char *path, char why[WHY_SIZE]);

/**
 * dirtree_copy() - have a folder hold what another one holds
 * @from:	of files, links and folders, nothing else
 * @to:		made if it is not there. Other files in it stay
 * @changed:	set if anything in it was not as it is now
 *
 * Each file or link is replaced at once, so that a program that runs goes on. A file keeps
 * its mode; all belong to who calls.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int dirtree_copy(int from, const char *to, bool *changed, char why[WHY_SIZE]);

/** dirtree_remove() - remove a folder, if it is there, with all in it; follows no links */
int dirtree_remove(const char *path, char why[WHY_SIZE]);

#endif /* MPU_LIB_DIRTREE_H */
