// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the root of the driver's files.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/host.h"
#include "lib/in_root.h"
#include "nvidia/internal.h"

/* Takes a path without slashes at its end, so that "" is what stands before "/dev". */
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

/*
 * @place: receives the folder if @path is below it. Return: 0, or -ENOSYS: the kernel
 * cannot tell.
 */
static int find_place(const struct driver_root *root, const char *path, char place[PATH_MAX])
{
	int fd = in_root_open(root->fd, path, O_PATH);

	if (fd == -ENOSYS)
		return fd;
	if (fd >= 0) {
		strcpy(place, root->files);
		close(fd);
	}
	return 0;
}

int driver_root_open(struct driver_root *root, const char *path, char why[WHY_SIZE])
{
	char below[PATH_MAX];
	int ret;

	*root = (struct driver_root){ .fd = -1 };
	if (*path && *path != '/')
		return why_fail(why, -EINVAL, "driver root %s: not an absolute path", path);
	ret = host_path(below, sizeof(below), "%s", path) ?: take_path(root->files, below) ?:
	      host_path(root->dev, PATH_MAX, "%s", "") ?: host_path(root->proc, PATH_MAX, "%s", "");
	if (ret)
		return why_fail(why, ret, "driver root %.64s...: %s", path, strerror(-ret));
	root->fd = open(*root->files ? root->files : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root->fd < 0) {
		ret = -errno;
		return why_fail(why, ret, "driver root %s: %s", root->files, strerror(-ret));
	}
	ret = in_root_name(root->fd, root->name);
	/* All of this machine's own tree is at "". */
	if (!ret && !*root->files)
		return 0;
	if (!ret)
		ret = find_place(root, "/dev/nvidiactl", root->dev);
	if (!ret)
		ret = find_place(root, "/proc/driver/nvidia", root->proc);
	if (ret) {
		driver_root_close(root);
		return in_root_fail(why, ret, root->files, "/");
	}
	return 0;
}

void driver_root_close(struct driver_root *root)
{
	if (root->fd >= 0)
		close(root->fd);
	root->fd = -1;
}
