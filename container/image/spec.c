// SPDX-License-Identifier: GPL-2.0-only
/*
 * config.json, as far as it says how a container asks for GPUs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/image/internal.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/xalloc.h"

struct reader {
	int ret;	/* the first failure */
	char *why;
	char reason[WHY_SIZE];
};

static void fail(struct reader *r)
{
	if (!r->ret)
		r->ret = why_fail(r->why, -EINVAL, "could not decode OCI spec: %s", r->reason);
}

static struct json_object *member(struct reader *r, struct json_object *object, const char *where,
				  const char *name, enum json_type type)
{
	struct json_object *value = NULL;

	if (object && !r->ret && json_file_member(object, where, name, type, &value, r->reason))
		fail(r);
	return r->ret ? NULL : value;
}

/* NULL: no string, or one that holds a NUL. */
static const char *text_of(struct json_object *value)
{
	const char *text = json_object_get_string(value);

	return json_object_is_type(value, json_type_string) &&
	       strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

/* "" if it is not there. */
static const char *text(struct reader *r, struct json_object *object,
			const char *where, const char *name)
{
	struct json_object *value = member(r, object, where, name, json_type_string);
	const char *found = value ? text_of(value) : "";

	if (found)
		return found;
	snprintf(r->reason, sizeof(r->reason), "%s%s has a NUL character", where, name);
	fail(r);
	return "";
}

static void read_env(struct reader *r, struct strv *env, struct json_object *process)
{
	struct json_object *array = member(r, process, "process.", "env", json_type_array);
	size_t i, n = array ? json_object_array_length(array) : 0;

	for (i = 0; i < n && !r->ret; i++) {
		const char *entry = text_of(json_object_array_get_idx(array, i));

		if (!entry) {
			snprintf(r->reason, sizeof(r->reason),
				 "process.env[%zu] is not a string, or has a NUL character", i);
			fail(r);
		} else if (!strchr(entry, '=')) {
			r->ret = why_fail(r->why, -EINVAL, "invalid environment variable: process.env[%zu], '%.100s', has no =",
					  i, entry);
		} else {
			strv_add(env, entry);
		}
	}
}

static bool read_privileged(struct reader *r, struct json_object *process)
{
	struct json_object *capabilities = NULL;

	if (r->ret || json_file_member(process, "process.", "capabilities",
				       json_type_array, &capabilities, r->reason))
		/* An object since OCI 1.0.0-rc5, an array before. */
		capabilities = member(r, member(r, process, "process.", "capabilities",
						json_type_object),
				      "process.capabilities.", "bounding", json_type_array);
	return array_has(capabilities, "CAP_SYS_ADMIN");
}

/* Runtimes make a tmpfs read-only when all mounts are there. */
static const char *kind_of_mount(struct json_object *mount)
{
	struct json_object *type = member_get(mount, "type"), *options = member_get(mount, "options");
	size_t i, n = array_length(options);
	const char *name = text_of(type) ?: "";
	bool bind = !strcmp(name, "bind"), read_only = false, mapped = member_get(mount, "uidMappings");

	for (i = 0; i < n; i++) {
		const char *word = text_of(json_object_array_get_idx(options, i)) ?: "";

		bind |= !strcmp(word, "bind") || !strcmp(word, "rbind");
		mapped |= !strcmp(word, "idmap") || !strcmp(word, "ridmap");
		if (!strcmp(word, "ro") || !strcmp(word, "rro") || !strcmp(word, "rw"))
			read_only = strcmp(word, "rw") && strcmp(name, "tmpfs");
	}
	return bind ? read_only ? "br" : mapped ? "bm" : "b" : read_only ? "r" : "";
}

static void read_mounts(struct reader *r, struct container *container,
			struct json_object *config, const char *bundle)
{
	struct json_object *array = member(r, config, "", "mounts", json_type_array);
	size_t i, n = array ? json_object_array_length(array) : 0;

	for (i = 0; i < n && !r->ret; i++) {
		struct json_object *mount = json_object_array_get_idx(array, i);
		const char *source;
		char where[32];

		snprintf(where, sizeof(where), "mounts[%zu]", i);
		if (!json_object_is_type(mount, json_type_object)) {
			snprintf(r->reason, sizeof(r->reason), "%s is not an object", where);
			fail(r);
		}
		strcat(where, ".");
		strv_add(&container->kinds, r->ret ? "" : kind_of_mount(mount));
		source = text(r, mount, where, "source");
		/* A bind mount's may be relative to the bundle, as the root may. */
		if (*source && *source != '/' && *container->kinds.word[i] == 'b')
			strv_add_format(&container->sources, "%s/%s", bundle, source);
		else
			strv_add(&container->sources, source);
		strv_add(&container->destinations, text(r, mount, where, "destination"));
	}
}

static void read_annotations(struct reader *r, struct container *container,
			     struct json_object *config)
{
	struct json_object *annotations = member(r, config, "", "annotations", json_type_object);

	if (!annotations)
		return;
	json_object_object_foreach(annotations, name, value) {
		const char *is = text_of(value);

		if (!is) {
			snprintf(r->reason, sizeof(r->reason),
				 "annotations.%.100s is not a string, or has a NUL character", name);
			fail(r);
			return;
		}
		strv_add(&container->annotation_names, name);
		strv_add(&container->annotation_values, is);
	}
}

static void read_root(struct reader *r, struct container *container,
		      struct json_object *root, const char *bundle)
{
	const char *path = text(r, root, "root.", "path");

	if (!r->ret)
		container->root = *path == '/' ? xstrdup(path) : xasprintf("%s/%s", bundle, path);
}

int container_read(struct container *container, struct json_object *config,
		   const char *bundle, char why[WHY_SIZE])
{
	struct reader r = { .why = why };
	struct json_object *version, *process, *root;

	*container = (struct container){ 0 };
	if (!json_object_is_type(config, json_type_object))
		return why_fail(why, -EINVAL, "could not decode OCI spec: it is not an object");
	version = member(&r, config, "", "ociVersion", json_type_string);
	process = member(&r, config, "", "process", json_type_object);
	root = member(&r, config, "", "root", json_type_object);
	if (r.ret)
		return r.ret;
	if (!json_object_get_string_len(version))
		return why_fail(why, -EINVAL, "Version is empty in OCI spec");
	if (!process || !root)
		return why_fail(why, -EINVAL, "%s is empty in OCI spec",
				!process ? "Process" : "Root");
	read_env(&r, &container->env, process);
	container->privileged = read_privileged(&r, process);
	read_mounts(&r, container, config, bundle);
	read_annotations(&r, container, config);
	read_root(&r, container, root, bundle);
	container->read_only = container_is_read_only(config);
	container->users = json_object_get(member_get(member_get(config, "linux"), "uidMappings"));
	return r.ret;
}

bool container_is_read_only(struct json_object *config)
{
	struct json_object *root = member_get(config, "root");

	return json_object_is_type(root, json_type_object) &&
	       json_object_get_boolean(member_get(root, "readonly"));
}

const char *container_env(const struct container *container, const char *name)
{
	size_t len = strlen(name), i;

	for (i = container->env.n; i > 0; i--) {
		const char *entry = container->env.word[i - 1];

		if (!strncmp(entry, name, len) && entry[len] == '=')
			return entry + len + 1;
	}
	return NULL;
}

void container_free(struct container *container)
{
	strv_free(&container->env);
	strv_free(&container->sources);
	strv_free(&container->destinations);
	strv_free(&container->kinds);
	strv_free(&container->annotation_names);
	strv_free(&container->annotation_values);
	free(container->root);
	json_object_put(container->users);
	*container = (struct container){ 0 };
}
