/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The socket at which a program of these tests waits for a runtime.
 */
#ifndef MPU_TESTS_OCI_LISTEN_AT_H
#define MPU_TESTS_OCI_LISTEN_AT_H

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Return: a socket at that path, where nothing may be; -1: there is none. */
static inline int listen_at(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) >= sizeof(addr.sun_path))
		return -1;
	strcpy(addr.sun_path, path);
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || listen(fd, 64))
		return -1;
	return fd;
}

#endif /* MPU_TESTS_OCI_LISTEN_AT_H */
