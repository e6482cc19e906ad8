// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening regular files: see regular.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/regular.h"

int regular_open(int held, int flags)
{
	struct stat st;
	char link[32];
	int fd;

	if (held < 0)
		return held;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", held);
	if (fstat(held, &st)) {
		fd = -errno;
	} else if (!S_ISREG(st.st_mode)) {
		fd = -EINVAL;
	} else {
		fd = open(link, flags | O_CLOEXEC);
		if (fd < 0)
			fd = errno == ENOENT ? -ENOSYS : -errno;
	}
	close(held);
	return fd;
}
