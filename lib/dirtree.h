/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies and removes folders with all that is in them.
 */
#ifndef MPU_LIB_DIRTREE_H
#define MPU_LIB_DIRTREE_H

#include <stdbool.h>

#include "lib/why.h"

/**
 * dirtree_copy() - have a folder hold what another one holds
 * @from:	descriptor of that one; files, links and folders, nothing else
 * @to:		its path; made if it is not there. Other files in it stay
 * @changed:	set if anything in it was not as it is now
 *
 * Files and links are replaced one by one, each at once, so that a program that
 * runs goes on. A file keeps its mode; all belong to who calls.
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int dirtree_copy(int from, const char *to, bool *changed, char why[WHY_SIZE]);

/**
 * dirtree_remove() - remove a folder and all that is in it, whose own links are
 * not followed; that there is none is no error
 *
 * Return: as dirtree_copy().
 */
int dirtree_remove(const char *path, char why[WHY_SIZE]);

#endif /* MPU_LIB_DIRTREE_H */
