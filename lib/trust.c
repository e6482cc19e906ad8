// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that nobody but root may write: see trust.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/host.h"
#include "lib/trust.h"

/*
 * Root, or what stands for it in a user namespace: there the host's root has the
 * number of the overflow user, as all have whom the namespace does not map.
 */
static bool is_root(uid_t uid)
{
	return !uid || (uid == 65534 && host_has_user_namespace());
}

int trust_file(const struct stat *st, const char *path, char why[WHY_SIZE])
{
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX);

	if (!is_root(st->st_uid))
		return why_fail(why, -EPERM,
				"%s belongs to user %u, who could put anything there: chown it to root",
				path, st->st_uid);
	if (!sticky && st->st_mode & (S_IWGRP | S_IWOTH))
		return why_fail(why, -EPERM,
				"%s can be written by others than root: chmod go-w it",
				path);
	return 0;
}

/* A path as it is spelled, and all folders that it names. */
static int check_parts(const char *path, char why[WHY_SIZE])
{
	char part[PATH_MAX], *slash = part;
	struct stat st;
	bool theirs = false;
	int ret = 0;

	if (snprintf(part, sizeof(part), "%s%s", *path == '/' ? "" : "./", path) >=
	    (int)sizeof(part))
		return why_fail(why, -ENAMETOOLONG, "%.100s is too long for a path", path);
	while (!ret && slash) {
		if (!stat(*part ? part : "/", &st))
			ret = theirs && st.st_mode & S_ISVTX ?
				why_fail(why, -EPERM, "another user's link in %s may lead elsewhere: name what it leads to", part) :
				trust_file(&st, *part ? part : "/", why);
		theirs = !lstat(part, &st) && S_ISLNK(st.st_mode) && !is_root(st.st_uid);
		slash = strrchr(part, '/');
		if (slash)
			*slash = '\0';
	}
	return ret;
}

int trust_path(const char *path, char why[WHY_SIZE])
{
	char real[PATH_MAX];
	int ret;

	if (geteuid() || host_has_user_namespace())
		return 0;
	ret = check_parts(path, why);
	return ret || !realpath(path, real) ? ret : check_parts(real, why);
}
