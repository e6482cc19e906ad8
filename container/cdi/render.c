// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saying a CDI document in JSON.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "container/cdi/internal.h"

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

/* Each of these takes @value over, also if it fails: NULL is no memory. */
static bool add(struct json_object *object, const char *name,
		struct json_object *value)
{
	if (value && !json_object_object_add(object, name, value))
		return true;
	json_object_put(value);
	return false;
}

static bool append(struct json_object *array, struct json_object *value)
{
	if (value && !json_object_array_add(array, value))
		return true;
	json_object_put(value);
	return false;
}

static bool add_text(struct json_object *object, const char *name,
		     const char *text)
{
	return !text || !*text ||
	       add(object, name, json_object_new_string(text));
}

static bool add_texts(struct json_object *object, const char *name,
		      const struct strv *words)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; array && i < words->n; i++) {
		if (!append(array, json_object_new_string(words->word[i]))) {
			json_object_put(array);
			return false;
		}
	}
	if (words->n)
		return add(object, name, array);
	json_object_put(array);
	return true;
}

static bool fill_node(struct json_object *object, const struct edit *edit)
{
	const char *source = edit->source;

	if (source && !strcmp(source, edit->path))
		source = NULL;
	return add_text(object, "path", edit->path) &&
	       add_text(object, "hostPath", source) &&
	       add_text(object, "permissions", edit->node.access);
}

static bool fill_mount(struct json_object *object, const struct edit *edit)
{
	return add_text(object, "hostPath", edit->source) &&
	       add_text(object, "containerPath", edit->path) &&
	       add_texts(object, "options", &edit->options) &&
	       add_text(object, "type", edit->text);
}

static bool fill_hook(struct json_object *object, const struct edit *edit)
{
	return add_text(object, "hookName", edit->stage) &&
	       add_text(object, "path", edit->path) &&
	       add_texts(object, "args", &edit->options) &&
	       add_texts(object, "env", &edit->env) &&
	       (!edit->timeout ||
		add(object, "timeout", json_object_new_int64(edit->timeout)));
}

static struct json_object *render_edit(const struct edit *edit)
{
	struct json_object *object;
	bool done;

	if (edit->kind == EDIT_ENV)
		return json_object_new_string(edit->text);
	if (edit->kind == EDIT_GROUP)
		return json_object_new_int64(edit->group);
	object = json_object_new_object();
	if (!object)
		return NULL;
	done = edit->kind == EDIT_NODE ? fill_node(object, edit) :
	       edit->kind == EDIT_MOUNT ? fill_mount(object, edit) :
	       fill_hook(object, edit);
	if (done)
		return object;
	json_object_put(object);
	return NULL;
}


static bool is_for(const struct edit *edit, const char *device)
{
	return device && edit->device ? !strcmp(device, edit->device) :
					!device && !edit->device;
}

/* Adds the edits of one kind for one device; NULL: for any. */
static bool add_edits(struct json_object *object, const struct edits *edits,
		      const char *device, enum edit_kind kind, const char *name)
{
	struct json_object *array = NULL;
	size_t i;

	for (i = 0; i < edits->n; i++) {
		const struct edit *edit = &edits->edit[i];

		if (edit->kind != kind || !is_for(edit, device))
			continue;
		if (!array) {
			array = json_object_new_array();
			if (!array || !add(object, name, array))
				return false;
		}
		if (!append(array, render_edit(edit)))
			return false;
	}
	return true;
}

static bool fill_edits(struct json_object *parent, const struct edits *edits,
		       const char *device)
{
	struct json_object *object = json_object_new_object();
	size_t i;

	if (!object)
		return false;
	for (i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		if (!add_edits(object, edits, device, arrays[i].kind,
			       arrays[i].name)) {
			json_object_put(object);
			return false;
		}
	}
	if (json_object_object_length(object))
		return add(parent, "containerEdits", object);
	json_object_put(object);
	return true;
}

static bool fill_annotations(struct json_object *root, const struct strv *words)
{
	struct json_object *object = json_object_new_object();
	size_t i;

	if (!words->n || !object) {
		json_object_put(object);
		return !words->n;
	}
	if (!add(root, "annotations", object))
		return false;
	for (i = 0; i < words->n; i++) {
		const char *equal = strchr(words->word[i], '=');
		char *name = strndup(words->word[i],
				     (size_t)(equal - words->word[i]));
		bool done = name && add(object, name, json_object_new_string(equal + 1));

		free(name);
		if (!done)
			return false;
	}
	return true;
}

static bool fill_devices(struct json_object *root,
			 const struct cdi_document *document)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	if (!add(root, "devices", array))
		return false;
	for (i = 0; i < document->devices.n; i++) {
		struct json_object *device = json_object_new_object();

		if (!append(array, device) ||
		    !add_text(device, "name", document->devices.word[i]) ||
		    !fill_edits(device, &document->edits, document->devices.word[i]))
			return false;
	}
	return true;
}

static bool fill_root(struct json_object *root,
		      const struct cdi_document *document)
{
	/* A member that is set again keeps its place. */
	return add_text(root, "cdiVersion", "?") &&
	       add_text(root, "kind", document->kind) &&
	       fill_annotations(root, &document->annotations) &&
	       fill_devices(root, document) &&
	       fill_edits(root, &document->edits, NULL);
}

static bool is_sayable(const struct edit *edit)
{
	size_t i;

	for (i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		if (arrays[i].kind == edit->kind)
			return true;
	return false;
}

int cdi_document_render(const struct cdi_document *document,
			struct json_object **root, char why[WHY_SIZE])
{
	const char *version;
	size_t i;

	*root = NULL;
	for (i = 0; i < document->edits.n; i++)
		if (!is_sayable(&document->edits.edit[i]))
			return why_fail(why, -EINVAL, "CDI has no word for an edit of kind %s",
					edit_kind_name(document->edits.edit[i].kind));
	*root = json_object_new_object();
	if (!*root || !fill_root(*root, document))
		goto no_memory;
	version = cdi_version_needed(*root, why);
	if (!version) {
		json_object_put(*root);
		*root = NULL;
		return -EINVAL;
	}
	if (add_text(*root, "cdiVersion", version))
		return 0;
no_memory:
	json_object_put(*root);
	*root = NULL;
	return why_fail(why, -ENOMEM, "no memory for a document");
}
