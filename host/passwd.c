// SPDX-License-Identifier: GPL-2.0-only
/*
 * The users of this machine: see passwd.h.
 */
#include <pwd.h>
#include <stdio.h>

#include "host/passwd.h"
#include "host/text.h"
#include "lib/host.h"

/* NULL, or the entry: valid until the next call. fgetpwent() is no part of NSS. */
static const struct passwd *find_entry(uid_t uid)
{
	const struct passwd *entry = NULL;
	FILE *file = host_fopen("/etc/passwd");

	if (!file)
		return NULL;
	do
		entry = fgetpwent(file);
	while (entry && entry->pw_uid != uid);
	fclose(file);
	return entry;
}

void passwd_find_name(uid_t uid, char *name, size_t size)
{
	const struct passwd *entry;

	name[0] = '\0';
	if (uid == (uid_t)-1)
		return;
	entry = find_entry(uid);
	if (entry)
		snprintf(name, size, "%s", entry->pw_name);
	else
		snprintf(name, size, "%u", uid);
	text_clean(name);
}

bool passwd_find_home(uid_t uid, char *home, size_t size)
{
	const struct passwd *entry = uid == (uid_t)-1 ? NULL : find_entry(uid);
	int n = entry ? snprintf(home, size, "%s", entry->pw_dir) : -1;

	return n >= 0 && (size_t)n < size;
}
