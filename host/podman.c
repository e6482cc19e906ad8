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

static bool find_folder(char folder[PATH_MAX], uid_t uid)
{
	char home[PATH_MAX];

	if (uid == (uid_t)-1)
		return !host_path(folder, PATH_MAX, "/var/lib/containers/storage");
	return passwd_find_home(uid, home, sizeof(home)) &&
	       !host_path(folder, PATH_MAX, "%s/.local/share/containers/storage", home);
}

static void read_store(struct podman_store *store)
{
	static const char *const lists[] = {
		"overlay-containers/containers.json",
		"overlay-containers/volatile-containers.json",
		"vfs-containers/containers.json",
	};
	char folder[PATH_MAX], path[PATH_MAX];
	size_t i;

	if (!find_folder(folder, store->uid))
		return;
	for (i = 0; i < COUNT(lists); i++)
		if (snprintf(path, sizeof(path), "%s/%s", folder, lists[i]) <
		    (int)sizeof(path))
			read_list(&store->names, path);
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
