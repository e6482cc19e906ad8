// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ld.so.cache of a list of edits. Programs ask it, and not the loader alone: Triton
 * and ctypes.util.find_library() ask `ldconfig -p`. And where an image's own leads
 * elsewhere for a library of the driver, the loader goes there whatever is mounted.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/image/compat.h"
#include "container/image/loader_cache.h"
#include "container/plan/planner.h"
#include "lib/beneath.h"
#include "lib/library.h"

/* More names than a folder of libraries has. */
#define NAMES_MAX	4096

/**
 * struct libraries - entries of the cache that is made
 * @entry:	@n of them; the first @n_compat are of the image's newer CUDA libraries,
 *		whose paths are ours
 */
struct libraries {
	struct ldcache_entry *entry;
	size_t n, n_compat;
};

static void free_libraries(struct libraries *libraries)
{
	size_t i;

	for (i = 0; i < libraries->n_compat; i++)
		free((char *)libraries->entry[i].path);
	free(libraries->entry);
}

static int add_library(struct libraries *libraries, const char *path, uint32_t flags)
{
	struct ldcache_entry *grown = reallocarray(libraries->entry, libraries->n + 1,
						   sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	libraries->entry = grown;
	grown[libraries->n++] = (struct ldcache_entry){
		.key = strrchr(path, '/') + 1, .path = path, .flags = flags,
	};
	return 0;
}

static int add_compat(struct libraries *libraries, const char *folder, const char *name)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return -ENOMEM;
	ret = add_library(libraries, path, LDCACHE_NATIVE);
	if (ret)
		free(path);
	else
		libraries->n_compat++;
	return ret;
}

/* If a name is a link, adds the file that it leads to. */
static int add_target(struct words *targets, int folder, const char *name)
{
	char target[NAME_MAX + 1];
	ssize_t len = readlinkat(folder, name, target, sizeof(target) - 1);

	if (len < 0)
		return 0;
	target[len] = '\0';
	return words_add(targets, target);
}

/*
 * LD_LIBRARY_PATH alone would not reach a program that is started in the container
 * later, or with other variables.
 */
static int list_compat(const struct planner *planner, int root,
		       struct libraries *libraries)
{
	const char *folder = planner->plan->layout->compat;
	int fd = *folder ? beneath_open(root, folder, O_RDONLY | O_DIRECTORY) : -1;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct words names = { 0 }, targets = { 0 };
	struct dirent *entry;
	int ret = 0;
	size_t i;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && !ret && names.n < NAMES_MAX && (entry = readdir(dir)))
		if (library_is_name(entry->d_name))
			ret = words_add(&names, entry->d_name) ?:
			      add_target(&targets, fd, entry->d_name);
	for (i = 0; i < names.n && !ret; i++)
		if (!words_have(&targets, names.word[i]))
			ret = add_compat(libraries, folder, names.word[i]);
	if (dir)
		closedir(dir);
	words_free(&names);
	words_free(&targets);
	return ret;
}

/* Is a path right in a folder? */
static bool is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && path[len] == '/' &&
	       !strchr(path + len + 1, '/');
}

static bool is_in_compat(const struct libraries *libraries, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	size_t i;

	for (i = 0; i < libraries->n_compat; i++)
		if (!strcmp(libraries->entry[i].key, name))
			return true;
	return false;
}

/* Has a file another name, by which programs look for it? */
static bool has_link(const struct edits *edits, const struct edit *file)
{
	const char *name = strrchr(file->path, '/') + 1;
	size_t i, len = (size_t)(name - file->path);

	for (i = 0; i < edits->n; i++) {
		const struct edit *link = &edits->edit[i];

		if (link->kind == EDIT_LINK && !strcmp(link->text, name) &&
		    !strncmp(link->path, file->path, len))
			return true;
	}
	return false;
}

/* Adds the libraries of the list by the names that ldconfig would find. */
static int list_driver(const struct planner *planner, struct libraries *libraries)
{
	const struct layout *layout = planner->plan->layout;
	size_t i;
	int ret = 0;

	for (i = 0; i < planner->edits->n && !ret; i++) {
		const struct edit *edit = &planner->edits->edit[i];

		if ((edit->kind != EDIT_MOUNT && edit->kind != EDIT_LINK) ||
		    !library_is_name(edit->path) ||
		    (edit->kind == EDIT_MOUNT && has_link(planner->edits, edit)))
			continue;
		if (is_in(edit->path, layout->library) &&
		    !is_in_compat(libraries, edit->path))
			ret = add_library(libraries, edit->path, LDCACHE_NATIVE);
		else if (is_in(edit->path, layout->library32))
			ret = add_library(libraries, edit->path, LDCACHE_NATIVE32);
	}
	return ret;
}

/* Return: its size, or negative errno. */
static long make_cache(const struct planner *planner, char **text)
{
	struct libraries libraries = { 0 };
	int root = open(planner->plan->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	void *bytes = NULL;
	long size = root < 0 ? -errno : list_compat(planner, root, &libraries);

	if (!size)
		size = list_driver(planner, &libraries);
	if (!size)
		size = loader_cache_merge(root, libraries.entry, libraries.n, &bytes);
	if (size > 0)
		*text = realloc(bytes, (size_t)size + 1);
	if (size > 0 && *text)
		(*text)[size] = '\0';
	else
		free(bytes);
	if (root >= 0)
		close(root);
	free_libraries(&libraries);
	return size;
}

/* An ldconfig that the image runs later makes the cache anew. */
static void add_conf(struct planner *planner)
{
	const char *folder = planner->plan->layout->compat;
	struct edit edit = { .kind = EDIT_TEXT };

	edit.path = planner_text(planner, COMPAT_CONF);
	edit.text = planner_text(planner, "%s\n", folder);
	planner_add(planner, &edit, folder,
		    "ldconfig finds the image's newer libcuda by it");
}

void planner_add_cache(struct planner *planner)
{
	const struct layout *layout = planner->plan->layout;
	struct edit edit = { .kind = EDIT_TEXT, .own = true };
	long size = -ENOENT;

	if (layout->cached && planner->plan->root)
		size = make_cache(planner, &edit.text);
	if (size > 0 && edit.text) {
		edit.size = (size_t)size;
		edit.path = planner_text(planner, LOADER_CACHE);
		planner_add(planner, &edit, layout->library,
			    "programs and the loader find the driver's libraries by it");
		if (*layout->compat)
			add_conf(planner);
	} else if (!layout->searched) {
		planner_lack(planner, "no ld.so.cache leads to %s: a program that does not find the driver's libraries needs LD_LIBRARY_PATH=%s",
			     layout->library, layout->library);
	} else if (layout->cached && planner->plan->root) {
		planner_lack(planner, "the image's ld.so.cache cannot be made anew (%s): 'ldconfig -p' does not list the driver's libraries",
			     strerror((int)-size));
	}
}
