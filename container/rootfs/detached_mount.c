// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mounts that are in no tree yet (open_tree(2), fsmount(2)): they get their attributes on the
 * host, so there is no moment in which a container has them with others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "container/rootfs/internal.h"
#include "lib/in_root.h"
#include "lib/fds.h"
#include "lib/trust.h"

/* More than the files of /proc/driver/nvidia of 64 GPUs take. */
#define SCRATCH_SIZE	"8m"

/* A part of @path below @driver is looked for there, and its links do not lead out. */
int detached_mount_find(const struct driver_root *driver, const char *path, int flags)
{
	size_t len = driver ? strlen(driver->files) : 0;
	int fd;

	if (len && !strncmp(path, driver->files, len) && path[len] == '/')
		return in_root_open(driver->fd, path + len, flags);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int check_file(const struct stat *st, const char *path, char why[WHY_SIZE])
{
	if (S_ISLNK(st->st_mode))
		return why_fail(why, -ELOOP,
				"%s is a link by now, which could lead anywhere: try again", path);
	return S_ISREG(st->st_mode) ? trust_file(st, path, why) : 0;
}

/*
 * Opens a mount of something of the host's; a link at its end is refused. So is a regular file
 * that others than root own, or may write: a container would run what they put there.
 */
int detached_mount_open(struct detached_mount *tree, const struct driver_root *driver,
			const char *path, char why[WHY_SIZE])
{
	struct stat st;
	int fd, ret = 0;

	*tree = (struct detached_mount){ .fd = -1 };
	fd = detached_mount_find(driver, path, O_PATH | O_NOFOLLOW);
	if (fd < 0)
		return why_fail(why, fd, "%s: %s", path, strerror(-fd));
	if (fstat(fd, &st))
		ret = why_fail(why, -errno, "%s: %s", path, strerror(errno));
	else
		ret = check_file(&st, path, why);
	if (!ret) {
		tree->mode = st.st_mode;
		tree->device = st.st_rdev;
		tree->fd = open_tree(fd, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH);
		if (tree->fd < 0)
			ret = why_fail(why, -errno, "%s: to make a mount of it: %s",
				       path, strerror(errno));
	}
	close(fd);
	return ret;
}

/*
 * Gives it attributes, and keeps it out of propagation. @allow_old: go on where the kernel
 * cannot (before 5.12): detached_mount_attach() does it.
 */
int detached_mount_restrict(struct detached_mount *tree, uint64_t attributes, bool allow_old,
			    char why[WHY_SIZE])
{
	struct mount_attr attr = {
		.attr_set = attributes,
		.propagation = MS_PRIVATE,
	};

	if (!mount_setattr(tree->fd, "", AT_EMPTY_PATH, &attr, sizeof(attr)))
		return 0;
	if (errno != ENOSYS)
		return why_fail(why, -errno, "to make a mount read-only: %s", strerror(errno));
	if (!allow_old)
		return why_fail(why, -ENOSYS,
				"this kernel has no mount_setattr, so that a container would have the driver's files writable for a moment: use Linux 5.12 or newer, or --allow-legacy-kernel if no container here is hostile");
	tree->late = attributes;
	return 0;
}

static const struct {
	const char *name;
	uint64_t attribute;
	unsigned long flag;	/* flag of mount(2) */
} attribute_names[] = {
	{ "ro", MOUNT_ATTR_RDONLY, MS_RDONLY },
	{ "nosuid", MOUNT_ATTR_NOSUID, MS_NOSUID },
	{ "nodev", MOUNT_ATTR_NODEV, MS_NODEV },
	{ "noexec", MOUNT_ATTR_NOEXEC, MS_NOEXEC },
};

#define ATTRIBUTES	(sizeof(attribute_names) / sizeof(*attribute_names))

uint64_t detached_mount_attributes(const struct strv *options)
{
	uint64_t attributes = 0;
	size_t i;

	for (i = 0; i < ATTRIBUTES; i++)
		if (strv_have(options, attribute_names[i].name))
			attributes |= attribute_names[i].attribute;
	return attributes;
}

/* Names it for a system call that takes a path, in @fds, which becomes the working folder. */
static int name_tree(const struct detached_mount *tree, int fds, char name[16])
{
	snprintf(name, 16, "%d", tree->fd);
	return fchdir(fds) ? -errno : 0;
}

static int restrict_late(const struct detached_mount *tree, int fds)
{
	unsigned long flags = MS_REMOUNT | MS_BIND;
	char name[16];
	size_t i;
	int ret;

	for (i = 0; i < ATTRIBUTES; i++)
		if (tree->late & attribute_names[i].attribute)
			flags |= attribute_names[i].flag;
	ret = name_tree(tree, fds, name);
	if (!ret && (mount(NULL, name, NULL, MS_PRIVATE, NULL) ||
		     mount(NULL, name, NULL, flags, NULL)))
		ret = -errno;
	return ret;
}

/* @place: O_PATH, in this mount namespace; @fds: /proc/self/fd, which is not everywhere at /proc */
int detached_mount_attach(struct detached_mount *tree, int place, int fds)
{
	int ret;

	if (move_mount(tree->fd, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH))
		return -errno;
	ret = tree->late ? restrict_late(tree, fds) : 0;
	if (ret)
		detached_mount_detach(tree, fds);
	return ret;
}

void detached_mount_detach(const struct detached_mount *tree, int fds)
{
	char name[16];

	if (!name_tree(tree, fds, name))
		umount2(name, MNT_DETACH);
}

void detached_mount_close(struct detached_mount *tree)
{
	if (tree->fd >= 0)
		close(tree->fd);
	tree->fd = -1;
}

int scratch_make(struct scratch *scratch, char why[WHY_SIZE])
{
	int error;

	scratch->mount = -1;
	scratch->context = fsopen("tmpfs", FSOPEN_CLOEXEC);
	if (scratch->context < 0)
		goto failed;
	if (fsconfig(scratch->context, FSCONFIG_SET_STRING, "mode", "0555", 0) ||
	    fsconfig(scratch->context, FSCONFIG_SET_STRING, "size", SCRATCH_SIZE, 0) ||
	    fsconfig(scratch->context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		goto failed;
	scratch->mount = fsmount(scratch->context, FSMOUNT_CLOEXEC, TREE_NO_PROGRAMS);
	if (scratch->mount < 0)
		goto failed;
	return 0;
failed:
	error = errno;
	scratch_close(scratch);
	return why_fail(why, -error, "to make a filesystem in memory: %s", strerror(error));
}

int scratch_folder(const struct scratch *scratch, const char *path)
{
	char part[PATH_MAX];
	const char *end = path;

	do {
		end = strchrnul(end + 1, '/');
		if (snprintf(part, sizeof(part), "%.*s", (int)(end - path), path) >=
		    (int)sizeof(part))
			return -ENAMETOOLONG;
		if (mkdirat(scratch->mount, part, 0555) && errno != EEXIST)
			return -errno;
	} while (*end);
	return 0;
}

int scratch_write(const struct scratch *scratch, const char *path, const char *data, size_t size)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	int fd, ret = 0;

	if (slash) {
		if ((size_t)(slash - path) >= sizeof(folder))
			return -ENAMETOOLONG;
		memcpy(folder, path, (size_t)(slash - path));
		folder[slash - path] = '\0';
		ret = scratch_folder(scratch, folder);
	}
	if (ret)
		return ret;
	fd = openat(scratch->mount, path,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
	if (fd < 0)
		return -errno;
	ret = fd_write_all(fd, data, size);
	close(fd);
	return ret;
}

/* The filesystem, not the mount, is read-only: no other user namespace can undo that. */
int scratch_seal(struct scratch *scratch, char why[WHY_SIZE])
{
	if (fsconfig(scratch->context, FSCONFIG_SET_FLAG, "ro", NULL, 0) ||
	    fsconfig(scratch->context, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0))
		return why_fail(why, -errno, "to make a filesystem in memory read-only: %s",
				strerror(errno));
	return 0;
}

/* The scratch must be attached by now: the kernel copies no mount of another tree. */
int scratch_take(const struct scratch *scratch, const char *path, struct detached_mount *tree)
{
	struct stat st;

	*tree = (struct detached_mount){ .fd = -1 };
	if (fstatat(scratch->mount, path, &st, AT_SYMLINK_NOFOLLOW))
		return -errno;
	tree->mode = st.st_mode;
	tree->fd = open_tree(scratch->mount, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
			     AT_SYMLINK_NOFOLLOW);
	return tree->fd < 0 ? -errno : 0;
}

void scratch_close(struct scratch *scratch)
{
	if (scratch->mount >= 0)
		close(scratch->mount);
	if (scratch->context >= 0)
		close(scratch->context);
	scratch->mount = scratch->context = -1;
}
