// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rewriting the paths of a CDI document. It is edited as JSON, so that nothing
 * else of it changes.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/cdi/internal.h"
#include "lib/json.h"

/**
 * struct roots - what is put for what; neither ends with a slash, "/" is ""
 * @container:	in paths of the container, and not of the host
 */
struct roots {
	char *from, *to;
	bool container;
	bool failed;
};

static size_t length(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

/* Return: @path with the other root, to be freed; NULL: no memory. */
static char *change_path(const struct roots *roots, const char *path)
{
	size_t len = strlen(roots->from);
	char *text;

	if (*path != '/' || strncmp(path, roots->from, len) != 0 ||
	    (path[len] && path[len] != '/'))
		return strdup(path);
	path += len;
	return asprintf(&text, "%s%s", roots->to, *path || *roots->to ? path : "/") < 0 ?
	       NULL : text;
}

/* "TARGET::LINK", of a hook, is two paths. NULL: it stays as it is. */
static struct json_object *change(struct roots *roots, struct json_object *value)
{
	const char *text = json_object_get_string(value), *colons;
	struct json_object *changed = NULL;
	char *target, *link, *whole;

	if (!text)
		return NULL;
	colons = strstr(text, "::") ?: text + strlen(text);
	whole = strndup(text, (size_t)(colons - text));
	target = whole ? change_path(roots, whole) : NULL;
	link = change_path(roots, *colons ? colons + 2 : colons);
	free(whole);
	if (!target || !link ||
	    asprintf(&whole, "%s%s%s", target, *colons ? "::" : "", link) < 0)
		whole = NULL;
	free(target);
	free(link);
	if (whole && strcmp(whole, text))
		changed = json_object_new_string(whole);
	roots->failed |= !whole || (!changed && strcmp(whole, text));
	free(whole);
	return changed;
}

static void set(struct roots *roots, struct json_object *object,
		const char *name, struct json_object *value)
{
	if (!value || !json_object_object_add(object, name, value))
		return;
	json_object_put(value);
	roots->failed = true;
}

static void change_member(struct roots *roots, struct json_object *object,
			  const char *name)
{
	set(roots, object, name, change(roots, member_get(object, name)));
}

static void change_hook(struct roots *roots, struct json_object *hook)
{
	const char *stage = member_text(hook, "hookName");
	struct json_object *args = member_get(hook, "args");
	bool is_images = !strcmp(stage, "startContainer");
	size_t i;

	/* A program that the image has; and one that sees the image's paths. */
	if (is_images == roots->container)
		change_member(roots, hook, "path");
	if ((is_images || !strcmp(stage, "createContainer")) != roots->container)
		return;
	for (i = 0; i < length(args); i++) {
		struct json_object *value = change(roots, json_object_array_get_idx(args, i));

		if (value && json_object_array_put_idx(args, i, value))
			roots->failed = true;
	}
}

static void change_node(struct roots *roots, struct json_object *node)
{
	struct json_object *source = member_get(node, "hostPath");

	if (roots->container) {
		change_member(roots, node, "path");
		return;
	}
	/* A node without it is the one at its own path. */
	set(roots, node, "hostPath",
	    change(roots, source ? source : member_get(node, "path")));
}

static void change_edits(struct roots *roots, struct json_object *edits)
{
	struct json_object *nodes = member_get(edits, "deviceNodes");
	struct json_object *mounts = member_get(edits, "mounts");
	struct json_object *hooks = member_get(edits, "hooks");
	size_t i;

	for (i = 0; i < length(nodes); i++)
		change_node(roots, json_object_array_get_idx(nodes, i));
	for (i = 0; i < length(mounts); i++)
		change_member(roots, json_object_array_get_idx(mounts, i),
			      roots->container ? "containerPath" : "hostPath");
	for (i = 0; i < length(hooks); i++)
		change_hook(roots, json_object_array_get_idx(hooks, i));
}

static int check(struct json_object *root, char why[WHY_SIZE])
{
	struct cdi_document document;
	int ret = cdi_document_parse(&document, root, why);

	if (!ret)
		cdi_document_free(&document);
	return ret;
}

/* A node that has got a hostPath takes a later version than it took before. */
static int raise_version(struct json_object *root, char why[WHY_SIZE])
{
	const char *version;
	struct json_object *value;

	if (!check(root, why))
		return 0;
	version = cdi_version_needed(root, why);
	value = version ? json_object_new_string(version) : NULL;
	if (!version)
		return -EINVAL;
	if (value && !json_object_object_add(root, "cdiVersion", value))
		return 0;
	json_object_put(value);
	return why_fail(why, -ENOMEM, "no memory to change a CDI document");
}

static char *without_slash(const char *path)
{
	size_t len = strlen(path);

	while (len && path[len - 1] == '/')
		len--;
	return strndup(path, len);
}

int cdi_transform_root(struct json_object *root, const char *from,
		       const char *to, bool container, char why[WHY_SIZE])
{
	struct roots roots = { without_slash(from), without_slash(to), container, false };
	struct json_object *devices = member_get(root, "devices");
	int ret = check(root, why);
	size_t i;

	roots.failed = !roots.from || !roots.to;
	if (!ret && !roots.failed && strcmp(roots.from, roots.to) != 0) {
		for (i = 0; i < length(devices); i++)
			change_edits(&roots, member_get(json_object_array_get_idx(devices, i), "containerEdits"));
		change_edits(&roots, member_get(root, "containerEdits"));
		ret = raise_version(root, why);
	}
	if (!ret && roots.failed)
		ret = why_fail(why, -ENOMEM, "no memory to change a CDI document");
	free(roots.from);
	free(roots.to);
	return ret;
}
