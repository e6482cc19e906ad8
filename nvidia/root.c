// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the driver's files are.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "lib/beneath.h"
#include "nvidia/root.h"

/* Without slashes at its end, so that "" is what stands before "/dev". */
static int take_path(char files[PATH_MAX], const char *path)
{
	size_t len = strlen(path);

	while (len && path[len - 1] == '/')
		len--;
	if (len >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(files, path, len);
	files[len] = '\0';
	return 0;
}

static bool has(int root, const char *path)
{
	int fd = beneath_open(root, path, O_PATH);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int driver_root_open(struct driver_root *root, const char *path,
		     char why[WHY_SIZE])
{
	int ret;

	*root = (struct driver_root){ .fd = -1 };
	if (*path && *path != '/')
		return why_fail(why, -EINVAL,
				"driver root %s: not an absolute path", path);
	ret = take_path(root->files, path);
	if (ret)
		return why_fail(why, ret, "driver root %.64s...: %s", path,
				strerror(-ret));
	root->fd = open(*root->files ? root->files : "/",
			O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root->fd < 0) {
		ret = -errno;
		return why_fail(why, ret, "driver root %s: %s", root->files,
				strerror(-ret));
	}
	if (has(root->fd, "/dev/nvidiactl"))
		strcpy(root->dev, root->files);
	if (has(root->fd, "/proc/driver/nvidia"))
		strcpy(root->proc, root->files);
	return 0;
}

void driver_root_close(struct driver_root *root)
{
	if (root->fd >= 0)
		close(root->fd);
	root->fd = -1;
}
