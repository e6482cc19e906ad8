// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places in a container: where the links of its image lead, to files of the kernel's, too,
 * and what its mounts have there. All of it may be another at the next look.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/image/internal.h"
#include "lib/in_root.h"
#include "lib/json.h"
#include "lib/path.h"
#include "lib/xalloc.h"

/* Filesystems, and where they are at home. */
static const struct {
	const char *folder;
	long type;		/* linux/magic.h; what is in /dev is of any */
} filesystems[] = {
	{ "/proc/", PROC_SUPER_MAGIC }, { "/sys/", SYSFS_MAGIC },
	{ "/sys/", CGROUP_SUPER_MAGIC }, { "/sys/", CGROUP2_SUPER_MAGIC },
	{ "/sys/", SECURITYFS_MAGIC }, { "/sys/", SELINUX_MAGIC },
	{ "/dev/", -1 },
};

static bool is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	/* The folder itself has no slash behind it. */
	return !strncmp(path, folder, len - 1) && (!path[len - 1] || path[len - 1] == '/');
}

bool kernel_files_are(const char *path, const char *place, long type)
{
	size_t i;

	for (i = 0; i < sizeof(filesystems) / sizeof(*filesystems); i++)
		if ((type == filesystems[i].type || is_in(place, filesystems[i].folder)) &&
		    !is_in(path, filesystems[i].folder))
			return true;
	return false;
}

int kernel_files_refuse(char why[WHY_SIZE], const char *path)
{
	return why_fail(why, -EXDEV, "%s: the image has a link there that leads to files of the kernel, in /proc, /sys or /dev: remove it from the image",
			path);
}

int folder_refuse(char why[WHY_SIZE], const char *path)
{
	return why_fail(why, -EISDIR, "%s: the image has a folder there, where a file is to go: remove it from the image (docker -v makes one for a file that is not there)",
			path);
}

/**
 * struct place_folder - a folder of the root, looked for once
 * @asked, @real: its path, and where that leads
 * @fd:		O_PATH; negative errno: -ENOENT where it is missing
 */
struct place_folder {
	char *asked, *real;
	int fd;
};

/* More than the driver's files are in; the limit of descriptors is mostly 1024. */
#define FOLDERS_MAX	256

/* A place that was found: a list of edits is gone through more than once. */
struct place_found {
	char *asked;
	struct container_place *place;
};

static int resolve(struct places *places, const char *path, struct container_place *place);

static void drop_folders(struct places *places)
{
	while (places->n) {
		const struct place_folder *folder = &places->folder[--places->n];

		free(folder->asked);
		free(folder->real);
		if (folder->fd >= 0)
			close(folder->fd);
	}
}

/* Return: valid until the next call. */
static const struct place_folder *find_folder(struct places *places, const char *asked)
{
	struct place_folder folder = { 0 };
	struct container_place *place;
	size_t i;
	int ret;

	for (i = 0; i < places->n; i++)
		if (!strcmp(places->folder[i].asked, asked))
			return &places->folder[i];
	place = xcalloc(1, sizeof(*place));
	folder.fd = in_root_open(places->root, *asked ? asked : "/", O_PATH | O_DIRECTORY);
	ret = folder.fd >= 0 ? in_root_below(places->name, folder.fd, place->path) :
	      folder.fd == -ENOENT ? resolve(places, asked, place) : 0;
	if (ret) {
		if (folder.fd >= 0)
			close(folder.fd);
		/* Nobody knows where it would be made, either. */
		folder.fd = ret == -ENOENT ? -ENOTDIR : ret;
	}
	folder.asked = xstrdup(asked);
	folder.real = xstrdup(strcmp(place->path, "/") ? place->path : "");
	free(place);
	if (places->n == FOLDERS_MAX)
		drop_folders(places);
	places->folder = xreallocarray(places->folder, places->n + 1, sizeof(folder));
	places->folder[places->n] = folder;
	return &places->folder[places->n++];
}

/*
 * Finds where a path leads in the root, whatever is mounted in it. It takes little of the stack:
 * a path may be of 2000 folders, none of which is there.
 */
static int resolve(struct places *places, const char *path, struct container_place *place)
{
	char *parent = xstrdup(path);
	const char *name = path_cut(parent);
	const struct place_folder *folder = name ? find_folder(places, parent) : NULL;
	int ret = folder && folder->fd < 0 && folder->fd != -ENOENT ? folder->fd : 0;
	struct stat st;

	place->beside = folder && folder->fd >= 0;
	place->exists = place->beside && !fstatat(folder->fd, name, &st, AT_SYMLINK_NOFOLLOW);
	place->folder = place->exists && S_ISDIR(st.st_mode);
	if (!ret && folder && !(place->exists && S_ISLNK(st.st_mode))) {
		ret = snprintf(place->path, PATH_MAX, "%s/%s", folder->real, name) < PATH_MAX ?
		      0 : -ENAMETOOLONG;
	} else if (!ret) {
		ret = in_root_lead(places->root, path, place->path);
		place->exists = !ret && !in_root_stat(places->root, path, 0, &st);
		place->folder = place->exists && S_ISDIR(st.st_mode);
	}
	free(parent);
	return ret;
}

/* Returns what follows a folder in a path: "/b" of "/a/b"; NULL: it is not in that. */
static const char *rest_of(const char *path, const char *folder)
{
	size_t len = strcmp(folder, "/") ? strlen(folder) : 0;

	return strncmp(path, folder, len) || (path[len] && path[len] != '/') ? NULL : path + len;
}

/* Finds the mount that a place is in: the deepest, and of these the last. */
static int find_mount(const struct places *places, const char *real)
{
	size_t i, len = 0;
	int found = -1;

	for (i = 0; i < places->points.n; i++) {
		const char *point = places->points.word[i];

		if (*point && rest_of(real, point) && strlen(point) >= len) {
			len = strlen(point);
			found = (int)i;
		}
	}
	return found;
}

int places_open_file(const struct places *places, const struct container_place *place, int flags)
{
	const char *rest;
	int source, fd;

	if (place->mount < 0)
		return in_root_open(places->root, place->path, flags);
	if (!strchr(places->container->kinds.word[place->mount], 'b'))
		return -ENOENT;
	rest = rest_of(place->path, places->points.word[place->mount]);
	source = open(places->container->sources.word[place->mount], O_PATH | O_CLOEXEC);
	if (source < 0)
		return -errno;
	if (!*rest)
		return source;
	fd = in_root_open(source, rest, flags);
	close(source);
	return fd;
}

int places_find(struct places *places, const char *path, struct container_place *place)
{
	int ret = 0, fd;
	size_t i;

	for (i = 0; i < places->n_found; i++)
		if (!strcmp(places->found[i].asked, path)) {
			*place = *places->found[i].place;
			return 0;
		}
	*place = (struct container_place){ .mount = -1 };
	if (places->root >= 0)
		ret = resolve(places, path, place);
	else if (snprintf(place->path, PATH_MAX, "%s", path) >= PATH_MAX)
		ret = -ENAMETOOLONG;
	place->mount = find_mount(places, place->path);
	if (ret)
		return ret;
	if (place->mount >= 0) {
		place->mounted = !strcmp(places->points.word[place->mount], place->path);
		fd = place->mounted ? -ENOENT : places_open_file(places, place, O_PATH);
		place->exists = place->mounted || fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	places->found = xreallocarray(places->found, places->n_found + 1, sizeof(*places->found));
	places->found[places->n_found].asked = xstrdup(path);
	places->found[places->n_found].place = xcalloc(1, sizeof(*place));
	*places->found[places->n_found++].place = *place;
	return 0;
}

/* Does a folder belong to nobody of the container's user namespace, whose root may not change it? */
static bool is_foreign(const struct container *container, int folder)
{
	struct stat st;
	size_t i;

	if (fstat(folder, &st) || st.st_mode & S_IWOTH)
		return false;
	for (i = 0; i < array_length(container->users); i++) {
		struct json_object *map = json_object_array_get_idx(container->users, i);
		int64_t first = member_number(map, "hostID");

		if (st.st_uid >= first && st.st_uid - first < member_number(map, "size"))
			return false;
	}
	return i;
}

bool places_read_only(struct places *places, const struct container_place *place)
{
	const char *kind = place->mount >= 0 ? places->container->kinds.word[place->mount] : "";
	struct container_place above = *place;
	int fd = -ENOENT;
	bool found;

	if (strchr(kind, 'r'))
		return true;
	while (fd == -ENOENT && path_cut(above.path))
		fd = place->mount < 0 ? find_folder(places, above.path)->fd :
		     places_open_file(places, &above, O_PATH | O_DIRECTORY);
	if (fd < 0)
		return fd == -ENOTDIR;
	found = (faccessat(fd, ".", W_OK, 0) && (errno == EROFS || errno == EPERM)) ||
		(!strchr(kind, 'm') && is_foreign(places->container, fd));
	if (place->mount >= 0)
		close(fd);
	return found;
}

int places_open(struct places *places, const struct container *container, char why[WHY_SIZE])
{
	struct stat root, own;
	struct container_place point = { .mount = -1 };
	size_t i;

	*places = (struct places){ .container = container, .root = -1 };
	if (container->root)
		places->root = open(container->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (places->root >= 0 && !in_root_name(places->root, places->name) &&
	    !strcmp(places->name, "/"))
		return why_fail(why, -EINVAL, "%s is this machine's own root folder: no runtime makes a container of that, and GPUs would be written into it: give the container a root folder of its own",
				container->root);
	places->shared = container->read_only || places->root < 0 || fstat(places->root, &root) ||
			 stat("/", &own) ||
			 (root.st_dev == own.st_dev && root.st_ino == own.st_ino);
	for (i = 0; i < container->destinations.n; i++) {
		const char *path = container->destinations.word[i];

		strv_add(&places->points, places->root < 0 || resolve(places, path, &point) ?
					  path : point.path);
	}
	return 0;
}

void places_close(struct places *places)
{
	drop_folders(places);
	free(places->folder);
	while (places->n_found) {
		free(places->found[--places->n_found].asked);
		free(places->found[places->n_found].place);
	}
	free(places->found);
	strv_free(&places->points);
	/* Never opened, it is all 0. */
	if (places->container && places->root >= 0)
		close(places->root);
	*places = (struct places){ 0 };
}
