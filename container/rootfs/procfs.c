// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/driver/nvidia as a container gets it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/rootfs/internal.h"
#include "lib/fds.h"
#include "lib/xalloc.h"

/* Most are a few lines; the registry has whatever an operator wrote there. */
#define FILE_SIZE	65536

#define MODIFY		"ModifyDeviceFiles: 1"

char *procfs_params(const char *params)
{
	size_t len = strlen(params);
	char *text = xasprintf("%s%s", params, len && params[len - 1] == '\n' ? "" : "\n");
	bool is_changed = false;
	char *at = text;

	for (; (at = strstr(at, MODIFY "\n")); at += strlen(MODIFY)) {
		if (at > text && at[-1] != '\n')
			continue;
		at[strlen(MODIFY) - 1] = '0';
		is_changed = true;
	}
	if (is_changed)
		return text;
	free(text);
	return NULL;
}

/* @text: terminated. Return: bytes, or negative errno. */
static ssize_t read_file(int folder, const char *name, char text[FILE_SIZE])
{
	int fd = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = fd_read_full(fd, text, FILE_SIZE - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	return len;
}

/* Copies a file; a missing one is missing in the container, too. */
static int copy_file(struct scratch *scratch, int folder, const char *name)
{
	static char text[FILE_SIZE];
	char *changed = NULL;
	ssize_t len = read_file(folder, name, text);
	int ret;

	if (len < 0)
		return len == -ENOENT ? 0 : (int)len;
	if (!strcmp(name, "params"))
		changed = procfs_params(text);
	ret = scratch_write(scratch, name, changed ?: text,
			    changed ? strlen(changed) : (size_t)len);
	free(changed);
	return ret;
}

static int copy_files(struct procfs *procfs, const char *source,
		      const struct driver_root *driver, char why[WHY_SIZE])
{
	static const char *const names[] = { "params", "version", "registry" };
	int folder = detached_mount_find(driver, source, O_PATH | O_DIRECTORY), ret;
	size_t i;

	if (folder < 0)
		return why_fail(why, folder, "%s: %s", source, strerror(-folder));
	for (i = 0, ret = 0; i < sizeof(names) / sizeof(*names) && !ret; i++) {
		ret = copy_file(&procfs->scratch, folder, names[i]);
		if (ret)
			why_fail(why, 0, "%s/%s: %s", source, names[i], strerror(-ret));
	}
	close(folder);
	return ret;
}

/* Takes @tree over. */
static int keep_tree(struct procfs *procfs, const char *path, struct detached_mount *tree,
		     bool allow_old, char why[WHY_SIZE])
{
	struct scratch *scratch = &procfs->scratch;
	struct kept *kept;
	int ret;

	procfs->kept = xreallocarray(procfs->kept, procfs->n + 1, sizeof(*kept));
	kept = &procfs->kept[procfs->n++];
	*kept = (struct kept){ xstrdup(path), *tree, -1 };
	ret = S_ISDIR(tree->mode) ? scratch_folder(scratch, path) :
				    scratch_write(scratch, path, "", 0);
	/* Asked for twice. */
	if (ret == -EEXIST)
		ret = 0;
	if (!ret) {
		kept->place = openat(scratch->mount, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		ret = kept->place < 0 ? -errno : 0;
	}
	if (ret)
		return why_fail(why, ret, "a place for %s: %s", path, strerror(-ret));
	return detached_mount_restrict(&kept->tree, TREE_NO_PROGRAMS | MOUNT_ATTR_RDONLY,
				       allow_old, why);
}

static int keep(struct procfs *procfs, const struct edit *edit, const char *path,
		const struct driver_root *driver, bool allow_old, char why[WHY_SIZE])
{
	char source[PATH_MAX];
	struct detached_mount tree;
	int ret;

	if (strstr(path, ".."))
		return why_fail(why, -EINVAL, "%s: leads out of %s", path, edit->path);
	if (snprintf(source, sizeof(source), "%s/%s", edit->source, path) >= (int)sizeof(source))
		return why_fail(why, -ENAMETOOLONG, "%s: too long", path);
	ret = detached_mount_open(&tree, driver, source, why);
	return ret ?: keep_tree(procfs, path, &tree, allow_old, why);
}

int procfs_make(struct procfs *procfs, const struct edit *edit, const struct driver_root *driver,
		bool allow_old, char why[WHY_SIZE])
{
	size_t i;
	int ret;

	*procfs = (struct procfs){ .scratch = { -1, -1 }, .whole.fd = -1 };
	ret = scratch_make(&procfs->scratch, why);
	if (!ret)
		ret = copy_files(procfs, edit->source, driver, why);
	for (i = 0; i < edit->options.n && !ret; i++) {
		ret = keep(procfs, edit, edit->options.word[i], driver, allow_old, why);
		if (ret == -ENOENT)	/* older drivers have no "power" */
			ret = 0;
	}
	if (!ret)
		ret = scratch_seal(&procfs->scratch, why);
	if (ret) {
		procfs_close(procfs);
		return ret;
	}
	procfs->whole.fd = procfs->scratch.mount;
	procfs->whole.mode = S_IFDIR;
	return 0;
}

int procfs_attach(struct procfs *procfs, int place, int fds)
{
	int ret = detached_mount_attach(&procfs->whole, place, fds);
	size_t i;

	for (i = 0; i < procfs->n && !ret; i++)
		ret = detached_mount_attach(&procfs->kept[i].tree, procfs->kept[i].place, fds);
	return ret;
}

void procfs_close(struct procfs *procfs)
{
	while (procfs->n) {
		struct kept *kept = &procfs->kept[--procfs->n];

		free(kept->path);
		detached_mount_close(&kept->tree);
		if (kept->place >= 0)
			close(kept->place);
	}
	free(procfs->kept);
	procfs->kept = NULL;
	scratch_close(&procfs->scratch);
}
