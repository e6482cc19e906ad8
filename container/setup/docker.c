// SPDX-License-Identifier: GPL-2.0-only
/*
 * docker: /etc/docker/daemon.json.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/setup/engine.h"
#include "lib/document.h"

/* The object that is a member, made if it is not there. */
static int enter(struct json_object **object, const char *where,
		 const char *name, char why[WHY_SIZE])
{
	struct json_object *inner;
	int ret = document_member(*object, where, name, json_type_object,
				  &inner, why);

	if (!ret && !inner) {
		inner = json_object_new_object();
		if (!inner || json_object_object_add(*object, name, inner)) {
			json_object_put(inner);
			return why_fail(why, -ENOMEM, "no memory to edit it");
		}
	}
	*object = inner;
	return ret;
}

/* Takes @value over. */
static int put(struct json_object *object, const char *where, const char *name,
	       struct json_object *value, bool *changed, char why[WHY_SIZE])
{
	struct json_object *old;
	int ret = document_member(object, where, name,
				  json_object_get_type(value), &old, why);

	if (!ret && !json_object_equal(old, value)) {
		*changed = true;
		if (value && !json_object_object_add(object, name, value))
			return 0;
		ret = why_fail(why, -ENOMEM, "no memory to edit it");
	}
	json_object_put(value);
	return ret;
}

static int put_runtime(struct json_object *root,
		       const struct setup_runtime *runtime, bool *changed,
		       char why[WHY_SIZE])
{
	int ret = enter(&root, "", "runtimes", why);

	if (!ret)
		ret = enter(&root, "runtimes.", runtime->name, why);
	return ret ? ret : put(root, "runtimes.", "path",
			       json_object_new_string(runtime->path), changed,
			       why);
}

static int put_cdi(struct json_object *root, bool *changed, char why[WHY_SIZE])
{
	int ret = enter(&root, "", "features", why);

	/* document_member() has no word for true and false. */
	if (ret || json_object_get_boolean(json_object_object_get(root, "cdi")))
		return ret;
	*changed = true;
	return json_object_object_add(root, "cdi", json_object_new_boolean(1)) ?
		       why_fail(why, -ENOMEM, "no memory to edit it") : 0;
}

/* What is read from @text, an object; of a text that says nothing, an empty one. */
static int parse(const char *text, struct json_object **root, char why[WHY_SIZE])
{
	int ret;

	*root = NULL;
	if (!text[strspn(text, " \t\r\n")]) {
		*root = json_object_new_object();
		return *root ? 0 : why_fail(why, -ENOMEM, "no memory to read it");
	}
	ret = document_parse(text, strlen(text), root, why);
	if (!ret && !json_object_is_type(*root, json_type_object)) {
		json_object_put(*root);
		*root = NULL;
		ret = why_fail(why, -EINVAL, "it is not an object");
	}
	return ret;
}

static int edit(char **text, const struct setup_runtime *runtime,
		char why[WHY_SIZE])
{
	struct json_object *root;
	bool changed = false;
	char *edited;
	int ret = parse(*text, &root, why);

	if (!ret)
		ret = put_runtime(root, runtime, &changed, why);
	if (!ret && runtime->is_default)
		ret = put(root, "", "default-runtime",
			  json_object_new_string(runtime->name), &changed, why);
	if (!ret && runtime->cdi)
		ret = put_cdi(root, &changed, why);
	if (!ret && changed) {
		if (asprintf(&edited, "%s\n", document_text(root)) < 0) {
			ret = why_fail(why, -ENOMEM, "no memory to edit it");
		} else {
			free(*text);
			*text = edited;
		}
	}
	json_object_put(root);
	return ret;
}

static int find_runtimes(struct json_object *root, struct setup_found *found,
			 char why[WHY_SIZE])
{
	struct json_object *runtimes, *path;
	int ret = document_member(root, "", "runtimes", json_type_object,
				  &runtimes, why);

	if (ret || !runtimes)
		return ret;
	json_object_object_foreach(runtimes, name, runtime) {
		ret = json_object_is_type(runtime, json_type_object) ?
		      document_member(runtime, "runtimes.", "path",
				      json_type_string, &path, why) : 0;
		if (ret)
			return ret;
		if (!json_object_is_type(runtime, json_type_object) || !path)
			continue;
		if (words_add(&found->names, name) ||
		    words_add(&found->paths, json_object_get_string(path)))
			return why_fail(why, -ENOMEM, "no memory to read it");
	}
	return 0;
}

static int find(const char *text, struct setup_found *found, char why[WHY_SIZE])
{
	struct json_object *root, *value = NULL;
	int ret;

	*found = (struct setup_found){ 0 };
	ret = parse(text, &root, why);
	if (!ret)
		ret = find_runtimes(root, found, why);
	if (!ret)
		ret = document_member(root, "", "default-runtime",
				      json_type_string, &value, why);
	if (!ret && value)
		found->standard = strdup(json_object_get_string(value));
	if (!ret)
		ret = document_member(root, "", "features", json_type_object,
				      &value, why);
	if (!ret && json_object_object_get_ex(value, "cdi", &value))
		found->cdi = json_object_get_boolean(value) ? SETUP_CDI_ON :
							      SETUP_CDI_OFF;
	json_object_put(root);
	return ret;
}

const struct setup_engine setup_docker = {
	.name = "docker",
	.file = "/etc/docker/daemon.json",
	.reload = "systemctl restart docker",
	.edit = edit,
	.find = find,
};
