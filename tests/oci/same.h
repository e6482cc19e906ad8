/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does an edited configuration say what it said, but for the edits?
 */
#ifndef MPU_TESTS_OCI_SAME_H
#define MPU_TESTS_OCI_SAME_H

#include <stddef.h>

/**
 * same_config() - compare two texts, member by member and in their order
 *
 * By a reader of its own, which takes both for sound: what is tested has
 * another. Strings are the same if their characters are, numbers if their
 * spelling is. In linux.seccomp these are left out: listenerPath, flags, and in
 * syscalls the name ioctl, and the entries that name nothing else.
 *
 * Return: NULL, or where @after differs.
 */
const char *same_config(const char *before, const char *after);

#endif /* MPU_TESTS_OCI_SAME_H */
