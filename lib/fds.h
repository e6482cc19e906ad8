/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptors on their way between processes.
 */
#ifndef MPU_LIB_FDS_H
#define MPU_LIB_FDS_H

#include <stddef.h>
#include <sys/types.h>

/**
 * fd_send() - bytes and at most one descriptor, in one message
 * @fd:		-1: none
 *
 * Return: 0 or negative errno.
 */
int fd_send(int sock, const void *data, size_t size, int fd);

/**
 * fd_receive() - one message, and the descriptors that came with it
 * @fd:		room for @room; close-on-exec
 * @fds:	receives how many
 *
 * Return: bytes received, 0 at the end, or negative errno; -EMSGSIZE: more
 * descriptors than there is room for, all of them closed.
 */
ssize_t fd_receive(int sock, void *data, size_t size, int *fd, size_t room,
		   size_t *fds);

/** fd_limit_raise() - as many open descriptors as this process may have */
void fd_limit_raise(void);

#endif /* MPU_LIB_FDS_H */
