/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sockets that connections by TCP are taken at. Names of hosts are not looked up.
 */
#ifndef MPU_LIB_LISTEN_H
#define MPU_LIB_LISTEN_H

#include "lib/why.h"

/* Room for "[IPv6 address]:port". */
#define LISTEN_ADDRESS	64

/**
 * listen_open() - listen
 * @address:	"127.0.0.1:80", "[::1]:80"; port 0 is one that is free
 *
 * Return: a socket that does not block, or negative errno and a sentence in @why; -EINVAL:
 * @address is none.
 */
int listen_open(const char *address, char why[WHY_SIZE]);

/** listen_address() - where it listens, as listen_open() reads it */
void listen_address(int sock, char address[LISTEN_ADDRESS]);

#endif /* MPU_LIB_LISTEN_H */
