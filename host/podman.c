// SPDX-License-Identifier: GPL-2.0-only
/*
 * The containers that podman lists, where storage.conf says, for root.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "host/internal.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/toml.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* { "id": ID, "names": [ NAME ] } */
static void add_container(struct strv *names, struct json_object *container)
{
	struct json_object *list = member_get(container, "names"), *name;
	char id[OWNER_ID];

	if (member_copy_text(id, sizeof(id), container, "id") ||
	    strlen(id) != OWNER_DIGITS || !json_object_is_type(list, json_type_array))
		return;
	name = json_object_array_get_idx(list, 0);
	if (json_object_is_type(name, json_type_string))
		strv_add_format(names, "%s %s", id, json_object_get_string(name));
}

static void read_list(struct strv *names, const char *path)
{
	struct json_file document = { 0 };
	char why[WHY_SIZE];
	size_t i;

	if (json_file_read(path, &document, why))
		return;
	for (i = 0; i < array_length(document.root); i++)
		add_container(names, json_object_array_get_idx(document.root, i));
	json_object_put(document.root);
}

/* KEY of a storage.conf: containers-storage.conf(5) */
static bool read_setting(char value[PATH_MAX], const char *file, const char *key)
{
	struct json_file document = { 0 };
	char path[PATH_MAX], why[WHY_SIZE];
	bool found;

	if (host_path(path, sizeof(path), "%s", file) ||
	    json_file_read_by(path, &document, toml_parse, why))
		return false;
	found = !member_copy_text(value, PATH_MAX, member_get(document.root, "storage"), key);
	json_object_put(document.root);
	return found;
}

/* One driver lists there all that it stores: "overlay-containers", ... */
static void read_folder(struct strv *names, const char *folder)
{
	static const char *const lists[] = {
		"containers.json", "volatile-containers.json",
	};
	DIR *dir = host_opendir("%s", folder);
	const struct dirent *entry;
	const char *dash;
	char path[PATH_MAX];
	size_t i;

	while (dir && (entry = readdir(dir))) {
		dash = strrchr(entry->d_name, '-');
		for (i = 0; dash && !strcmp(dash, "-containers") && i < COUNT(lists); i++)
			if (!host_path(path, sizeof(path), "%s/%s/%s", folder,
				       entry->d_name, lists[i]))
				read_list(names, path);
	}
	if (dir)
		closedir(dir);
}

/* This machine's setting, else the distribution's */
static void read_store(struct strv *names)
{
	char folder[PATH_MAX];

	if (!read_setting(folder, "/etc/containers/storage.conf", "graphroot") &&
	    !read_setting(folder, "/usr/share/containers/storage.conf", "graphroot"))
		snprintf(folder, sizeof(folder), "/var/lib/containers/storage");
	read_folder(names, folder);
	strv_sort(names);
}

void podman_find(struct podman *podman, struct owner *owner)
{
	const char *found;

	if (!podman->is_read)
		read_store(&podman->names);
	podman->is_read = true;
	found = strv_find(&podman->names, owner->id);
	if (found)
		text_copy(owner->container, OWNER_NAME, found + OWNER_DIGITS + 1,
			  strlen(found + OWNER_DIGITS + 1));
}

void podman_free(struct podman *podman)
{
	strv_free(&podman->names);
	podman->is_read = false;
}
