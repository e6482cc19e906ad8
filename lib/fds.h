/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptors: all that there is to read or write, on their way between processes,
 * and which of them stay open.
 */
#ifndef MPU_LIB_FDS_H
#define MPU_LIB_FDS_H

#include <stddef.h>
#include <sys/types.h>

/** fd_write_all() - write so many bytes. Return: 0 or negative errno */
int fd_write_all(int fd, const void *data, size_t size);

/** fd_read_full() - read up to the end, or so many bytes. Return: how many, or negative errno */
ssize_t fd_read_full(int fd, void *data, size_t size);

/** fd_read_all() - likewise; -EFBIG: there is no end before @size. @text is not terminated */
ssize_t fd_read_all(int fd, char *text, size_t size);

/**
 * fd_send() - send bytes and one descriptor, or none (-1), in one message
 *
 * Return: 0 or negative errno.
 */
int fd_send(int sock, const void *data, size_t size, int fd);

/**
 * fd_receive() - receive one message, and the descriptors that came with it
 * @fd:		room for @room; close-on-exec
 * @fds:	receives how many came
 *
 * Return: bytes received, 0 at the end, or negative errno; -EMSGSIZE: more descriptors
 * than there is room for, or than this process may have: all of them are closed.
 */
ssize_t fd_receive(int sock, void *data, size_t size, int *fd, size_t room, size_t *fds);

/** fd_peek() - fd_receive(), but the message stays, with its descriptors, to be received */
ssize_t fd_peek(int sock, void *data, size_t size, int *fd, size_t room, size_t *fds);

/** fd_open_standard() - have 0, 1 and 2 open: service managers and cron may start without them */
void fd_open_standard(void);

/** fd_close_range() - close_range(2), also where the kernel lacks it: before Linux 5.9 */
int fd_close_range(unsigned int first, unsigned int last, unsigned int flags);

/**
 * fd_close_others() - close all descriptors but 0, 1, 2 and @keep, which is sorted
 * afterwards; @flags: of fd_close_range()
 *
 * Return: 0 or negative errno.
 */
int fd_close_others(int *keep, size_t n, unsigned int flags);

/** fd_limit_raise() - let this process have as many descriptors as it may at all */
void fd_limit_raise(void);

#endif /* MPU_LIB_FDS_H */
