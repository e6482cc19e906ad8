// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saying a CDI document in JSON.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "container/cdi/internal.h"
#include "lib/json.h"
#include "lib/xalloc.h"

/* Members of an object that says edits, by what is in them. */
static const struct {
	enum edit_kind kind;
	const char *name;
} arrays[] = {
	{ EDIT_ENV, "env" },
	{ EDIT_NODE, "deviceNodes" },
	{ EDIT_MOUNT, "mounts" },
	{ EDIT_HOOK, "hooks" },
	{ EDIT_GROUP, "additionalGids" },
};

static void add_text(struct json_object *object, const char *name, const char *text)
{
	if (text && *text)
		member_add_text(object, name, text);
}

static void add_texts(struct json_object *object, const char *name, const struct strv *words)
{
	if (words->n)
		json_object_object_add(object, name, array_of_words(words));
}

static struct json_object *render_edit(const struct edit *edit)
{
	struct json_object *object;

	if (edit->kind == EDIT_ENV)
		return json_object_new_string(edit->text);
	if (edit->kind == EDIT_GROUP)
		return json_object_new_int64(edit->group);
	object = xcheck(json_object_new_object());
	switch (edit->kind) {
	case EDIT_NODE:
		add_text(object, "path", edit->path);
		if (edit->source && strcmp(edit->source, edit->path))
			add_text(object, "hostPath", edit->source);
		add_text(object, "permissions", edit->node.access);
		break;
	case EDIT_MOUNT:
		add_text(object, "hostPath", edit->source);
		add_text(object, "containerPath", edit->path);
		add_texts(object, "options", &edit->options);
		add_text(object, "type", edit->text);
		break;
	default:
		add_text(object, "hookName", edit->stage);
		add_text(object, "path", edit->path);
		add_texts(object, "args", &edit->options);
		add_texts(object, "env", &edit->env);
		if (edit->timeout)
			member_add_number(object, "timeout", edit->timeout);
	}
	return object;
}

/* Adds the edits for a device as an object with an array of each kind; NULL: for any. */
static void add_edits(struct json_object *parent, const struct edits *edits, const char *device)
{
	struct json_object *object = xcheck(json_object_new_object()), *array;
	size_t i, kind;

	for (kind = 0; kind < sizeof(arrays) / sizeof(*arrays); kind++) {
		array = NULL;
		for (i = 0; i < edits->n; i++) {
			const struct edit *edit = &edits->edit[i];

			if (edit->kind != arrays[kind].kind || !cdi_is_for(edit, device))
				continue;
			if (!array) {
				array = json_object_new_array();
				json_object_object_add(object, arrays[kind].name, array);
			}
			json_object_array_add(array, render_edit(edit));
		}
	}
	if (json_object_object_length(object))
		json_object_object_add(parent, "containerEdits", object);
	else
		json_object_put(object);
}

static void add_annotations(struct json_object *root, const struct strv *words)
{
	struct json_object *object;
	size_t i;

	if (!words->n)
		return;
	object = json_object_new_object();
	json_object_object_add(root, "annotations", object);
	for (i = 0; i < words->n; i++) {
		const char *equal = strchr(words->word[i], '=');
		char *name = xstrndup(words->word[i], (size_t)(equal - words->word[i]));

		member_add_text(object, name, equal + 1);
		free(name);
	}
}

static void add_devices(struct json_object *root, const struct cdi_document *document)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	json_object_object_add(root, "devices", array);
	for (i = 0; i < document->devices.n; i++) {
		struct json_object *device = json_object_new_object();

		json_object_array_add(array, device);
		add_text(device, "name", document->devices.word[i]);
		add_edits(device, &document->edits, document->devices.word[i]);
	}
}

int cdi_document_render(const struct cdi_document *document,
			struct json_object **root, char why[WHY_SIZE])
{
	const char *version;

	*root = xcheck(json_object_new_object());
	add_text(*root, "cdiVersion", "?");
	add_text(*root, "kind", document->kind);
	add_annotations(*root, &document->annotations);
	add_devices(*root, document);
	add_edits(*root, &document->edits, NULL);
	version = cdi_version_needed(*root, why);
	if (!version) {
		json_object_put(*root);
		*root = NULL;
		return -EINVAL;
	}
	/* A member that is set again keeps its place. */
	add_text(*root, "cdiVersion", version);
	return 0;
}
