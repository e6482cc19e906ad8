/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folders that stand for the root of a system.
 */
#ifndef MPU_TESTS_UNIT_TREE_H
#define MPU_TESTS_UNIT_TREE_H

/** tree_path() - a path below a root, whose folders are made; valid until the next call */
const char *tree_path(const char *root, const char *path);

#endif /* MPU_TESTS_UNIT_TREE_H */
