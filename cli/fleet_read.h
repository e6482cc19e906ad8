/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Documents of mpu doctor, one in a file or many in a stream.
 */
#ifndef MPU_CLI_FLEET_READ_H
#define MPU_CLI_FLEET_READ_H

#include <stdio.h>

#include "cli/fleet_count.h"

/* The largest document that is read; doctor's have some 10 KiB. */
#define FLEET_DOCUMENT	(1 << 20)

/**
 * fleet_read() - add all documents of a file
 * @name:	of the file, for sentences
 * @buffer:	FLEET_DOCUMENT + 1 bytes, for this function alone
 *
 * A document begins on a line that begins with a brace, and the one before it ends
 * there; so one that is broken or cut off takes no other with it. What cannot be read
 * becomes a sentence of @fleet->refused.
 *
 * Return: 0 or -ENOMEM.
 */
int fleet_read(struct fleet *fleet, FILE *file, const char *name, char *buffer);

#endif /* MPU_CLI_FLEET_READ_H */
