// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pods of this node, as the kubelet names their logs: see kubelet.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/kubelet.h"
#include "host/text.h"
#include "lib/host.h"

/* More logs than a node ever has: the kubelet's limit is some hundred pods. */
#define LOGS_MAX	65536

/* "POD_NAMESPACE_CONTAINER-ID.log" */
static int add_log(struct kubelet *kubelet, const char *name)
{
	const char *end = strstr(name, ".log");
	size_t length = end ? (size_t)(end - name) : 0;

	if (length < OWNER_DIGITS + 2 || end[4] || name[length - OWNER_DIGITS - 1] != '-')
		return 0;
	length -= OWNER_DIGITS;
	return words_add_format(&kubelet->logs, "%.*s %.*s", OWNER_DIGITS, name + length,
				(int)length - 1, name);
}

int kubelet_read(struct kubelet *kubelet)
{
	DIR *folder = host_opendir("/var/log/containers");
	const struct dirent *entry;
	int ret = 0;

	kubelet->logs = (struct words){ 0 };
	while (folder && !ret && kubelet->logs.n < LOGS_MAX &&
	       (entry = readdir(folder)))
		ret = add_log(kubelet, entry->d_name);
	if (folder)
		closedir(folder);
	words_sort(&kubelet->logs);
	if (ret)
		kubelet_free(kubelet);
	return ret;
}

void kubelet_free(struct kubelet *kubelet)
{
	words_free(&kubelet->logs);
}

bool kubelet_split(struct owner *owner, const char *text, size_t length)
{
	const char *one = memchr(text, '_', length), *two;
	size_t left = one ? length - (size_t)(one + 1 - text) : 0;

	two = one ? memchr(one + 1, '_', left) : NULL;
	if (!two)
		return false;
	text_copy(owner->pod, OWNER_NAME, text, (size_t)(one - text));
	text_copy(owner->namespace, OWNER_NAME, one + 1, (size_t)(two - one - 1));
	text_copy(owner->container, OWNER_NAME, two + 1, left - (size_t)(two + 1 - (one + 1)));
	return true;
}

static int compare_id(const void *id, const void *log)
{
	return strncmp(id, *(char *const *)log, OWNER_DIGITS);
}

void kubelet_find(const struct kubelet *kubelet, struct owner *owner)
{
	char *const *log = NULL;
	const char *text;

	if (kubelet->logs.n && strlen(owner->id) == OWNER_DIGITS)
		log = bsearch(owner->id, kubelet->logs.word, kubelet->logs.n,
			      sizeof(*log), compare_id);
	if (!log)
		return;
	text = *log + OWNER_DIGITS + 1;
	kubelet_split(owner, text, strlen(text));
}

/* "NAMESPACE_POD_UID" */
void kubelet_find_pod(struct owner *owner)
{
	DIR *folder = owner->pod_uid[0] ? host_opendir("/var/log/pods") : NULL;
	const struct dirent *entry;
	const char *one, *two;

	while (folder && !owner->pod[0] && (entry = readdir(folder))) {
		one = strchr(entry->d_name, '_');
		two = strrchr(entry->d_name, '_');
		if (one == two || strcmp(two + 1, owner->pod_uid))
			continue;
		text_copy(owner->namespace, OWNER_NAME, entry->d_name,
			  (size_t)(one - entry->d_name));
		text_copy(owner->pod, OWNER_NAME, one + 1, (size_t)(two - one - 1));
	}
	if (folder)
		closedir(folder);
}
