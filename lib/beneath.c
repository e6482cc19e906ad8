// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening paths below a folder that no link leads out of.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/beneath.h"

/*
 * openat2 gives up with EAGAIN if a folder was renamed anywhere while it went
 * through "..": by chance once or twice, forever if somebody tries.
 */
#define TRIES	128

int beneath_open(int root, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int tries, fd = -1;

	for (tries = 0; tries < TRIES && fd < 0; tries++) {
		fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
		if (fd < 0 && errno != EAGAIN && errno != EINTR)
			break;
	}
	return fd < 0 ? -errno : fd;
}

int beneath_name(int fd, char name[PATH_MAX])
{
	char link[32];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, name, PATH_MAX);
	if (len < 0)
		return -errno;
	if (len == PATH_MAX)
		return -ENAMETOOLONG;
	name[len] = '\0';
	return 0;
}

int beneath_place(int root, int fd, char place[PATH_MAX])
{
	char folder[PATH_MAX], name[PATH_MAX];
	int ret = beneath_name(fd, name);
	size_t len;

	if (!ret)
		ret = beneath_name(root, folder);
	if (ret)
		return ret;
	len = strcmp(folder, "/") ? strlen(folder) : 0;
	/* Moved away meanwhile, or seen from another mount namespace. */
	if (folder[0] != '/' || strncmp(name, folder, len) ||
	    (name[len] && name[len] != '/'))
		return -EXDEV;
	strcpy(place, name[len] ? name + len : "/");
	return 0;
}

int beneath_resolve(int root, const char *path, char real[PATH_MAX])
{
	int fd = beneath_open(root, path, O_PATH), ret;

	if (fd < 0)
		return fd;
	ret = beneath_place(root, fd, real);
	close(fd);
	return ret;
}

int beneath_fail(char why[WHY_SIZE], int result, const char *where,
		 const char *path)
{
	if (result == -ENOSYS)
		return why_fail(why, result,
				"%s%s: this kernel has no openat2, without which a link could lead out of %s: Linux 5.6 or newer is needed",
				where, path, *where ? where : "the root");
	if (result == -EAGAIN)
		return why_fail(why, result,
				"%s%s: folders on the way were renamed %d times while it was opened: stop what does that, and try again",
				where, path, TRIES);
	return why_fail(why, result, "%s%s: %s", where, path,
			strerror(-result));
}
