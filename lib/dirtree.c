// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes folders, copies and removes them with all that is in them: see dirtree.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/fds.h"
#include "lib/dirtree.h"

/* The number of folders that are open at once: levels of the tree. */
#define DEPTH	16

struct item {
	int folder;
	const char *name;
	struct stat stat;
	char to[PATH_MAX];
	char beside[PATH_MAX];	/* where it waits until it is complete */
};

int dirtree_make(const char *path, char why[WHY_SIZE])
{
	char folder[PATH_MAX], *slash;

	if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder))
		return why_fail(why, -ENAMETOOLONG, "%s: the path is too long", path);
	for (slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0755) ? errno != EEXIST : chmod(folder, 0755))
			return why_fail(why, -errno, "cannot make the folder %s: %s", folder,
					strerror(errno));
		*slash = '/';
	}
	return 0;
}

static bool is_same_file(const struct item *item, int from)
{
	char ours[4096], theirs[sizeof(ours)];
	int fd = open(item->to, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat stat;
	bool same = fd >= 0 && !fstat(fd, &stat) &&
		    stat.st_mode == item->stat.st_mode &&
		    stat.st_size == item->stat.st_size;
	ssize_t n = 1;

	while (same && n > 0) {
		n = fd_read_full(from, ours, sizeof(ours));
		same = n >= 0 && fd_read_full(fd, theirs, sizeof(theirs)) == n &&
		       !memcmp(ours, theirs, (size_t)n);
	}
	if (fd >= 0)
		close(fd);
	return same && !lseek(from, 0, SEEK_SET);
}

static int write_beside(const struct item *item, int from)
{
	int fd = open(item->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	char data[65536];
	ssize_t n = 0;
	int ret = 0;

	if (fd < 0 || lseek(from, 0, SEEK_SET))
		ret = -errno;
	while (!ret && (n = fd_read_full(from, data, sizeof(data))) > 0)
		ret = fd_write_all(fd, data, (size_t)n);
	if (n < 0)
		ret = (int)n;
	if (!ret && (fchmod(fd, item->stat.st_mode & 07777) || fsync(fd)))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Return: 1 if it is there as it should be. */
static int copy_file(const struct item *item)
{
	int from = openat(item->folder, item->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int ret;

	if (from < 0)
		return -errno;
	ret = is_same_file(item, from) ? 1 : write_beside(item, from);
	close(from);
	return ret;
}

/* Copies a link, like copy_file(). */
static int copy_link(const struct item *item)
{
	char ours[PATH_MAX] = "", theirs[PATH_MAX] = "";

	if (readlinkat(item->folder, item->name, ours, sizeof(ours) - 1) < 0)
		return -errno;
	if (readlink(item->to, theirs, sizeof(theirs) - 1) > 0 && !strcmp(ours, theirs))
		return 1;
	return symlink(ours, item->beside) ? -errno : 0;
}

/* Return: 1 if it was there. */
static int replace(const struct item *item)
{
	int ret;

	/* Somebody was killed before the new one was in its place. */
	if (unlink(item->beside) && errno != ENOENT)
		return -errno;
	ret = S_ISLNK(item->stat.st_mode) ? copy_link(item) : copy_file(item);
	if (!ret && rename(item->beside, item->to))
		ret = -errno;
	if (ret < 0)
		unlink(item->beside);
	return ret;
}

static int copy_item(struct item *item, const char *to, bool *changed, char why[WHY_SIZE])
{
	int fd, ret;

	if (snprintf(item->to, PATH_MAX, "%s/%s", to, item->name) >= PATH_MAX ||
	    snprintf(item->beside, PATH_MAX, "%s/.%s.new", to, item->name) >= PATH_MAX)
		return why_fail(why, -ENAMETOOLONG, "%s/%s: the path is too long", to, item->name);
	if (fstatat(item->folder, item->name, &item->stat, AT_SYMLINK_NOFOLLOW))
		return why_fail(why, -errno, "cannot read %s: %s", item->name, strerror(errno));
	if (S_ISDIR(item->stat.st_mode)) {
		fd = openat(item->folder, item->name,
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		ret = fd < 0 ? why_fail(why, -errno, "cannot read %s: %s",
					item->name, strerror(errno)) :
			       dirtree_copy(fd, item->to, changed, why);
		if (fd >= 0)
			close(fd);
		return ret;
	}
	ret = replace(item);
	if (ret < 0)
		return why_fail(why, ret, "cannot write %s: %s", item->to, strerror(-ret));
	*changed |= !ret;
	return 0;
}

int dirtree_copy(int from, const char *to, bool *changed, char why[WHY_SIZE])
{
	struct item item = { .folder = from };
	int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int ret = 0;

	if (!folder) {
		ret = why_fail(why, -errno, "cannot read the folder for %s: %s", to,
			       strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	if (mkdir(to, 0755) ? errno != EEXIST : chmod(to, 0755))
		ret = why_fail(why, -errno, "cannot make the folder %s: %s", to, strerror(errno));
	while (!ret && (entry = readdir(folder))) {
		item.name = entry->d_name;
		if (strcmp(item.name, ".") != 0 && strcmp(item.name, "..") != 0)
			ret = copy_item(&item, to, changed, why);
	}
	closedir(folder);
	return ret;
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *place)
{
	(void)stat;
	(void)type;
	(void)place;
	/* Somebody else may remove it, too. */
	return remove(path) && errno != ENOENT ? -1 : 0;
}

int dirtree_remove(const char *path, char why[WHY_SIZE])
{
	if (!nftw(path, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) || errno == ENOENT)
		return 0;
	return why_fail(why, -errno, "cannot remove %s: %s", path, strerror(errno));
}
