/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening paths below a folder as if that were the root of all files, for folders whose
 * content is not ours: no link and no ".." leads out. By openat2(2), Linux 5.6: a check
 * before an open would leave a gap in which the content changes (CVE-2024-0132).
 */
#ifndef MPU_LIB_IN_ROOT_H
#define MPU_LIB_IN_ROOT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/why.h"

struct stat;

/**
 * in_root_open() - open what is there: RESOLVE_IN_ROOT, RESOLVE_NO_MAGICLINKS
 * @root:	the folder, O_PATH is enough
 * @flags:	of open(2), without O_CREAT; close-on-exec is added
 *
 * Return: a descriptor or negative errno; -EAGAIN: somebody renames folders on
 * the way all the time; -ENOSYS: the kernel has no openat2.
 */
int in_root_open(int root, const char *path, int flags);

bool in_root_exists(int root, const char *path);

/** in_root_stat() - O_DIRECTORY: a folder alone, O_NOFOLLOW: a link itself. Return: as open, or 0 */
int in_root_stat(int root, const char *path, int flags, struct stat *file);

/**
 * in_root_replace() - write a file anew, at once or not at all
 * @path:	its folder is on the mount of @root, and stays; what stands there, also a
 *		link, is replaced
 * @bytes:	a file that has these already is left alone
 *
 * The file belongs to who owns its folder, and all may read it.
 *
 * Return: 0 or negative errno; -EXDEV: the folder is on another mount.
 */
int in_root_replace(int root, const char *path, const void *bytes, size_t size);

/**
 * in_root_lead() - follow the links of a path, also of one that leads to what is not there
 * @real:	receives what it leads to, or where it would be made, as a path below @root:
 *		"/usr/bin/true"
 *
 * Needs /proc, and a @root that can be reached from this process's own. Where it matters
 * that the path may be another one at the next look, keep the descriptor of in_root_open().
 *
 * Return: 0 or negative errno; -ENOENT: it goes back, "..", out of what is not there.
 */
int in_root_lead(int root, const char *path, char real[PATH_MAX]);

/** in_root_lead_here() - likewise, in this process's own root, without openat2 */
int in_root_lead_here(const char *path, char real[PATH_MAX]);

/** in_root_place() - likewise, of @fd, which in_root_open() has opened */
int in_root_place(int root, int fd, char place[PATH_MAX]);

/** in_root_below() - likewise; in_root_name() of the root is @folder */
int in_root_below(const char *folder, int fd, char place[PATH_MAX]);

/**
 * in_root_name() - what the kernel calls an open file
 *
 * Return: 0 or negative errno; -ESTALE: it has no name any more, for it was removed or replaced
 */
int in_root_name(int fd, char name[PATH_MAX]);

/** link_says() - is there a link in a folder that says so? Nothing is followed */
bool link_says(int folder, const char *name, const char *target);

/**
 * regular_open() - open what is held, if it is a regular file
 * @held:	of O_PATH, closed in any case; or negative errno
 * @flags:	of open(2); close-on-exec is added
 *
 * To open a device may do something: a watchdog starts, a tape is wound. So where others
 * than root choose what a path leads to, it is held by O_PATH first.
 *
 * Return: a descriptor; @held, if that is an error; or negative errno; -EINVAL: it is
 * no regular file; -ENOSYS: there is no /proc.
 */
int regular_open(int held, int flags);

/**
 * in_root_fail() - say why in_root_open() failed, with @result, and what to do
 * @where:	the folder's name, "" for none
 *
 * Return: @result.
 */
int in_root_fail(char why[WHY_SIZE], int result, const char *where, const char *path);

#endif /* MPU_LIB_IN_ROOT_H */
