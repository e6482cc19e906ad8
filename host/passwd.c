// SPDX-License-Identifier: GPL-2.0-only
/*
 * The users of this machine, by /etc/passwd alone: others would be asked of daemons.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/internal.h"
#include "lib/host.h"
#include "lib/xalloc.h"

static int compare_users(const void *a, const void *b)
{
	const struct passwd_user *x = a, *y = b;

	return x->uid != y->uid ? (x->uid > y->uid) - (x->uid < y->uid) :
	       (x->line > y->line) - (x->line < y->line);
}

static void add_user(struct passwd_names *names, const struct passwd *entry)
{
	struct passwd_user *user;

	if (!(names->n & (names->n + 1)))
		names->user = xreallocarray(names->user, 2 * names->n + 1, sizeof(*user));
	user = &names->user[names->n];
	user->uid = entry->pw_uid;
	user->line = names->n++;
	text_copy(user->name, sizeof(user->name), entry->pw_name, strlen(entry->pw_name));
}

/* fgetpwent_r() is no part of NSS, and mpu metrics reads in two threads. */
static void read_users(struct passwd_names *names)
{
	FILE *file = host_fopen("/etc/passwd");
	struct passwd entry, *found;
	char line[16384];

	names->n = 0;
	while (file && !fgetpwent_r(file, &entry, line, sizeof(line), &found))
		add_user(names, &entry);
	if (file)
		fclose(file);
	if (names->n)
		qsort(names->user, names->n, sizeof(*names->user), compare_users);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
	       a->st_size == b->st_size &&
	       !memcmp(&a->st_ctim, &b->st_ctim, sizeof(a->st_ctim)) &&
	       !memcmp(&a->st_mtim, &b->st_mtim, sizeof(a->st_mtim));
}

void passwd_refresh(struct passwd_names *names)
{
	char path[4096];
	struct stat st;

	if (host_path(path, sizeof(path), "/etc/passwd") || stat(path, &st))
		st = (struct stat){ 0 };
	if (names->version && is_same(&st, &names->file))
		return;
	names->file = st;
	names->version++;
	read_users(names);
}

/* Writes the number of a user without a name; "" of (uid_t)-1. */
void passwd_find_name(const struct passwd_names *names, uid_t uid, char *name, size_t size)
{
	size_t begin = 0, end = names->n, middle;

	while (begin < end) {
		middle = (begin + end) / 2;
		if (names->user[middle].uid < uid)
			begin = middle + 1;
		else
			end = middle;
	}
	if (uid == (uid_t)-1)
		name[0] = '\0';
	else if (begin < names->n && names->user[begin].uid == uid)
		snprintf(name, size, "%s", names->user[begin].name);
	else
		snprintf(name, size, "%u", uid);
}

void passwd_free(struct passwd_names *names)
{
	free(names->user);
	*names = (struct passwd_names){ 0 };
}
