// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list of edits' ld.so.cache: where an image's own leads elsewhere for a library
 * of the driver, the loader takes that one whatever is mounted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/image/loader_cache.h"
#include "container/plan/planner.h"
#include "lib/library.h"

/* Is a path right in a folder? */
static bool is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && path[len] == '/' &&
	       !strchr(path + len + 1, '/');
}

/* Every name of a library that the list has in a folder of libraries. */
static size_t list_libraries(const struct planner *planner,
			     struct ldcache_entry *entries)
{
	const struct layout *layout = planner->plan->layout;
	size_t i, n = 0;

	for (i = 0; i < planner->edits->n; i++) {
		const struct edit *edit = &planner->edits->edit[i];
		uint32_t flags = 0;

		if ((edit->kind != EDIT_MOUNT && edit->kind != EDIT_LINK) ||
		    !library_is_name(edit->path))
			continue;
		if (is_in(edit->path, layout->library))
			flags = LDCACHE_NATIVE;
		else if (is_in(edit->path, layout->library32))
			flags = LDCACHE_NATIVE32;
		if (flags)
			entries[n++] = (struct ldcache_entry){
				.key = strrchr(edit->path, '/') + 1,
				.path = edit->path, .flags = flags,
			};
	}
	return n;
}

/* Return: its size, or negative errno. */
static long make_cache(const struct planner *planner, char **text)
{
	struct ldcache_entry *entries = calloc(planner->edits->n + 1,
					       sizeof(*entries));
	int root = open(planner->plan->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	void *bytes = NULL;
	long size = -EBADF;

	if (entries && root >= 0)
		size = loader_cache_merge(root, entries,
					  list_libraries(planner, entries), &bytes);
	if (size > 0)
		*text = realloc(bytes, (size_t)size + 1);
	if (size > 0 && *text)
		(*text)[size] = '\0';
	else
		free(bytes);
	if (root >= 0)
		close(root);
	free(entries);
	return size;
}

void planner_add_cache(struct planner *planner)
{
	const struct layout *layout = planner->plan->layout;
	struct edit edit = { .kind = EDIT_TEXT };
	long size = -ENOENT;

	if (!layout->cached)
		return;
	if (layout->stale && planner->plan->root)
		size = make_cache(planner, &edit.text);
	if (size > 0 && edit.text) {
		edit.size = (size_t)size;
		edit.path = planner_text(planner, LOADER_CACHE);
		planner_add(planner, &edit, layout->library,
			    "the image's own leads elsewhere for the driver's libraries");
		return;
	}
	planner_lack(planner, "the image's ld.so.cache does not lead to %s: a program that does not find the driver's libraries needs LD_LIBRARY_PATH=%s",
		     layout->library, layout->library);
}
