/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The users of this machine, by /etc/passwd alone: names from elsewhere would be
 * asked of daemons.
 */
#ifndef MPU_HOST_PASSWD_H
#define MPU_HOST_PASSWD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** passwd_find_name() - the name of a user; else the number; "" of (uid_t)-1 */
void passwd_find_name(uid_t uid, char *name, size_t size);

/** passwd_find_home() - the home of a user. Return: is there one? */
bool passwd_find_home(uid_t uid, char *home, size_t size);

#endif /* MPU_HOST_PASSWD_H */
