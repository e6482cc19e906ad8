// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mount points that a runtime makes in a container's root: see oci.h.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/oci/internal.h"
#include "lib/in_root.h"
#include "lib/mountinfo.h"
#include "lib/path.h"

#define RECORD	"mpu-mount-points.json"

/* A driver has 100 files; a list of many GPUs' nodes is as long again. */
#define MOST	4096

static int record_path(const char *bundle, char path[PATH_MAX], char why[WHY_SIZE])
{
	return snprintf(path, PATH_MAX, "%s/" RECORD, bundle) < PATH_MAX ? 0 :
	       why_fail(why, -ENAMETOOLONG, "the path of the bundle is too long");
}

/* Adds a path, and the folders that lead there, up to the first that is there. */
static void add_missing(struct places *places, const char *path, struct strv *missing)
{
	struct container_place place = { .mount = -1 };
	size_t len = strlen(path);
	char part[PATH_MAX];

	if (path[0] != '/' || len >= sizeof(part))
		return;
	memcpy(part, path, len + 1);
	while (!place.beside) {
		while (len && part[len - 1] == '/')
			part[--len] = '\0';
		if (!len || missing->n == MOST || strv_have(missing, part) ||
		    places_find(places, part, &place) || place.exists)
			return;
		strv_add(missing, part);
		while (part[len - 1] != '/')
			len--;
	}
}

/* Nodes are mounted, too, where a user namespace keeps a runtime from making them. */
static bool is_mounted(const struct edit *edit)
{
	return edit->kind == EDIT_MOUNT || edit->kind == EDIT_TEXT ||
	       edit->kind == EDIT_NODE ||
	       (edit->kind == EDIT_LINK && edit->source);
}

static void find_missing(struct places *places, struct json_object *config,
			 const struct edits *edits, struct strv *missing, struct json_object *links)
{
	struct oci_mounts mounts;
	size_t i;

	oci_mounts_open(&mounts, config);
	for (i = 0; i < edits->n; i++) {
		const struct edit *edit = &edits->edit[i];

		if (!is_mounted(edit) || oci_mounts_hold(&mounts, edit->path))
			continue;
		add_missing(places, edit->path, missing);
		/* A link that was made has nothing mounted on it. */
		if (edit->kind == EDIT_LINK && edit->text && strv_have(missing, edit->path))
			member_add_text(links, edit->path, edit->text);
	}
	oci_mounts_close(&mounts);
}

static int write_record(const char *path, const char *root, const struct strv *missing,
			struct json_object *links, char why[WHY_SIZE])
{
	const struct stat file = { .st_mode = 0600, .st_uid = geteuid(),
				   .st_gid = getegid() };
	struct json_file record = { json_object_new_object(), file };
	int ret;

	member_add_text(record.root, "root", root);
	json_object_object_add(record.root, "paths", array_of_words(missing));
	json_object_object_add(record.root, "links", json_object_get(links));
	ret = json_file_write(path, &record, why);
	json_object_put(record.root);
	return ret;
}

/* Return: 0, also where there is none (@record->root is NULL then); or negative errno. */
static int read_record(const char *bundle, struct json_file *record,
		       char path[PATH_MAX], char why[WHY_SIZE])
{
	int ret = record_path(bundle, path, why);

	*record = (struct json_file){ 0 };
	if (!ret)
		ret = json_file_read(path, record, why);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	/* Anybody can make a bundle; its record is ours. */
	if (record->file.st_uid == geteuid() && !(record->file.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	return why_fail(why, -EPERM, "%s is not followed: somebody else could have written it",
			path);
}

static int parse_record(struct json_object *record, const char **root, struct json_object **paths,
			struct json_object **links, char why[WHY_SIZE])
{
	struct json_object *name = NULL;
	int ret;

	if (!json_object_is_type(record, json_type_object))
		return why_fail(why, -EINVAL, RECORD " is not an object");
	ret = json_file_member(record, "", "root", json_type_string, &name, why);
	if (!ret)
		ret = json_file_member(record, "", "paths", json_type_array, paths, why);
	if (!ret)
		ret = json_file_member(record, "", "links", json_type_object, links, why);
	if (!ret && *paths && json_object_array_length(*paths) > MOST)
		ret = why_fail(why, -E2BIG, RECORD " has more than %d paths", MOST);
	*root = name ? json_object_get_string(name) : NULL;
	return ret;
}

/*
 * Takes over the mount points of an earlier container of this root: to make a hundred
 * anew takes a runtime longer than all else that the edits add.
 */
static int take_over(const char *bundle, const char *root, struct strv *points,
		     struct json_object **links, char why[WHY_SIZE])
{
	struct json_object *paths = NULL, *made = NULL;
	struct json_file record;
	const char *name = NULL;
	char path[PATH_MAX];
	bool same;
	int ret = read_record(bundle, &record, path, why);

	if (!ret && record.root)
		ret = parse_record(record.root, &name, &paths, &made, why);
	same = name && !strcmp(name, root);
	if (!ret && name && !same)
		ret = oci_mount_points_remove(bundle, why);
	if (!ret && same)
		array_add_words(paths, points);
	*links = same && made ? json_object_get(made) : json_object_new_object();
	json_object_put(record.root);
	return ret;
}

int oci_mount_points_record(const char *bundle, struct places *places, struct json_object *config,
			    const struct edits *edits, char why[WHY_SIZE])
{
	const char *root = places->container->root;
	struct json_object *links = NULL;
	struct strv points = { 0 };
	char path[PATH_MAX];
	int ret = places->root >= 0 ? 0 :
		  why_fail(why, -ENOENT, "the container's root %s cannot be looked into", root);

	if (!ret)
		ret = take_over(bundle, root, &points, &links, why);
	if (!ret)
		ret = record_path(bundle, path, why);
	if (!ret)
		find_missing(places, config, edits, &points, links);
	if (!ret && points.n) {
		/* The sorting puts a folder before its files. */
		strv_sort(&points);
		ret = write_record(path, root, &points, links, why);
	}
	json_object_put(links);
	strv_free(&points);
	return ret;
}

/* Does not wait for a filesystem whose server does not answer. */
static bool stat_quickly(int folder, const char *path, int flags, struct statx *st)
{
	return !statx(folder, path, flags | AT_STATX_DONT_SYNC, STATX_INO, st);
}

static bool is_same(const struct statx *a, const struct statx *b)
{
	return a->stx_ino == b->stx_ino && a->stx_dev_major == b->stx_dev_major &&
	       a->stx_dev_minor == b->stx_dev_minor;
}

static bool has_mount_below(int process, const char *folder)
{
	int fd = openat(process, "mountinfo", O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	size_t size = 0, len = strlen(folder);
	struct mountinfo mounted;
	bool found = false;
	char *line = NULL;

	if (!file && fd >= 0)
		close(fd);
	while (file && !found && getline(&line, &size, file) > 0)
		found = mountinfo_parse(line, &mounted) &&
			!strncmp(mounted.at, folder, len) && mounted.at[len] == '/';
	free(line);
	if (file)
		fclose(file);
	return found;
}

/**
 * struct use - what it is to use a container's root
 * @host, @mounts: a process with our root, and mounts that are not ours, has some below it:
 *		that is a runtime, before it changes its root
 */
struct use {
	char folder[PATH_MAX];		/* path without links, as mountinfo has it */
	struct statx root, host, mounts;	/* @root: that of a process */
};

static bool uses(int process, const struct use *use)
{
	struct statx root, mounts;

	if (!stat_quickly(process, "root", 0, &root))
		return false;
	if (is_same(&root, &use->root))
		return true;
	return is_same(&root, &use->host) &&
	       stat_quickly(process, "ns/mnt", 0, &mounts) &&
	       !is_same(&mounts, &use->mounts) &&
	       has_mount_below(process, use->folder);
}

/* Is the folder in use? A process that does not let us tell does not count. */
static int check_processes(int root, const char *name, char why[WHY_SIZE])
{
	DIR *proc = opendir("/proc");
	int ret = proc ? 0 : -errno, process;
	struct dirent *entry;
	struct use use;

	if (!ret)
		ret = in_root_name(root, use.folder);
	if (!ret && !(stat_quickly(root, "", AT_EMPTY_PATH, &use.root) &&
		      stat_quickly(AT_FDCWD, "/proc/self/root", 0, &use.host) &&
		      stat_quickly(AT_FDCWD, "/proc/self/ns/mnt", 0, &use.mounts)))
		ret = -errno;
	if (ret)
		why_fail(why, ret, "/proc and %s: %s", name, strerror(-ret));
	while (!ret && (entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		process = openat(dirfd(proc), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (process < 0)
			continue;
		if (uses(process, &use))
			ret = why_fail(why, -EBUSY, "the mount points in %s stay: it is the root of process %s",
				       name, entry->d_name);
		close(process);
	}
	if (proc)
		closedir(proc);
	return ret;
}

/* Removes it if it is what a runtime makes, or our hook: a link; else returns 0, too. */
static int remove_made(int folder, const char *name, const char *link)
{
	struct stat above, st;
	int ret = 0;

	if (fstat(folder, &above) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(st.st_mode) && st.st_dev == above.st_dev)
		ret = unlinkat(folder, name, AT_REMOVEDIR);
	else if ((S_ISREG(st.st_mode) && !st.st_size && st.st_nlink == 1) ||
		 (link && link_says(folder, name, link)))
		ret = unlinkat(folder, name, 0);
	return !ret || errno == ENOTEMPTY || errno == EEXIST ? 0 : -errno;
}

static int remove_one(int root, const char *path, const char *link, char why[WHY_SIZE])
{
	char parent[PATH_MAX];
	const char *name = snprintf(parent, sizeof(parent), "%s", path) < PATH_MAX ?
			   path_cut(parent) : NULL;
	int folder, ret;

	if (!name)
		return why_fail(why, -EINVAL, "%.100s is not an absolute path", path);
	folder = in_root_open(root, *parent ? parent : "/", O_PATH | O_DIRECTORY);
	if (folder < 0)
		return folder == -ENOENT || folder == -ENOTDIR ? 0 :
		       in_root_fail(why, folder, "the container's ", parent);
	ret = remove_made(folder, name, link);
	close(folder);
	return ret ? why_fail(why, ret, "the mount point %s stays: %s", path, strerror(-ret)) : 0;
}

/* Goes on after a failure. */
static int remove_all(int root, struct json_object *paths, struct json_object *links,
		      char why[WHY_SIZE])
{
	size_t i = array_length(paths);
	const char *path;
	int ret = 0;

	while (i--) {
		path = json_object_get_string(json_object_array_get_idx(paths, i));
		if (path)
			ret = remove_one(root, path, member_text(links, path), why) ?: ret;
	}
	return ret;
}

/* A root that is gone, or not mounted any more, has nothing in it. */
static int remove_recorded(struct json_object *record, char why[WHY_SIZE])
{
	struct json_object *paths = NULL, *links = NULL;
	const char *path;
	int root, ret = parse_record(record, &path, &paths, &links, why);

	if (ret || !path)
		return ret;
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return errno == ENOENT ? 0 : why_fail(why, -errno, "%s: %s", path, strerror(errno));
	ret = check_processes(root, path, why);
	if (!ret)
		ret = remove_all(root, paths, links, why);
	close(root);
	return ret;
}

int oci_mount_points_remove(const char *bundle, char why[WHY_SIZE])
{
	struct json_file record;
	char path[PATH_MAX];
	int ret = read_record(bundle, &record, path, why);

	if (!record.root)
		return ret;
	if (!ret)
		ret = remove_recorded(record.root, why);
	json_object_put(record.root);
	if (!ret && unlink(path))
		ret = why_fail(why, -errno, "%s: %s", path, strerror(errno));
	return ret;
}
