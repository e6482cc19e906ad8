// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places in a container's root for mounts: found, or made, without following a link out of the
 * root; and taken away again if the container cannot be had.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "container/image/image.h"
#include "container/rootfs/internal.h"
#include "lib/caps.h"
#include "lib/in_root.h"
#include "lib/path.h"
#include "lib/xalloc.h"

/* Folders that are made for one path, and links on the way that lead nowhere yet. */
#define STEPS	256

/* Return: in no tree; or negative errno. */
static int clone_writable(int root)
{
	struct mount_attr attr = { .attr_clr = MOUNT_ATTR_RDONLY };
	int fd = open_tree(root, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH);

	if (fd < 0 || !mount_setattr(fd, "", AT_EMPTY_PATH, &attr, sizeof(attr)))
		return fd < 0 ? -errno : fd;
	close(fd);
	return -errno;
}

int mount_targets_open(struct mount_targets *places, const char *root)
{
	struct statvfs st;
	int clone;

	places->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	places->writable = places->root;
	if (places->root < 0)
		return -errno;
	if (!fstatvfs(places->root, &st) && (st.f_flag & ST_RDONLY)) {
		clone = clone_writable(places->root);
		if (clone >= 0)
			places->writable = clone;
	}
	return 0;
}

/*
 * Becomes the owner of the container's root, to which files that are made belong;
 * nothing else is done as that user. Return: for become_self(): the kernel takes
 * capabilities away here, and gives more of them back than there were.
 */
static uint64_t become_owner(const struct mount_targets *places)
{
	uint64_t effective = 0;

	caps_get(&effective);
	setfsgid(places->gid);
	setfsuid(places->uid);
	return effective;
}

static void become_self(uint64_t effective)
{
	setfsuid(geteuid());
	setfsgid(getegid());
	caps_set(effective);
}

/* Takes @parent over. */
static void note_made(struct mount_targets *places, int parent, const char *name,
		      mode_t mode, size_t size)
{
	places->made = xreallocarray(places->made, places->n + 1, sizeof(*places->made));
	places->made[places->n++] = (struct made){ parent, xstrdup(name), mode, size };
}

static int make_folder(struct mount_targets *places, int parent, const char *name)
{
	int copy = fcntl(parent, F_DUPFD_CLOEXEC, 0), ret = 0;
	uint64_t effective;

	if (copy < 0)
		return -errno;
	effective = become_owner(places);
	if (mkdirat(parent, name, 0755))
		ret = -errno;
	become_self(effective);
	if (ret)
		close(copy);
	else
		note_made(places, copy, name, S_IFDIR, 0);
	return ret;
}

/* Writes into @path what a link that leads nowhere says, its component behind @done bytes. */
static int insert_link(int parent, char path[PATH_MAX], size_t done,
		       const char *name, const char *rest)
{
	char target[PATH_MAX], whole[PATH_MAX];
	ssize_t len = readlinkat(parent, name, target, sizeof(target) - 1);
	int n;

	if (len < 0)
		return errno == EINVAL ? -ENOTDIR : -errno;
	target[len] = '\0';
	if (target[0] == '/')
		done = 0;
	n = snprintf(whole, sizeof(whole), "%.*s/%s%s", (int)done, path, target, rest);
	if (n >= (int)sizeof(whole))
		return -ENAMETOOLONG;
	memcpy(path, whole, (size_t)n + 1);
	return 0;
}

/* Returns the same folder where something can be made in it, of a root that is read-only. */
static int make_writable(const struct mount_targets *places, int folder, const char *path)
{
	struct stat there, root;
	struct statvfs st;

	if (folder < 0 || places->writable == places->root || fstatvfs(folder, &st) ||
	    !(st.f_flag & ST_RDONLY) || fstat(folder, &there) ||
	    fstat(places->root, &root) || there.st_dev != root.st_dev)
		return folder;
	close(folder);
	return in_root_open(places->writable, *path ? path : "/", O_PATH | O_DIRECTORY);
}

/*
 * Makes the first folder of @path that is missing; or, where a link of the image stands there
 * that leads nowhere, writes into @path where it leads to.
 */
static int make_missing(struct mount_targets *places, char path[PATH_MAX])
{
	char name[NAME_MAX + 1], prefix[PATH_MAX];
	size_t done = 0, start, end;
	int parent, fd, ret;

	parent = in_root_open(places->root, "/", O_PATH | O_DIRECTORY);
	for (;;) {
		if (parent < 0)
			return parent;
		start = done + strspn(path + done, "/");
		end = start + strcspn(path + start, "/");
		if (start == end)	/* another one has made it meanwhile */
			break;
		memcpy(prefix, path, end);
		prefix[end] = '\0';
		fd = in_root_open(places->root, prefix, O_PATH | O_DIRECTORY);
		if (fd == -ENOENT)
			goto missing;
		close(parent);
		parent = fd;
		done = end;
	}
	close(parent);
	return 0;
missing:
	prefix[done] = '\0';
	parent = make_writable(places, parent, prefix);
	ret = parent < 0 ? parent : end - start > NAME_MAX ? -ENAMETOOLONG : 0;
	if (!ret) {
		memcpy(name, path + start, end - start);
		name[end - start] = '\0';
		ret = make_folder(places, parent, name);
	}
	if (ret == -EEXIST)
		ret = insert_link(parent, path, done, name, path + end);
	if (parent >= 0)
		close(parent);
	return ret;
}

/* Makes it if it is missing. */
static int open_folder(struct mount_targets *places, const char *folder)
{
	char path[PATH_MAX];
	int fd, step, ret;

	if (snprintf(path, sizeof(path), "/%s", folder) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	for (step = 0; step < STEPS; step++) {
		fd = in_root_open(places->root, path, O_PATH | O_DIRECTORY);
		if (fd != -ENOENT)
			return fd;
		ret = make_missing(places, path);
		if (ret)
			return ret;
	}
	return -ELOOP;
}

/* @name: receives the last component of @path */
static int open_parent(struct mount_targets *places, const char *path, char name[NAME_MAX + 1])
{
	char folder[PATH_MAX];
	const char *last;

	if (snprintf(folder, sizeof(folder), "/%s", path) >= (int)sizeof(folder))
		return -ENAMETOOLONG;
	last = path_cut(folder);
	if (!last || !*last)
		return -EINVAL;
	if (snprintf(name, NAME_MAX + 1, "%s", last) > NAME_MAX)
		return -ENAMETOOLONG;
	return make_writable(places, open_folder(places, folder), folder);
}

static int make_file(struct mount_targets *places, const char *path, const char *text)
{
	char name[NAME_MAX + 1];
	int parent = open_parent(places, path, name), fd, ret = 0;
	size_t size = strlen(text);
	uint64_t effective;
	ssize_t n;

	if (parent < 0)
		return parent;
	effective = become_owner(places);
	fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
	if (fd < 0)
		ret = -errno;
	become_self(effective);
	if (ret) {
		close(parent);
		return ret;
	}
	n = write(fd, text, size);
	close(fd);
	note_made(places, parent, name, S_IFREG, n > 0 ? (size_t)n : 0);
	return n == (ssize_t)size ? 0 : -EIO;
}

static int check_place(int fd, const char *path, mode_t mode)
{
	struct statfs fs;
	struct stat st;

	if (fstat(fd, &st) || fstatfs(fd, &fs))
		return -errno;
	if (kernel_files_are(path, "", fs.f_type))
		return -EXDEV;
	if (S_ISDIR(mode) != S_ISDIR(st.st_mode))
		return S_ISDIR(mode) ? -ENOTDIR : -EISDIR;
	if (!S_ISDIR(mode) && !S_ISREG(st.st_mode) && (st.st_mode & S_IFMT) != (mode & S_IFMT))
		return -EEXIST;
	return 0;
}

/*
 * Returns a descriptor (O_PATH) to mount something of type @mode on, which is made if
 * missing. A link at the end of the path is followed in the root; one that leads nowhere is
 * refused, and so is one to files of the kernel's: to mount something over these could free
 * the container of what holds it.
 */
int mount_target_open(struct mount_targets *places, const char *path, mode_t mode,
		      char why[WHY_SIZE])
{
	int fd, ret;

	if (S_ISDIR(mode)) {
		fd = open_folder(places, path);
	} else {
		fd = in_root_open(places->root, path, O_PATH);
		if (fd == -ENOENT) {
			ret = make_file(places, path, "");
			/* EEXIST: a link that leads nowhere, or a file by now. */
			fd = ret && ret != -EEXIST ? ret : in_root_open(places->root, path, O_PATH);
		}
	}
	ret = fd < 0 ? fd : check_place(fd, path, mode);
	if (!ret)
		return fd;
	if (fd >= 0)
		close(fd);
	if (ret == -EEXIST)
		return why_fail(why, ret,
				"%s: the image has something there that is no file: remove it from the image",
				path);
	if (ret == -ENOENT)
		return why_fail(why, ret,
				"%s: the image has a link there that leads nowhere: remove it from the image",
				path);
	if (ret == -EXDEV)
		return kernel_files_refuse(why, path);
	if (ret == -EISDIR)
		return folder_refuse(why, path);
	return in_root_fail(why, ret, "the container's ", path);
}

/* A file that is there stays. */
int mount_target_file(struct mount_targets *places, const char *path, const char *text,
		      char why[WHY_SIZE])
{
	int fd = in_root_open(places->root, path, O_PATH), ret;

	if (fd >= 0)
		close(fd);
	ret = fd == -ENOENT ? make_file(places, path, text) : fd;
	/* EEXIST: as in mount_target_open(). */
	return ret < 0 && ret != -EEXIST ? in_root_fail(why, ret, "the container's ", path) : 0;
}

/*
 * Writes a file of the container's own, which stays whatever becomes of the container: not
 * where its root is read-only, or is this machine's.
 */
int mount_target_own(struct mount_targets *places, const char *path, const void *bytes, size_t size)
{
	struct stat root, own;
	uint64_t effective;
	int ret;

	if (places->writable != places->root || fstat(places->root, &root) || stat("/", &own) ||
	    (root.st_dev == own.st_dev && root.st_ino == own.st_ino))
		return -EROFS;
	effective = become_owner(places);
	ret = in_root_replace(places->writable, path, bytes, size);
	become_self(effective);
	return ret;
}

static int check_replaced(int parent, const char *name, const char *target)
{
	struct stat st;

	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISREG(st.st_mode) && !st.st_size)
		return 0;
	if (!S_ISLNK(st.st_mode))
		return -EEXIST;
	return link_says(parent, name, target);
}

/*
 * A link that replaces something is made beside its place, by a name that nobody can
 * foresee, and then takes it at once: there is no moment without one.
 */
static int make_link(struct mount_targets *places, int parent, const char *name, const char *target)
{
	char beside[32];
	uint64_t number, effective;
	int ret = 0;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -EIO;
	snprintf(beside, sizeof(beside), ".mpu-%016llx", (unsigned long long)number);
	effective = become_owner(places);
	if (!symlinkat(target, parent, name)) {
		ret = 0;
	} else if (errno != EEXIST || symlinkat(target, parent, beside)) {
		ret = -errno;
	} else if (renameat(parent, beside, parent, name)) {
		ret = -errno;
		unlinkat(parent, beside, 0);
	}
	become_self(effective);
	return ret;
}

/*
 * A link with that target stays; another is replaced, and so is a file without content, which a
 * container's mount points leave in an image. -EEXIST: something else is there.
 */
int mount_target_link(struct mount_targets *places, const char *path, const char *target,
		      char why[WHY_SIZE])
{
	char name[NAME_MAX + 1];
	int parent = open_parent(places, path, name), ret;
	struct stat st;
	bool is_new;

	if (parent < 0)
		return in_root_fail(why, parent, "the container's ", path);
	is_new = fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) && errno == ENOENT;
	ret = check_replaced(parent, name, target);
	if (!ret)
		ret = make_link(places, parent, name, target);
	if (!ret && is_new) {
		note_made(places, parent, name, S_IFLNK, 0);
		return 0;
	}
	close(parent);
	if (ret == -EEXIST)
		return why_fail(why, ret,
				"%s: the image has a file there, where a link to %s belongs: remove it from the image",
				path, target);
	return ret < 0 ? in_root_fail(why, ret, "the container's ", path) : 0;
}

/* Is it still what was made? A link is; a file is while it has its size. */
static bool is_unchanged(const struct made *made)
{
	struct stat st;

	return !fstatat(made->parent, made->name, &st, AT_SYMLINK_NOFOLLOW) &&
	       (st.st_mode & S_IFMT) == made->mode &&
	       (!S_ISREG(st.st_mode) || (size_t)st.st_size == made->size);
}

/* Takes away what was made, unless it was changed since; replaced links do not come back. */
void mount_targets_undo(struct mount_targets *places)
{
	const struct made *made;

	while (places->n) {
		made = &places->made[--places->n];
		/* Folders with something in them stay: the kernel sees to it. */
		if (is_unchanged(made))
			unlinkat(made->parent, made->name, S_ISDIR(made->mode) ? AT_REMOVEDIR : 0);
		close(made->parent);
		free(made->name);
	}
}

void mount_targets_close(struct mount_targets *places)
{
	while (places->n) {
		close(places->made[--places->n].parent);
		free(places->made[places->n].name);
	}
	free(places->made);
	places->made = NULL;
	if (places->writable != places->root)
		close(places->writable);
	if (places->root >= 0)
		close(places->root);
	places->root = places->writable = -1;
}
