// SPDX-License-Identifier: GPL-2.0-only
/*
 * Links of an image that lead to files of the kernel's.
 */
#include <errno.h>
#include <linux/magic.h>
#include <stddef.h>
#include <string.h>

#include "container/image/internal.h"

/* Filesystems, and where they are at home. */
static const struct {
	const char *folder;
	long type;		/* linux/magic.h; what is in /dev is of any */
} filesystems[] = {
	{ "/proc/", PROC_SUPER_MAGIC }, { "/sys/", SYSFS_MAGIC },
	{ "/sys/", CGROUP_SUPER_MAGIC }, { "/sys/", CGROUP2_SUPER_MAGIC },
	{ "/sys/", SECURITYFS_MAGIC }, { "/sys/", SELINUX_MAGIC },
	{ "/dev/", -1 },
};

static bool is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	/* The folder itself has no slash behind it. */
	return !strncmp(path, folder, len - 1) && (!path[len - 1] || path[len - 1] == '/');
}

bool kernel_files_are(const char *path, const char *place, long type)
{
	size_t i;

	for (i = 0; i < sizeof(filesystems) / sizeof(*filesystems); i++)
		if ((type == filesystems[i].type || is_in(place, filesystems[i].folder)) &&
		    !is_in(path, filesystems[i].folder))
			return true;
	return false;
}

int kernel_files_refuse(char why[WHY_SIZE], const char *path)
{
	return why_fail(why, -EXDEV, "%s: the image has a link there that leads to files of the kernel, in /proc, /sys or /dev: remove it from the image",
			path);
}
