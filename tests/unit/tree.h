/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folders that stand for the root of a system.
 */
#ifndef MPU_TESTS_UNIT_TREE_H
#define MPU_TESTS_UNIT_TREE_H

#include <stddef.h>

/** tree_path() - a path below a root, whose folders are made; valid until the next call */
const char *tree_path(const char *root, const char *path);

/** tree_write() - a file below a root, and the folders that it is in */
void tree_write(const char *root, const char *path, const void *bytes, size_t size);

/**
 * tree_make() - what lines say: "folder PATH", "file PATH", "pipe PATH", "link PATH TARGET",
 * "gone PATH", which removes it
 * @other:	makes what another word says of a path and up to two more; NULL: there is none
 */
void tree_make(const char *root, const char *lines,
	       void (*other)(const char *word, const char *path, const char *a, const char *b));

/** tree_remove() - a root and all that is in it. Return: 0 if it could be removed */
int tree_remove(const char *root);

#endif /* MPU_TESTS_UNIT_TREE_H */
