// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mounts of a configuration: by destination, those nearer to the root first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "container/oci/member.h"
#include "container/oci/mounts.h"
#include "lib/json.h"

/* The next part of a path, and its length: 0 at the end. */
static size_t next_part(const char **path)
{
	do {
		*path += strspn(*path, "/");
		if ((*path)[0] != '.' || ((*path)[1] && (*path)[1] != '/'))
			break;
		(*path)++;
	} while (**path);
	return strcspn(*path, "/");
}

/*
 * Goes through two paths as far as they are the same but for slashes and dots.
 * Return: what is left of @path: "" nothing; NULL: it does not begin with @folder.
 */
static const char *path_below(const char *path, const char *folder)
{
	size_t len;

	while ((len = next_part(&folder))) {
		if (len != next_part(&path) || strncmp(path, folder, len))
			return NULL;
		path += len;
		folder += len;
	}
	next_part(&path);
	return path;
}

static bool is_same(const char *a, const char *b)
{
	const char *rest = path_below(a, b);

	return rest && !*rest;
}

static unsigned int count_parts(const char *path)
{
	unsigned int n = 0;
	size_t len;

	while ((len = next_part(&path))) {
		path += len;
		n++;
	}
	return n;
}

static const char *destination_of(struct json_object *mount)
{
	const char *text = oci_member_text(mount, "destination");

	return text ? text : "";
}

int oci_mounts_add(struct json_object *config, const char *destination,
		   const char *source, const struct words *options,
		   char why[WHY_SIZE])
{
	struct json_object *list = oci_member(config, "", "mounts",
					      json_type_array, why);
	struct json_object *mount = list ? json_object_new_object() : NULL;
	size_t i;

	if (!list)
		return -EINVAL;
	for (i = json_object_array_length(list); i--;)
		if (is_same(destination_of(json_object_array_get_idx(list, i)),
			    destination))
			json_object_array_del_idx(list, i, 1);
	if (mount) {
		member_add_text(mount, "destination", destination);
		member_add_text(mount, "type", "bind");
		member_add_text(mount, "source", source);
		json_object_object_add(mount, "options", oci_words(options));
	}
	return oci_append(list, mount) ? why_fail(why, -ENOMEM, "no memory") : 0;
}

bool oci_mounts_hold(struct json_object *config, const char *path)
{
	struct json_object *list = member_get(config, "mounts");
	size_t i;

	if (!json_object_is_type(list, json_type_array))
		return false;
	for (i = json_object_array_length(list); i--;) {
		const char *folder = destination_of(json_object_array_get_idx(list, i));
		const char *rest = path_below(path, folder);

		if (*folder && rest && *rest)
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

int oci_mounts_sort(struct json_object *config, char why[WHY_SIZE])
{
	struct json_object *list;
	struct place *places;
	size_t i, n;

	if (document_member(config, "", "mounts", json_type_array, &list, why))
		return -EINVAL;
	n = list ? json_object_array_length(list) : 0;
	if (n < 2)
		return 0;
	places = calloc(n, sizeof(*places));
	if (!places)
		return why_fail(why, -ENOMEM, "no memory");
	for (i = 0; i < n; i++) {
		places[i].mount = json_object_array_get_idx(list, i);
		places[i].at = i;
		places[i].parts = count_parts(destination_of(places[i].mount));
		json_object_get(places[i].mount);
	}
	qsort(places, n, sizeof(*places), compare);
	for (i = 0; i < n; i++)
		json_object_array_put_idx(list, i, places[i].mount);
	free(places);
	return 0;
}
