/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening regular files, and nothing else: to open a device may do something.
 */
#ifndef MPU_LIB_REGULAR_H
#define MPU_LIB_REGULAR_H

/**
 * regular_open() - open what is held, if it is a regular file
 * @held:	of O_PATH, and closed in any case; or negative errno
 * @flags:	of open(2); close-on-exec is added
 *
 * Where others than root choose what a path leads to, a path must not be opened
 * before it is known to be a file: a watchdog starts, a tape is wound. Held by O_PATH,
 * nothing is opened yet, and it cannot become something else.
 *
 * Return: a descriptor; @held, if that is an error; or negative errno; -EINVAL: it is
 * no regular file; -ENOSYS: /proc is not there, which it takes.
 */
int regular_open(int held, int flags);

#endif /* MPU_LIB_REGULAR_H */
