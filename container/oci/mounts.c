// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mounts of a configuration: by destination, those nearer to the root first.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "container/oci/internal.h"
#include "lib/path.h"
#include "lib/xalloc.h"

static const char *destination_of(struct json_object *mount)
{
	const char *text = member_string(mount, "destination");

	return text ? text : "";
}

/* Nothing can be mounted at a path that is too long. */
static void note(struct oci_mounts *mounts, const char *destination)
{
	char normal[PATH_MAX];

	if (*destination && path_clean(destination, normal))
		xcheck(json_object_object_add(mounts->at, normal, NULL) ? NULL : mounts);
}

void oci_mounts_open(struct oci_mounts *mounts, struct json_object *config)
{
	struct json_object *list = member_get(config, "mounts");
	size_t i;

	*mounts = (struct oci_mounts){ config, xcheck(json_object_new_object()) };
	for (i = 0; i < array_length(list); i++)
		note(mounts, destination_of(json_object_array_get_idx(list, i)));
}

void oci_mounts_close(struct oci_mounts *mounts)
{
	json_object_put(mounts->at);
	mounts->at = NULL;
}

static void remove_same(struct json_object *list, const char *normal)
{
	char other[PATH_MAX];
	size_t i;

	for (i = json_object_array_length(list); i--;)
		if (path_clean(destination_of(json_object_array_get_idx(list, i)), other) &&
		    !strcmp(other, normal))
			json_object_array_del_idx(list, i, 1);
}

/* Adds a mount of something of the host's at the end. One at the same destination goes. */
int oci_mounts_add(struct oci_mounts *mounts, const char *destination, const char *source,
		   const struct strv *options, char why[WHY_SIZE])
{
	struct json_object *list = oci_member(mounts->config, "", "mounts", json_type_array, why);
	struct json_object *mount;
	char normal[PATH_MAX];

	if (!list)
		return -EINVAL;
	if (path_clean(destination, normal) && json_object_object_get_ex(mounts->at, normal, NULL))
		remove_same(list, normal);
	mount = xcheck(json_object_new_object());
	member_add_text(mount, "destination", destination);
	member_add_text(mount, "type", "bind");
	member_add_text(mount, "source", source);
	json_object_object_add(mount, "options", array_of_words(options));
	oci_append(list, mount);
	note(mounts, destination);
	return 0;
}

/* Says whether a path lies in something that is mounted: it is not in the root then. */
bool oci_mounts_hold(const struct oci_mounts *mounts, const char *path)
{
	char normal[PATH_MAX], *slash;

	if (!path_clean(path, normal))
		return false;
	while ((slash = strrchr(normal, '/'))) {
		*slash = '\0';
		if (json_object_object_get_ex(mounts->at, normal, NULL))
			return true;
	}
	return false;
}

/* A mount, where it stood, and how deep it is. */
struct place {
	struct json_object *mount;
	size_t at;
	unsigned int parts;
};

static int compare(const void *a, const void *b)
{
	const struct place *left = a, *right = b;

	if (left->parts != right->parts)
		return left->parts < right->parts ? -1 : 1;
	return left->at < right->at ? -1 : left->at > right->at;
}

/*
 * Puts what is nearer to the root first, else keeps the order: a mount that was added at
 * the end may be above one that was there.
 */
int oci_mounts_sort(struct json_object *config, char why[WHY_SIZE])
{
	struct json_object *list;
	char clean[PATH_MAX];
	const char *part;
	struct place *places;
	size_t i, n;

	if (json_file_member(config, "", "mounts", json_type_array, &list, why))
		return -EINVAL;
	n = list ? json_object_array_length(list) : 0;
	if (n < 2)
		return 0;
	places = xcalloc(n, sizeof(*places));
	for (i = 0; i < n; i++) {
		places[i].mount = json_object_array_get_idx(list, i);
		places[i].at = i;
		if (path_clean(destination_of(places[i].mount), clean))
			for (part = clean; (part = strchr(part, '/')); part++)
				places[i].parts++;
		json_object_get(places[i].mount);
	}
	qsort(places, n, sizeof(*places), compare);
	for (i = 0; i < n; i++)
		json_object_array_put_idx(list, i, places[i].mount);
	free(places);
	return 0;
}
