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
#include "lib/xalloc.h"

/**
 * struct roots - what is put for what; neither ends with a slash, "/" is ""
 * @container:	in paths of the container, and not of the host
 */
struct roots {
	char *from, *to;
	bool container;
};

/* Returns @path with the other root, to be freed. */
static char *change_path(const struct roots *roots, const char *path)
{
	size_t len = strlen(roots->from);

	if (*path != '/' || strncmp(path, roots->from, len) != 0 || (path[len] && path[len] != '/'))
		return xstrdup(path);
	path += len;
	return xasprintf("%s%s", roots->to, *path || *roots->to ? path : "/");
}

/* "TARGET::LINK", of a hook, is two paths. NULL: it stays as it is. */
static struct json_object *change(const struct roots *roots, struct json_object *value)
{
	const char *text = json_object_get_string(value), *colons;
	struct json_object *changed = NULL;
	char *first, *target, *link, *whole;
	int name;

	if (!text)
		return NULL;
	/* "--folder=PATH" */
	name = strncmp(text, "--", 2) ? 0 : (int)strcspn(text, "=") + 1;
	if (name > (int)strlen(text))
		return NULL;
	colons = strstr(text + name, "::") ?: text + strlen(text);
	first = xstrndup(text + name, (size_t)(colons - text - name));
	target = change_path(roots, first);
	link = change_path(roots, *colons ? colons + 2 : colons);
	whole = xasprintf("%.*s%s%s%s", name, text, target, *colons ? "::" : "", link);
	if (strcmp(whole, text))
		changed = xcheck(json_object_new_string(whole));
	free(first);
	free(target);
	free(link);
	free(whole);
	return changed;
}

/* Sets a member to what @value is changed to, if that is something else. */
static void change_member(const struct roots *roots, struct json_object *object,
			  const char *name, struct json_object *value)
{
	struct json_object *changed = change(roots, value);

	if (changed && json_object_object_add(object, name, changed))
		xcheck(NULL);
}

static void change_hook(const struct roots *roots, struct json_object *hook)
{
	const char *stage = member_text(hook, "hookName");
	struct json_object *args = member_get(hook, "args");
	bool is_images = !strcmp(stage, "startContainer");
	size_t i;

	/* A program that the image has; and one that sees the image's paths. */
	if (is_images == roots->container)
		change_member(roots, hook, "path", member_get(hook, "path"));
	for (i = 0; i < array_length(args); i++) {
		struct json_object *value = json_object_array_get_idx(args, i);
		const char *text = json_object_get_string(value) ?: "";

		/* Our own hook is told the image's folders and links from outside of it. */
		if ((is_images || !strcmp(stage, "createContainer") ||
		     !strncmp(text, "--folder=", 9) || !strncmp(text, "--link=", 7)) !=
		    roots->container)
			continue;
		value = change(roots, value);
		if (value && json_object_array_put_idx(args, i, value))
			xcheck(NULL);
	}
}

static void change_edits(const struct roots *roots, struct json_object *edits)
{
	const char *path = roots->container ? "path" : "hostPath";
	const char *place = roots->container ? "containerPath" : "hostPath";
	struct json_object *nodes = member_get(edits, "deviceNodes");
	struct json_object *mounts = member_get(edits, "mounts");
	struct json_object *hooks = member_get(edits, "hooks");
	size_t i;

	for (i = 0; i < array_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		/* A node without a path on the host is the one at its own path. */
		change_member(roots, node, path,
			      member_get(node, path) ?: member_get(node, "path"));
	}
	for (i = 0; i < array_length(mounts); i++) {
		struct json_object *mount = json_object_array_get_idx(mounts, i);

		change_member(roots, mount, place, member_get(mount, place));
	}
	for (i = 0; i < array_length(hooks); i++)
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

static char *without_slash(const char *path)
{
	size_t len = strlen(path);

	while (len && path[len - 1] == '/')
		len--;
	return xstrndup(path, len);
}

int cdi_transform_root(struct json_object *root, const char *from,
		       const char *to, bool container, char why[WHY_SIZE])
{
	struct roots roots = { without_slash(from), without_slash(to), container };
	struct json_object *devices = member_get(root, "devices");
	const char *version;
	int ret = check(root, why);
	size_t i;

	if (ret || !strcmp(roots.from, roots.to))
		goto out;
	for (i = 0; i < array_length(devices); i++)
		change_edits(&roots, member_get(json_object_array_get_idx(devices, i),
						"containerEdits"));
	change_edits(&roots, member_get(root, "containerEdits"));
	/* A node that has got a hostPath takes a later version than it took before. */
	if (!check(root, why))
		goto out;
	version = cdi_version_needed(root, why);
	if (version)
		member_add_text(root, "cdiVersion", version);
	else
		ret = -EINVAL;
out:
	free(roots.from);
	free(roots.to);
	return ret;
}
