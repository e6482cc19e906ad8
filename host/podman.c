// SPDX-License-Identifier: GPL-2.0-only
/*
 * The containers that podman lists: see podman.h.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/passwd.h"
#include "host/podman.h"
#include "host/text.h"
#include "lib/document.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/toml.h"
#include "lib/words.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct podman_store - the containers of one user
 * @uid:	-1: of the machine
 * @names:	"ID NAME", sorted
 */
struct podman_store {
	struct podman_store *next;
	uid_t uid;
	struct words names;
};

/* { "id": ID, "names": [ NAME ] } */
static void add_container(struct words *names, struct json_object *container)
{
	struct json_object *list = member_get(container, "names"), *name;
	char id[OWNER_ID];

	if (member_copy_text(id, sizeof(id), container, "id") ||
	    strlen(id) != OWNER_DIGITS || !json_object_is_type(list, json_type_array))
		return;
	name = json_object_array_get_idx(list, 0);
	if (json_object_is_type(name, json_type_string))
		words_add_format(names, "%s %s", id, json_object_get_string(name));
}

static void read_list(struct words *names, const char *path)
{
	struct document document = { 0 };
	char why[WHY_SIZE];
	size_t i;

	if (document_read(path, &document, why))
		return;
	for (i = 0; json_object_is_type(document.root, json_type_array) &&
	     i < json_object_array_length(document.root); i++)
		add_container(names, json_object_array_get_idx(document.root, i));
	json_object_put(document.root);
}

/* KEY of a storage.conf: containers-storage.conf(5) */
static bool read_setting(char value[PATH_MAX], const char *file, const char *key)
{
	struct document document = { 0 };
	char path[PATH_MAX], why[WHY_SIZE];
	bool found;

	if (host_path(path, sizeof(path), "%s", file) ||
	    document_read_by(path, &document, toml_parse, why))
		return false;
	found = !member_copy_text(value, PATH_MAX, member_get(document.root, "storage"), key);
	json_object_put(document.root);
	return found;
}

/* This machine's, else the distribution's */
static bool read_system_setting(char value[PATH_MAX], const char *key)
{
	return read_setting(value, "/etc/containers/storage.conf", key) ||
	       read_setting(value, "/usr/share/containers/storage.conf", key);
}

static bool replace(char path[PATH_MAX], const char *variable, const char *value)
{
	char *at = strstr(path, variable), rest[PATH_MAX];
	size_t room = at ? (size_t)(path + PATH_MAX - at) : 0;

	if (!at)
		return true;
	snprintf(rest, sizeof(rest), "%s", at + strlen(variable));
	return (size_t)snprintf(at, room, "%s%s", value, rest) < room;
}

static bool find_user_folder(char folder[PATH_MAX], uid_t uid)
{
	char home[PATH_MAX], settings[PATH_MAX], user[33], number[16];

	if (!passwd_find_home(uid, home, sizeof(home)) ||
	    (size_t)snprintf(settings, sizeof(settings), "%s/.config/containers/storage.conf",
			     home) >= sizeof(settings))
		return false;
	if (!read_setting(folder, settings, "graphroot") &&
	    !read_system_setting(folder, "rootless_storage_path"))
		snprintf(folder, PATH_MAX, "$HOME/.local/share/containers/storage");
	passwd_find_name(uid, user, sizeof(user));
	snprintf(number, sizeof(number), "%u", uid);
	return replace(folder, "$HOME", home) && replace(folder, "$USER", user) &&
	       replace(folder, "$UID", number);
}

/* What is stored by one driver is listed in one folder: "overlay-containers", ... */
static void read_folder(struct words *names, const char *folder)
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

static void read_store(struct podman_store *store)
{
	char folder[PATH_MAX];

	if (store->uid != (uid_t)-1) {
		if (!find_user_folder(folder, store->uid))
			return;
	} else if (!read_system_setting(folder, "graphroot")) {
		snprintf(folder, sizeof(folder), "/var/lib/containers/storage");
	}
	read_folder(&store->names, folder);
	words_sort(&store->names);
}

/* NULL: no memory. */
static struct podman_store *find_store(struct podman *podman, uid_t uid)
{
	struct podman_store *store = podman->store;

	while (store && store->uid != uid)
		store = store->next;
	if (store)
		return store;
	store = calloc(1, sizeof(*store));
	if (!store)
		return NULL;
	store->uid = uid;
	read_store(store);
	store->next = podman->store;
	podman->store = store;
	return store;
}

static const char *find_in_store(struct podman *podman, const char *id, uid_t uid)
{
	struct podman_store *store = find_store(podman, uid);

	return store ? words_find(&store->names, id) : NULL;
}

void podman_find(struct podman *podman, struct owner *owner, uid_t uid)
{
	const char *found = find_in_store(podman, owner->id, uid);

	if (!found)
		found = find_in_store(podman, owner->id, (uid_t)-1);
	if (found)
		text_copy(owner->container, OWNER_NAME, found + OWNER_DIGITS + 1,
			  strlen(found + OWNER_DIGITS + 1));
}

void podman_free(struct podman *podman)
{
	struct podman_store *store;

	while ((store = podman->store)) {
		podman->store = store->next;
		words_free(&store->names);
		free(store);
	}
}
