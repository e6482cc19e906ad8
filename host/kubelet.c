// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pods of this node, as the kubelet names their logs: /var/log/containers, /var/log/pods.
 */
#include <string.h>

#include "host/internal.h"
#include "lib/host.h"

/* More logs than a node ever has: the kubelet's limit is some hundred pods. */
#define LOGS_MAX	65536

/* "POD_NAMESPACE_CONTAINER-ID.log" */
static void add_container(struct strv *logs, const char *name)
{
	const char *end = strstr(name, ".log");
	size_t length = end ? (size_t)(end - name) : 0;

	if (length < OWNER_DIGITS + 2 || end[4] || name[length - OWNER_DIGITS - 1] != '-')
		return;
	length -= OWNER_DIGITS;
	strv_add_format(logs, "%.*s %.*s", OWNER_DIGITS, name + length, (int)length - 1, name);
}

/* "NAMESPACE_POD_UID" */
static void add_pod(struct strv *logs, const char *name)
{
	const char *uid = strrchr(name, '_');

	if (uid)
		strv_add_format(logs, "%s %.*s", uid + 1, (int)(uid - name), name);
}

static void read_logs(struct strv *logs, const char *path,
		      void (*add)(struct strv *logs, const char *name))
{
	DIR *folder = host_opendir("%s", path);
	const struct dirent *entry;

	while (folder && logs->n < LOGS_MAX && (entry = readdir(folder)))
		add(logs, entry->d_name);
	if (folder)
		closedir(folder);
	strv_sort(logs);
}

void kubelet_read(struct kubelet *kubelet)
{
	*kubelet = (struct kubelet){ 0 };
	read_logs(&kubelet->containers, "/var/log/containers", add_container);
	read_logs(&kubelet->pods, "/var/log/pods", add_pod);
}

void kubelet_free(struct kubelet *kubelet)
{
	strv_free(&kubelet->containers);
	strv_free(&kubelet->pods);
}

/* Takes POD_NAMESPACE_CONTAINER apart; none of the three may have an underscore. */
static void split(struct owner *owner, const char *text, size_t length)
{
	const char *one = memchr(text, '_', length), *two;
	size_t left = one ? length - (size_t)(one + 1 - text) : 0;

	two = one ? memchr(one + 1, '_', left) : NULL;
	if (!two)
		return;
	text_copy(owner->pod, OWNER_NAME, text, (size_t)(one - text));
	text_copy(owner->namespace, OWNER_NAME, one + 1, (size_t)(two - one - 1));
	text_copy(owner->container, OWNER_NAME, two + 1, left - (size_t)(two + 1 - (one + 1)));
}

void kubelet_find(const struct kubelet *kubelet, struct owner *owner)
{
	const char *log = strlen(owner->id) == OWNER_DIGITS ?
			  strv_find(&kubelet->containers, owner->id) : NULL;

	if (log)
		split(owner, log + OWNER_DIGITS + 1, strlen(log + OWNER_DIGITS + 1));
}

void kubelet_find_pod(const struct kubelet *kubelet, struct owner *owner)
{
	const char *log = owner->pod_uid[0] ? strv_find(&kubelet->pods, owner->pod_uid) : NULL;
	const char *namespace = log ? log + strlen(owner->pod_uid) + 1 : "";
	const char *pod = strchr(namespace, '_');

	if (!pod)
		return;
	text_copy(owner->namespace, OWNER_NAME, namespace, (size_t)(pod - namespace));
	text_copy(owner->pod, OWNER_NAME, pod + 1, strlen(pod + 1));
}
