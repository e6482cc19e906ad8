// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ld.so.cache of a list of edits. Programs ask it, and not the loader alone: Triton
 * and ctypes.util.find_library() ask `ldconfig -p`. And where an image's own leads
 * elsewhere for a library of the driver, the loader goes there whatever is mounted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/image/image.h"
#include "container/plan/internal.h"
#include "lib/in_root.h"
#include "lib/library.h"
#include "lib/path.h"

/**
 * struct cache - entries of the cache that is made
 * @compat:	the image's newer CUDA libraries
 * @paths:	of these, which stand first
 * @entry:	@n of them
 */
struct cache {
	struct image_libraries compat;
	struct strv paths;
	struct ldcache_entry *entry;
	size_t n;
};

static void add_entry(struct cache *cache, const char *key, const char *path, uint32_t flags)
{
	cache->entry = xreallocarray(cache->entry, cache->n + 1, sizeof(*cache->entry));
	cache->entry[cache->n++] = (struct ldcache_entry){
		.key = key, .path = path, .flags = flags,
	};
}

/*
 * LD_LIBRARY_PATH alone would not reach a program that is started in the container
 * later, or with other variables.
 */
static int list_compat(const struct planner *planner, int root, struct cache *cache)
{
	const char *folder = planner->plan->layout->compat;
	const struct strv folders = { (char **)&folder, *folder ? 1 : 0 };
	int ret = image_libraries_read(&cache->compat, root, &folders, 1);
	size_t i;

	for (i = 0; i < cache->compat.n && !ret; i++) {
		const struct image_library *library = &cache->compat.library[i];

		strv_add_format(&cache->paths, "%s/%s", folder, library->name);
		add_entry(cache, library->key, cache->paths.word[i], library->flags);
	}
	return ret;
}

static bool is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && path[len] == '/' && !strchr(path + len + 1, '/');
}

static bool is_in_compat(const struct cache *cache, const char *name)
{
	size_t i;

	for (i = 0; i < cache->compat.n; i++)
		if (!strcmp(cache->compat.library[i].key, name))
			return true;
	return false;
}

/* Has a file another name, by which programs look for it? In CDI each name is a mount. */
static bool has_link(const struct edits *edits, const struct edit *file)
{
	const char *name = strrchr(file->path, '/') + 1;
	bool is_file = !strcmp(name, path_name(file->source));
	size_t i, len = (size_t)(name - file->path);

	for (i = 0; i < edits->n; i++) {
		const struct edit *link = &edits->edit[i];

		if ((link->kind == EDIT_LINK ? !strcmp(link->text, name) :
		     link->kind == EDIT_MOUNT && link != file && is_file &&
		     !strcmp(link->source, file->source)) &&
		    !strncmp(link->path, file->path, len))
			return true;
	}
	return false;
}

/* Adds the libraries of the list by the names that ldconfig would find. */
static void list_driver(const struct planner *planner, struct cache *cache)
{
	const struct layout *layout = planner->plan->layout;
	size_t i;

	for (i = 0; i < planner->edits->n; i++) {
		const struct edit *edit = &planner->edits->edit[i];
		const char *name;

		if ((edit->kind != EDIT_MOUNT && edit->kind != EDIT_LINK) ||
		    !library_is_name(edit->path) ||
		    (edit->kind == EDIT_MOUNT && has_link(planner->edits, edit)))
			continue;
		name = strrchr(edit->path, '/') + 1;
		if (is_in(edit->path, layout->library) && !is_in_compat(cache, name))
			add_entry(cache, name, edit->path, LDCACHE_NATIVE);
		else if (is_in(edit->path, layout->library32))
			add_entry(cache, name, edit->path, LDCACHE_NATIVE32);
	}
}

/*
 * Opens the cache that the container is to have: where a mount of its own has /etc, that
 * one's. @own: receives whether it may be written anew
 */
static int open_cache(const struct plan_inputs *plan, int root, bool *own)
{
	struct container_place place;
	int ret;

	*own = !plan->read_only;
	if (!plan->places)
		return in_root_open(root, LOADER_CACHE, O_PATH);
	ret = places_find(plan->places, LOADER_CACHE, &place);
	if (ret)
		return ret;
	*own &= !plan->places->shared && place.mount < 0;
	return place.mounted ? -EBUSY : places_open_file(plan->places, &place, O_PATH);
}

/* Return: its size, or negative errno; -EBUSY: it is a mount of the container's. */
static long make_cache(const struct planner *planner, struct edit *edit)
{
	struct cache cache = { 0 };
	int root = open(planner->plan->root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
	long size = root < 0 ? -errno : list_compat(planner, root, &cache);

	if (!size) {
		list_driver(planner, &cache);
		fd = open_cache(planner->plan, root, &edit->own);
		size = fd == -EBUSY ? fd : loader_cache_merge(fd, cache.entry, cache.n, &edit->text);
	}
	if (root >= 0)
		close(root);
	free(cache.entry);
	strv_free(&cache.paths);
	image_libraries_free(&cache.compat);
	return size;
}

/* An ldconfig that the image runs later makes the cache anew. */
static void add_conf(struct planner *planner)
{
	const char *folder = planner->plan->layout->compat;
	struct edit edit = {
		.kind = EDIT_TEXT, .path = xstrdup(COMPAT_CONF), .text = xasprintf("%s\n", folder),
	};

	planner_add(planner, &edit, folder, "ldconfig finds the image's newer libcuda by it");
}

void plan_cache(struct edits *edits, const struct plan_inputs *plan)
{
	struct planner planner = { plan, edits };
	const struct layout *layout = plan->layout;
	struct edit edit = { .kind = EDIT_TEXT };
	long size = -ENOENT;

	if (layout->cached && plan->root)
		size = make_cache(&planner, &edit);
	if (size > 0 && edit.text) {
		edit.size = (size_t)size;
		edit.path = xstrdup(LOADER_CACHE);
		planner_add(&planner, &edit, layout->library,
			    "programs and the loader find the driver's libraries by it");
		if (*layout->compat)
			add_conf(&planner);
	} else if (!layout->searched) {
		strv_add_format(&edits->lacks,
				"no ld.so.cache leads to %s: a program that does not find the driver's libraries needs LD_LIBRARY_PATH=%s",
				layout->library, layout->library);
	} else if (layout->cached && plan->root) {
		strv_add_format(&edits->lacks,
				"the image's ld.so.cache stays as it is (%s): 'ldconfig -p' does not list the driver's libraries",
				loader_cache_why(size));
	}
}
