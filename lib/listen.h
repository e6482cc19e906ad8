/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sockets that connections are taken at, by TCP or at a path. Names of hosts are not looked up.
 */
#ifndef MPU_LIB_LISTEN_H
#define MPU_LIB_LISTEN_H

#include "lib/why.h"

/* Room for "[IPv6 address]:port", and a path. */
#define LISTEN_ADDRESS	128

/**
 * listen_open() - listen
 * @address:	"127.0.0.1:80", "[::1]:80", "/run/socket"; port 0 is one that is free, [::] is
 *		IPv4, too; a socket that is there already is replaced
 *
 * Return: a socket that does not block, or negative errno and a sentence in @why; -EINVAL:
 * @address is none.
 */
int listen_open(const char *address, char why[WHY_SIZE]);

/** listen_connect() - connect to one; @seconds: limit of each call. Return: socket, or negative errno */
int listen_connect(const char *address, int seconds);

/** listen_address() - where it listens, as URLs have it: a path is "unix:/run/socket:" */
void listen_address(int sock, char address[LISTEN_ADDRESS]);

#endif /* MPU_LIB_LISTEN_H */
