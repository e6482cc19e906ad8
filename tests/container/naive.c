// SPDX-License-Identifier: GPL-2.0-only
/*
 * An injector that trusts the image: see naive.h. It makes the mistakes of the
 * existing one, by which each of the attacks once worked, and others that are near.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/container/naive.h"

static void make_parents(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);	/* EEXIST mostly */
		*slash = '/';
	}
}

/* CVE-2024-0134: links of the image are followed. */
static int make_link(const char *root, const struct edit *edit)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, edit->path);
	make_parents(path);
	unlink(path);	/* ENOENT mostly */
	return symlink(edit->text, path) ? -errno : 0;
}

/*
 * CVE-2024-0133: a file is made wherever the image's links lead to.
 * CVE-2025-23359: what was looked at is not what is mounted.
 */
static int make_mount(const char *root, const struct edit *edit)
{
	char path[PATH_MAX], real[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s%s", root, edit->path);
	make_parents(path);
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	close(fd);
	if (!realpath(path, real))
		return -errno;
	if (strncmp(real, root, strlen(root)))
		return -EXDEV;
	return mount(edit->source, path, NULL, MS_BIND, NULL) ? -errno : 0;
}

/* CVE-2024-0132: what is no link when it is looked at is one when it is mounted. */
static int mount_compat(const char *root, const struct layout *layout)
{
	char *pattern, *place;
	struct stat st;
	glob_t found;
	size_t i;
	int fd, ret;

	if (asprintf(&pattern, "%s%s/lib*.so.*", root, layout->compat) < 0)
		return -ENOMEM;
	ret = glob(pattern, 0, NULL, &found);
	free(pattern);
	if (ret)
		return 0;
	for (i = 0; i < found.gl_pathc && !ret; i++) {
		const char *path = found.gl_pathv[i];

		if (lstat(path, &st) || !S_ISREG(st.st_mode))
			continue;
		if (asprintf(&place, "%s%s%s", root, layout->library, strrchr(path, '/')) < 0)
			return -ENOMEM;
		make_parents(place);
		fd = open(place, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
		if (fd >= 0)
			close(fd);
		ret = mount(path, place, NULL, MS_BIND, NULL) ? -errno : 0;
		free(place);
	}
	globfree(&found);
	return ret;
}

/*
 * CVE-2025-23266: with the environment that there happens to be.
 * CVE-2025-23267: where the image's links lead to.
 */
static int run_ldconfig(const char *ldconfig, const char *root, const struct layout *layout)
{
	char command[3 * PATH_MAX];

	snprintf(command, sizeof(command), "%s -X -f %s/etc/ld.so.conf -C %s/etc/ld.so.cache %s%s",
		 ldconfig, root, root, root, layout->library);
	return system(command) ? -EIO : 0;
}

static int enter(pid_t pid)
{
	char path[64];
	int fd, ret;

	if (!pid)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = setns(fd, CLONE_NEWNS) ? -errno : 0;
	close(fd);
	return ret;
}

int naive_configure(const struct edits *edits, const struct rootfs_options *options,
		    const struct layout *layout, const char *ldconfig, char why[WHY_SIZE])
{
	int ret = enter(options->pid);
	size_t i;

	for (i = 0; i < edits->n && !ret; i++) {
		const struct edit *edit = &edits->edit[i];

		if (edit->kind == EDIT_LINK)
			ret = make_link(options->root, edit);
		else
			ret = make_mount(options->root, edit);
	}
	if (!ret)
		ret = mount_compat(options->root, layout);
	if (!ret && ldconfig)
		ret = run_ldconfig(ldconfig, options->root, layout);
	return ret ? why_fail(why, ret, "naive: %s", strerror(-ret)) : 0;
}
