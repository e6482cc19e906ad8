/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The users of this machine, by /etc/passwd alone: names from elsewhere would be
 * asked of daemons.
 */
#ifndef MPU_HOST_PASSWD_H
#define MPU_HOST_PASSWD_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* @line: where it stands; of one number the first counts. */
struct passwd_user {
	uid_t uid;
	size_t line;
	char name[33];
};

/**
 * struct passwd_names - the names of users
 * @user:	by number
 * @file:	/etc/passwd, when it was read
 * @version:	another one after each reading; 0: it was not read
 */
struct passwd_names {
	struct passwd_user *user;
	size_t n;
	struct stat file;
	unsigned long version;
};

/** passwd_refresh() - read the file, if it is another one than was read */
void passwd_refresh(struct passwd_names *names);

/** passwd_find_name() - the name of a user; else the number; "" of (uid_t)-1 */
void passwd_find_name(const struct passwd_names *names, uid_t uid, char *name, size_t size);

void passwd_free(struct passwd_names *names);

#endif /* MPU_HOST_PASSWD_H */
