// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of containers, from the files of their engines and of the kubelet. A file that
 * cannot be read, or makes no sense, counts as absent: the next file may know more.
 */
#include <stdio.h>
#include <string.h>

#include "host/internal.h"
#include "lib/host.h"
#include "lib/json.h"
#include "lib/json_file.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * Labels of docker, and annotations of a bundle's config.json. Labels of Kubernetes
 * count in a pod's control group alone: whoever starts a container may give it any.
 */
static const struct {
	const char *label;
	size_t offset;
} labels[] = {
	{ "io.kubernetes.pod.name", offsetof(struct owner, pod) },
	{ "io.kubernetes.pod.namespace", offsetof(struct owner, namespace) },
	{ "io.kubernetes.container.name", offsetof(struct owner, container) },
	{ "io.kubernetes.cri.sandbox-name", offsetof(struct owner, pod) },
	{ "io.kubernetes.cri.sandbox-namespace", offsetof(struct owner, namespace) },
	{ "io.kubernetes.cri.container-name", offsetof(struct owner, container) },
};

static void read_labels(struct owner *owner, struct json_object *object)
{
	const char *text;
	size_t i;

	for (i = 0; owner->pod_uid[0] && i < COUNT(labels); i++) {
		text = member_string(object, labels[i].label);
		if (text && text[0])
			text_copy((char *)owner + labels[i].offset, OWNER_NAME, text, strlen(text));
	}
}

/* Reads a file of JSON. Return: NULL: there is no such file, or it is no JSON. */
static struct json_object *read_json(const char *path)
{
	struct json_file document = { 0 };
	char why[WHY_SIZE];

	return json_file_read(path, &document, why) ? NULL : document.root;
}

/* FOLDER/containers/ID/config.v2.json: .Name is "/NAME". */
static bool read_docker(struct owner *owner, const char *folder)
{
	struct json_object *root;
	char path[PATH_MAX];
	const char *name;

	if (host_path(path, sizeof(path), "%s/containers/%s/config.v2.json", folder, owner->id))
		return false;
	root = read_json(path);
	if (!root)
		return false;
	owner->kind = OWNER_DOCKER;
	name = member_string(root, "Name");
	if (name) {
		name += name[0] == '/';
		text_copy(owner->container, OWNER_NAME, name, strlen(name));
	}
	read_labels(owner, member_get(member_get(root, "Config"), "Labels"));
	json_object_put(root);
	return true;
}

static bool find_docker(const struct owner_files *files, struct owner *owner)
{
	return (files->docker[0] && read_docker(owner, files->docker)) ||
	       read_docker(owner, "/var/lib/docker") ||
	       read_docker(owner, "/var/snap/docker/common/var-lib-docker");
}

/* The config.json of a bundle: its annotations say what it was made for. */
static bool read_bundle(struct owner *owner, const char *path)
{
	struct json_object *root = read_json(path), *annotations;
	const char *name;

	if (!root)
		return false;
	annotations = member_get(root, "annotations");
	name = member_string(annotations, "nerdctl/name");
	if (name)
		text_copy(owner->container, OWNER_NAME, name, strlen(name));
	read_labels(owner, annotations);
	json_object_put(root);
	return owner->container[0];
}

/* STATE/io.containerd.runtime.v2.task/NAMESPACE/ID/config.json */
static bool find_containerd(struct owner *owner)
{
	static const char *const states[] = {
		"/run/containerd", "/run/k3s/containerd",
		"/var/snap/microk8s/common/run/containerd",
	};
	char path[PATH_MAX];
	const struct dirent *entry;
	bool found = false;
	DIR *folder;
	size_t i;

	for (i = 0; !found && i < COUNT(states); i++) {
		folder = host_opendir("%s/io.containerd.runtime.v2.task", states[i]);
		while (folder && !found && (entry = readdir(folder)))
			found = entry->d_name[0] != '.' &&
				!host_path(path, sizeof(path),
					   "%s/io.containerd.runtime.v2.task/%s/%s/config.json",
					   states[i], entry->d_name, owner->id) &&
				read_bundle(owner, path);
		if (folder)
			closedir(folder);
	}
	return found;
}

static bool find_crio(struct owner *owner)
{
	char path[PATH_MAX];

	return !host_path(path, sizeof(path),
			  "/run/containers/storage/overlay-containers/%s/userdata/config.json",
			  owner->id) &&
	       read_bundle(owner, path);
}

/* Asks the engine that the control group names; without one, all that there are. */
static bool find_in_engine(struct owner_files *files, struct owner *owner)
{
	switch (owner->kind) {
	case OWNER_DOCKER:
		return find_docker(files, owner);
	case OWNER_CONTAINERD:
		return find_containerd(owner) || find_docker(files, owner);
	case OWNER_CRIO:
		return find_crio(owner);
	case OWNER_PODMAN:
		podman_find(&files->podman, owner);
		return owner->container[0];
	default:
		break;
	}
	if (find_docker(files, owner))
		return true;
	podman_find(&files->podman, owner);
	if (owner->container[0])
		owner->kind = OWNER_PODMAN;
	else if (find_containerd(owner))
		owner->kind = OWNER_CONTAINERD;
	return owner->container[0];
}

static void read_files(struct owner_files *files)
{
	struct json_object *settings;
	const char *root;
	char path[PATH_MAX];

	if (files->is_read)
		return;
	kubelet_read(&files->kubelet);
	settings = host_path(path, sizeof(path), "/etc/docker/daemon.json") ?
		   NULL : read_json(path);
	root = member_string(settings, "data-root");
	snprintf(files->docker, sizeof(files->docker), "%s", root && root[0] == '/' ? root : "");
	json_object_put(settings);
	files->is_read = true;
}

/* Forgets them, so that they are read anew when they are needed again. */
void owner_files_free(struct owner_files *files)
{
	if (files->is_read)
		kubelet_free(&files->kubelet);
	podman_free(&files->podman);
	files->is_read = false;
}

/* Returns true where all is known that can be. */
bool owner_find_name(struct owner_files *files, struct owner *owner)
{
	if (owner->kind < OWNER_CONTAINER)
		return true;
	if (strspn(owner->id, "0123456789abcdef") != OWNER_DIGITS) {	/* a name, of any length */
		text_copy(owner->container, OWNER_NAME, owner->id, strlen(owner->id));
		return true;
	}
	if (owner_is_users(owner))
		return true;
	read_files(files);
	kubelet_find(&files->kubelet, owner);
	if (!owner->container[0] && !find_in_engine(files, owner))
		kubelet_find_pod(&files->kubelet, owner);
	return owner->container[0];
}

void owner_name_pod(char name[OWNER_FULL], const struct owner *owner)
{
	if (owner->pod[0])
		snprintf(name, OWNER_FULL, "%s/%s", owner->namespace, owner->pod);
	else
		snprintf(name, OWNER_FULL, "%s", owner->pod_uid);
}

void owner_name(char name[OWNER_FULL], const struct owner *owner)
{
	size_t length;

	owner_name_pod(name, owner);
	length = strlen(name);
	if (length && (owner->container[0] || owner->id[0]))
		name[length++] = '/';
	if (owner->container[0])
		snprintf(name + length, OWNER_FULL - length, "%s", owner->container);
	else
		snprintf(name + length, OWNER_FULL - length, "%.12s", owner->id);
}

void owner_find_names(struct owner *owners, size_t n)
{
	struct owner_files files = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		owner_find_name(&files, &owners[i]);
	owner_files_free(&files);
}
