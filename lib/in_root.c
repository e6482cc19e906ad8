// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening paths below a folder that no link leads out of.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/in_root.h"
#include "lib/fds.h"
#include "lib/path.h"

/*
 * openat2 gives up with EAGAIN if a folder was renamed anywhere while it went
 * through "..": by chance once or twice, forever if somebody tries.
 */
#define TRIES	128

static int open_in_root(int root, const char *path, int flags, uint64_t resolve)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | resolve,
	};
	int tries, fd = -1;

	for (tries = 0; tries < TRIES && fd < 0; tries++) {
		fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
		if (fd < 0 && errno != EAGAIN && errno != EINTR)
			break;
	}
	return fd < 0 ? -errno : fd;
}

int in_root_open(int root, const char *path, int flags)
{
	return open_in_root(root, path, flags, 0);
}

bool in_root_exists(int root, const char *path)
{
	int fd = in_root_open(root, path, O_PATH);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int in_root_stat(int root, const char *path, int flags, struct stat *file)
{
	int fd = in_root_open(root, path, O_PATH | flags), ret;

	if (fd < 0)
		return fd;
	ret = fstat(fd, file) ? -errno : 0;
	close(fd);
	return ret;
}

bool link_says(int folder, const char *name, const char *target)
{
	char there[PATH_MAX];
	ssize_t len = readlinkat(folder, name, there, sizeof(there));

	return len >= 0 && (size_t)len == strlen(target) && !memcmp(there, target, (size_t)len);
}

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

static bool has_bytes(int folder, const char *name, const void *bytes, size_t size)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	char part[4096];
	size_t at = 0;
	ssize_t n = 0;

	fd = regular_open(fd < 0 ? -errno : fd, O_RDONLY);
	if (fd < 0)
		return false;
	while ((n = read(fd, part, sizeof(part))) > 0 && at + (size_t)n <= size &&
	       !memcmp(part, (const char *)bytes + at, (size_t)n))
		at += (size_t)n;
	close(fd);
	return !n && at == size;
}

/* @unnamed: it has no name until it is whole, so that who is killed leaves nothing */
static int write_new(int folder, const char *name, const void *bytes, size_t size, bool unnamed)
{
	struct stat st;
	int fd, ret;

	fd = unnamed ? openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644) :
		       openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	ret = fd_write_all(fd, bytes, size);
	if (!ret && (fstat(folder, &st) || fchown(fd, st.st_uid, st.st_gid) ||
		     fchmod(fd, 0644) ||
		     (unnamed && linkat(fd, "", folder, name, AT_EMPTY_PATH))))
		ret = -errno;
	close(fd);
	return ret;
}

static int replace(int folder, const char *name, const void *bytes, size_t size)
{
	char beside[32];
	uint64_t number;
	int ret;

	if (has_bytes(folder, name, bytes, size))
		return 0;
	/* Another start may write the same file at this moment. */
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -EIO;
	snprintf(beside, sizeof(beside), ".mpu-%016llx", (unsigned long long)number);
	ret = write_new(folder, beside, bytes, size, true);
	/* Not every file system has O_TMPFILE, nor every user CAP_DAC_READ_SEARCH. */
	if (ret)
		ret = write_new(folder, beside, bytes, size, false);
	if (!ret && renameat(folder, beside, folder, name))
		ret = -errno;
	if (ret)
		unlinkat(folder, beside, 0);
	return ret;
}

int in_root_replace(int root, const char *path, const void *bytes, size_t size)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX];
	int folder, ret;

	if (snprintf(parent, sizeof(parent), "%.*s/", slash ? (int)(slash - path) : 0,
		     path) >= (int)sizeof(parent))
		return -ENAMETOOLONG;
	folder = open_in_root(root, parent, O_PATH | O_DIRECTORY, RESOLVE_NO_XDEV);
	if (folder < 0)
		return folder;
	ret = replace(folder, slash ? slash + 1 : path, bytes, size);
	close(folder);
	return ret;
}

int in_root_name(int fd, char name[PATH_MAX])
{
	struct stat st;
	char link[32];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, name, PATH_MAX);
	if (len < 0)
		return -errno;
	if (len == PATH_MAX)
		return -ENAMETOOLONG;
	name[len] = '\0';
	return path_ends(name, " (deleted)") && !fstat(fd, &st) && !st.st_nlink ? -ESTALE : 0;
}

int in_root_below(const char *folder, int fd, char place[PATH_MAX])
{
	size_t len = strcmp(folder, "/") ? strlen(folder) : 0;
	char name[PATH_MAX];
	int ret = in_root_name(fd, name);

	if (ret)
		return ret;
	/* Moved away meanwhile, or seen from another mount namespace. */
	if (folder[0] != '/' || strncmp(name, folder, len) || (name[len] && name[len] != '/'))
		return -EXDEV;
	strcpy(place, name[len] ? name + len : "/");
	return 0;
}

int in_root_place(int root, int fd, char place[PATH_MAX])
{
	char folder[PATH_MAX];

	return in_root_name(root, folder) ?: in_root_below(folder, fd, place);
}

typedef int opener(int root, const char *path, int flags);

static int open_here(int root, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	(void)root;
	return fd < 0 ? -errno : fd;
}

/* A path that leads nowhere, cut in two. */
struct way {
	char at[PATH_MAX];	/* the path looked for */
	char rest[PATH_MAX];	/* the missing rest of it, with a slash in front */
};

static ssize_t read_link(opener *open_at, int root, const char *path, char target[PATH_MAX])
{
	int fd = open_at(root, path, O_PATH | O_NOFOLLOW);
	ssize_t len = fd < 0 ? -1 : readlinkat(fd, "", target, PATH_MAX - 1);

	if (fd >= 0)
		close(fd);
	if (len >= 0)
		target[len] = '\0';
	return len;
}

/*
 * Take a step back on it: a link at its end is replaced by what it says, and any other
 * name is missing.
 */
static int step_back(opener *open_at, int root, struct way *way)
{
	char target[PATH_MAX], rest[PATH_MAX];
	char *slash = strrchr(way->at, '/');
	char *name = slash ? slash + 1 : way->at;
	ssize_t len = read_link(open_at, root, way->at, target);

	if (len >= 0) {
		if (*target == '/')
			name = way->at;
		if ((size_t)(name - way->at) + (size_t)len >= sizeof(way->at))
			return -ENAMETOOLONG;
		strcpy(name, target);
		return 0;
	}
	if (!strcmp(name, ".."))
		return -ENOENT;
	memcpy(rest, way->rest, sizeof(rest));
	if (*name && strcmp(name, ".") &&
	    snprintf(way->rest, sizeof(rest), "/%s%s", name, rest) >= (int)sizeof(rest))
		return -ENAMETOOLONG;
	/* The last slash may be the root. */
	strcpy(name, slash ? "" : ".");
	if (slash && slash != way->at)
		*slash = '\0';
	return 0;
}

static int lead_once(opener *open_at, int root, const char *path, char real[PATH_MAX])
{
	struct way way = { .rest = "" };
	size_t len;
	int fd, ret = 0;

	if (snprintf(way.at, sizeof(way.at), "%s", path) >= (int)sizeof(way.at))
		return -ENAMETOOLONG;
	while (!ret && (fd = open_at(root, way.at, O_PATH)) < 0)
		ret = fd == -ENOENT && *way.at ? step_back(open_at, root, &way) : fd;
	if (ret)
		return ret;
	ret = root < 0 ? in_root_name(fd, real) : in_root_place(root, fd, real);
	close(fd);
	if (ret)
		return ret;
	len = !strcmp(real, "/") && *way.rest ? 0 : strlen(real);
	if (len + strlen(way.rest) >= PATH_MAX)
		return -ENAMETOOLONG;
	strcpy(real + len, way.rest);
	return 0;
}

static int lead(opener *open_at, int root, const char *path, char real[PATH_MAX])
{
	int tries, ret = -ESTALE;

	for (tries = 0; tries < TRIES && ret == -ESTALE; tries++)
		ret = lead_once(open_at, root, path, real);
	return ret;
}

int in_root_lead(int root, const char *path, char real[PATH_MAX])
{
	return lead(in_root_open, root, path, real);
}

int in_root_lead_here(const char *path, char real[PATH_MAX])
{
	return lead(open_here, -1, path, real);
}

int in_root_fail(char why[WHY_SIZE], int result, const char *where, const char *path)
{
	if (result == -ENOSYS)
		return why_fail(why, result,
				"%s%s: this kernel has no openat2, without which a link could lead out of %s: Linux 5.6 or newer is needed",
				where, path, *where ? where : "the root");
	if (result == -EAGAIN)
		return why_fail(why, result,
				"%s%s: folders on the way were renamed %d times while it was opened: stop what does that, and try again",
				where, path, TRIES);
	return why_fail(why, result, "%s%s: %s", where, path, strerror(-result));
}
