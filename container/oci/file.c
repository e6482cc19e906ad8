// SPDX-License-Identifier: GPL-2.0-only
/*
 * Editing a configuration in its folder: written beside, then renamed.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/oci/seccomp.h"

/* Those of docker have 12 kB; an environment of megabytes is conceivable. */
#define MAX_SIZE	(16 << 20)

struct text {
	char *at;
	size_t len;
	struct stat st;
};

/* Leaves the reason in @why if it is one that errno does not tell. */
static int read_all(const char *path, struct text *text, const char **why)
{
	/* A pipe would block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n = 0;
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &text->st)) {
		ret = -errno;
	} else if (!S_ISREG(text->st.st_mode)) {
		*why = "it is no regular file";
		ret = -EINVAL;
	} else if (text->st.st_size > MAX_SIZE) {
		*why = "it is larger than 16 MiB";
		ret = -EFBIG;
	} else {
		text->at = malloc((size_t)text->st.st_size + 1);
		ret = text->at ? 0 : -ENOMEM;
	}
	while (!ret && text->len < (size_t)text->st.st_size) {
		n = read(fd, text->at + text->len,
			 (size_t)text->st.st_size - text->len);
		if (n < 0 && errno != EINTR)
			ret = -errno;
		else if (!n)
			break;
		text->len += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return ret;
}

static int write_all(int fd, const char *at, size_t len)
{
	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int replace(const char *path, const struct stat *st, const char *at,
		   size_t len)
{
	char beside[PATH_MAX];
	int fd, ret;

	if (snprintf(beside, sizeof(beside), "%s.mpu-XXXXXX", path) >=
	    (int)sizeof(beside))
		return -ENAMETOOLONG;
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write_all(fd, at, len);
	/* The owner first: changing it may take mode bits away. */
	if (!ret && (fchown(fd, st->st_uid, st->st_gid) ||
		     fchmod(fd, st->st_mode & 07777) || fsync(fd)))
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(beside, path))
		ret = -errno;
	if (ret)
		unlink(beside);
	return ret;
}

int oci_file_is_ours(const char *path, const char *listener)
{
	struct text text = { 0 };
	const char *wrong;
	int ret = read_all(path, &text, &wrong);

	if (!ret)
		ret = oci_is_ours(text.at, text.len, listener);
	free(text.at);
	return ret;
}

int oci_edit(const char *path, const struct oci_want *want, char *why,
	     size_t size)
{
	struct text text = { 0 };
	const char *wrong = NULL;
	char *edited = NULL;
	size_t edited_len;
	char reason[512] = "";
	int ret, written;

	ret = read_all(path, &text, &wrong);
	if (ret) {
		snprintf(why, size, "cannot read %s: %s", path,
			 wrong ? wrong : strerror(-ret));
		goto out;
	}
	ret = oci_merge(text.at, text.len, want, &edited, &edited_len, reason,
			sizeof(reason));
	if (ret != OCI_ADDED) {
		snprintf(why, size, "%s: %s", path, reason);
		goto out;
	}
	written = replace(path, &text.st, edited, edited_len);
	if (written) {
		snprintf(why, size, "cannot write %s: %s", path,
			 strerror(-written));
		ret = written;
	}
out:
	free(edited);
	free(text.at);
	return ret;
}
