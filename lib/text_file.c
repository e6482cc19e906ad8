// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of text: see text_file.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/in_root.h"
#include "lib/fds.h"
#include "lib/path.h"
#include "lib/text_file.h"
#include "lib/trust.h"
#include "lib/xalloc.h"

/* The files of docker have 12 kB; an environment of megabytes is conceivable. */
#define MAX_SIZE	(16 << 20)

static int read_open(int fd, struct text_file *file, const char **wrong)
{
	ssize_t len;

	if (fstat(fd, &file->stat))
		return -errno;
	if (file->stat.st_size > MAX_SIZE) {
		*wrong = "it is larger than 16 MiB";
		return -EFBIG;
	}
	file->text = xcheck(malloc((size_t)file->stat.st_size + 1));
	len = fd_read_full(fd, file->text, (size_t)file->stat.st_size);
	if (len < 0)
		return (int)len;
	file->text[len] = '\0';
	file->is_there = true;
	if (strlen(file->text) == (size_t)len)
		return 0;
	*wrong = "there is a NUL character in it";
	return -EINVAL;
}

/* Takes @held over. @wrong: receives what is wrong, if errno does not tell it */
static int read_held(int held, struct text_file *file, const char **wrong)
{
	int fd = regular_open(held, O_RDONLY), ret;

	if (fd < 0) {
		*wrong = fd == -EINVAL ? "it is not a regular file" :
			 fd == -ENOSYS ? "/proc is not mounted" : NULL;
		return fd;
	}
	ret = read_open(fd, file, wrong);
	close(fd);
	return ret;
}

int text_file_read(const char *path, struct text_file *file, char why[WHY_SIZE])
{
	const char *wrong = NULL;
	int fd = open(path, O_PATH | O_CLOEXEC), ret = 0;

	*file = (struct text_file){ .stat = { .st_mode = 0644,
		.st_uid = geteuid(), .st_gid = getegid() } };
	if (fd >= 0) {
		ret = read_held(fd, file, &wrong);
	} else if (errno == ENOENT) {
		file->text = xstrdup("");
	} else {
		ret = -errno;
	}
	if (ret)
		why_fail(why, ret, "cannot read %s: %s", path, wrong ? wrong : strerror(-ret));
	return ret;
}

int text_file_find(const char *path, char real[PATH_MAX], char why[WHY_SIZE])
{
	int ret = in_root_lead_here(path, real);

	return ret ? why_fail(why, ret, "cannot find %s: %s", path, strerror(-ret)) : 0;
}

static int copy_attribute(const char *path, const char *name, char *value, int fd)
{
	ssize_t size = lgetxattr(path, name, value, XATTR_SIZE_MAX);

	if (size < 0)
		return errno == ENODATA ? 0 : -errno;
	return fsetxattr(fd, name, value, (size_t)size, 0) ? -errno : 0;
}

/*
 * Copies ACLs, SELinux's label, and what users have set. An attribute that may not be set,
 * as EVM's signature, forbids to replace the file.
 */
static int copy_attributes(const char *path, int fd)
{
	char *names = xcheck(malloc(XATTR_LIST_MAX)), *value = xcheck(malloc(XATTR_SIZE_MAX));
	ssize_t size = llistxattr(path, names, XATTR_LIST_MAX), at;
	int ret = size >= 0 || errno == ENOENT || errno == ENOTSUP ? 0 : -errno;

	for (at = 0; !ret && at < size; at += (ssize_t)strlen(names + at) + 1)
		ret = copy_attribute(path, names + at, value, fd);
	free(names);
	free(value);
	return ret;
}

/* Another file beside it, that is to take its place. */
#define BESIDE	".mpu-XXXXXX"

static int write_beside(int fd, const char *path, const char *text,
			const struct stat *stat, bool to_disk)
{
	int ret = fd_write_all(fd, text, strlen(text));

	/* The order matters: a new owner takes mode bits away, a mode changes an ACL. */
	if (!ret && fchown(fd, stat->st_uid, stat->st_gid))
		ret = -errno;
	if (!ret)
		ret = copy_attributes(path, fd);
	if (!ret && (fchmod(fd, stat->st_mode & 07777) || (to_disk && fsync(fd))))
		ret = -errno;
	return ret;
}

/* @name: "": of whichever file */
static bool is_beside(const char *entry, const char *name)
{
	const char *end = strrchr(entry, '.');
	size_t len = end ? (size_t)(end - entry) : 0;

	return end && strlen(end) == strlen(BESIDE) &&
	       !strncmp(end, BESIDE, strcspn(BESIDE, "X")) &&
	       (!*name || (strlen(name) == len && !strncmp(entry, name, len)));
}

/* Whoever writes one has locked it, and no kill leaves a lock. */
static void remove_left(int folder, const char *name)
{
	int held = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int fd = regular_open(held < 0 ? -errno : held, O_RDONLY);

	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(folder, name, 0);
	close(fd);
}

void text_file_sweep(const char *path)
{
	const char *name = path_name(path);
	char folder[PATH_MAX];
	struct dirent *entry;
	DIR *list;

	if (snprintf(folder, sizeof(folder), "%.*s.", (int)(name - path), path) >=
	    (int)sizeof(folder))
		return;
	list = opendir(folder);
	while (list && (entry = readdir(list)))
		if (is_beside(entry->d_name, name))
			remove_left(dirfd(list), entry->d_name);
	if (list)
		closedir(list);
}

int text_file_append(const char *path)
{
	struct open_how how = { .mode = 0644,
		.flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };
	char folder[PATH_MAX], why[WHY_SIZE];
	struct stat st;
	int fd;

	snprintf(folder, sizeof(folder), "%.*s.", (int)(path_name(path) - path), path);
	if (trust_path(folder, why) || (!stat(folder, &st) && (st.st_mode & S_ISVTX)))
		how.resolve = RESOLVE_NO_SYMLINKS;
	fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	if (fd < 0 || !how.resolve || fstat(fd, &st) || st.st_nlink < 2)
		return fd < 0 ? -errno : fd;
	close(fd);
	return -EMLINK;
}

/* Makes it anew where another writer has swept it away before it was locked. */
static int make_beside(const char *path, char beside[PATH_MAX])
{
	struct stat st;
	int fd = -1;

	do {
		if (fd >= 0)
			close(fd);
		if (snprintf(beside, PATH_MAX, "%s" BESIDE, path) >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = mkostemp(beside, O_CLOEXEC);
		if (fd < 0)
			return -errno;
		flock(fd, LOCK_EX);
	} while (!fstat(fd, &st) && !st.st_nlink);
	return fd;
}

static int replace(const char *path, const char *text, const struct stat *stat, bool to_disk)
{
	char beside[PATH_MAX];
	int fd, ret;

	text_file_sweep(path);
	fd = make_beside(path, beside);
	if (fd < 0)
		return fd;
	ret = write_beside(fd, path, text, stat, to_disk);
	if (!ret && rename(beside, path))
		ret = -errno;
	if (ret)
		unlink(beside);
	close(fd);	/* an error of it could not be undone any more */
	return ret;
}

/*
 * Does it keep a file from being replaced, but not from being written? Its folder may
 * not be changed, nobody else may have its owner, or it is mounted (EBUSY).
 */
static bool forbids_replacing(int error)
{
	return error == -EACCES || error == -EPERM || error == -EROFS || error == -EBUSY;
}

/* The room is there before anything is changed: a full disk leaves it as it was. */
static int overwrite_open(int fd, const char *text, bool to_disk)
{
	off_t len = (off_t)strlen(text);
	struct stat was;
	int ret;

	if (fstat(fd, &was))
		return -errno;
	if (len > was.st_size) {
		ret = -posix_fallocate(fd, was.st_size, len - was.st_size);
		if (ret)
			return ftruncate(fd, was.st_size) ? -errno : ret;
	}
	ret = fd_write_all(fd, text, strlen(text));
	if (!ret && (ftruncate(fd, len) || (to_disk && fsync(fd))))
		ret = -errno;
	return ret;
}

static int overwrite(const char *path, const char *text, bool to_disk)
{
	int held = open(path, O_PATH | O_CLOEXEC);
	int fd = regular_open(held < 0 ? -errno : held, O_WRONLY), ret;

	if (fd < 0)
		return fd;
	ret = overwrite_open(fd, text, to_disk);
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

static int write_file(const char *path, const char *text, const struct stat *stat,
		      bool to_disk, char why[WHY_SIZE])
{
	char real[PATH_MAX];
	struct stat there;
	int ret = text_file_find(path, real, why);

	if (ret)
		return ret;
	/* A file that replaced /dev/null would be there for everybody. */
	if (!fstatat(AT_FDCWD, path, &there, 0) && !S_ISREG(there.st_mode))
		return why_fail(why, -EINVAL, "cannot write %s: it is not a regular file", path);
	ret = replace(real, text, stat, to_disk);
	/* The message for a missing file says what forbade to make it. */
	if (forbids_replacing(ret) && !access(real, F_OK))
		ret = overwrite(real, text, to_disk);
	return ret ? why_fail(why, ret, "cannot write %s: %s", path, strerror(-ret)) : 0;
}

int text_file_write(const char *path, const char *text, const struct stat *stat, char why[WHY_SIZE])
{
	return write_file(path, text, stat, true, why);
}

int text_file_write_fast(const char *path, const char *text,
			 const struct stat *stat, char why[WHY_SIZE])
{
	return write_file(path, text, stat, false, why);
}

void text_file_free(struct text_file *file)
{
	free(file->text);
	*file = (struct text_file){ 0 };
}
