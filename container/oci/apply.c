// SPDX-License-Identifier: GPL-2.0-only
/*
 * Edits of a configuration: its variables by name, nodes by path, mounts by destination.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "container/image/image.h"
#include "container/oci/internal.h"
#include "lib/in_root.h"
#include "lib/xalloc.h"

/**
 * struct injection - a configuration that is being edited
 * @places:	of the container; NULL: there is none to look into
 * @user_ns:	its container has a user namespace: its runtime cannot make nodes and takes
 *		those of the host, by the path that they have in the container
 * @devices, @rules, @masks: lists that a machine with many GPUs makes long
 */
struct injection {
	struct json_object *config;
	struct json_object *process;
	struct json_object *linux;
	const char *bundle;
	struct places *places;
	bool user_ns;
	bool mounted;	/* mounts were added */
	struct oci_mounts mounts;
	struct oci_index devices, rules, masks;
	char *why;
};

/* Checks where a path of the root leads; no link of the root leads into another mount. */
static int check_destination(struct injection *in, const char *path, const char *source)
{
	struct container_place place;
	struct stat st;
	int ret;

	if (!in->places || in->places->root < 0 || oci_mounts_hold(&in->mounts, path))
		return 0;
	ret = places_find(in->places, path, &place);
	if (ret)
		return in_root_fail(in->why, ret, "the container's ", path);
	if (kernel_files_are(path, place.path, 0))
		return kernel_files_refuse(in->why, path);
	return place.folder && !stat(source, &st) && S_ISREG(st.st_mode) ?
		       folder_refuse(in->why, path) : 0;
}

static int add_mount(struct injection *in, const struct edit *edit,
		     const char *source, const struct strv *options)
{
	int ret = check_destination(in, edit->path, source);

	if (ret)
		return ret;
	in->mounted = true;
	return oci_mounts_add(&in->mounts, edit->path, source, options, in->why);
}

static int add_env(struct injection *in, const struct edit *edit)
{
	struct json_object *env = oci_member(in->process, "process.", "env",
					     json_type_array, in->why);
	struct json_object *text = xcheck(json_object_new_string(edit->text));
	size_t len = strcspn(edit->text, "="), i;
	bool there = false;

	for (i = 0; env && i < json_object_array_length(env); i++) {
		struct json_object *one = json_object_array_get_idx(env, i);
		const char *old = json_object_is_type(one, json_type_string) ?
				  json_object_get_string(one) : "";

		if (strncmp(old, edit->text, len) || old[len] != '=')
			continue;
		/* If a name occurs twice, some programs take the first value, some the last. */
		if (!there && strcmp(old, edit->text))
			json_object_array_put_idx(env, i, json_object_get(text));
		else if (there)
			json_object_array_del_idx(env, i--, 1);
		there = true;
	}
	if (!env || there) {
		json_object_put(text);
		return env ? 0 : -EINVAL;
	}
	oci_append(env, text);
	return 0;
}

/* -1: who owns it is the one who runs the container, unless that is root. */
static void add_owner(struct injection *in, struct json_object *device,
		      const char *name, uint32_t owner)
{
	struct json_object *user = NULL;
	int64_t number = owner;

	if (owner == (uint32_t)-1) {
		json_object_object_get_ex(in->process, "user", &user);
		number = json_object_is_type(user, json_type_object) ?
			 member_number(user, name) : 0;
	}
	if (number > 0)
		member_add_number(device, name, number);
}

static struct json_object *make_device(struct injection *in, const struct edit *edit)
{
	struct json_object *device = xcheck(json_object_new_object());
	const char type[] = { edit->node.type, '\0' };

	member_add_text(device, "path", edit->path);
	member_add_text(device, "type", type);
	member_add_number(device, "major", edit->node.major);
	member_add_number(device, "minor", edit->node.minor);
	if (edit->node.mode)
		member_add_number(device, "fileMode", edit->node.mode);
	add_owner(in, device, "uid", edit->node.uid);
	add_owner(in, device, "gid", edit->node.gid);
	return device;
}

/* Replaces the device with the same path, or adds it at the end. */
static int add_device(struct injection *in, const struct edit *edit)
{
	struct json_object *list = oci_member(in->linux, "linux.", "devices",
					      json_type_array, in->why);
	struct json_object *device;
	int at;

	if (!list)
		return -EINVAL;
	at = oci_index_find(&in->devices, list, "path", edit->path);
	device = make_device(in, edit);
	if (at < 0)
		oci_index_append(&in->devices, device, edit->path);
	else if (json_object_equal(json_object_array_get_idx(list, (size_t)at), device))
		json_object_put(device);
	else
		json_object_array_put_idx(list, (size_t)at, device);
	return 0;
}

static void add_once(struct oci_index *index, struct json_object *list, struct json_object *value)
{
	const char *key = oci_key(xcheck(value));

	if (oci_index_find(index, list, NULL, key) < 0)
		oci_index_append(index, value, key);
	else
		json_object_put(value);
}

/* The last rule that fits decides: it goes to the end. */
static int add_rule(struct injection *in, const struct edit *edit)
{
	const char type[] = { edit->node.type, '\0' };
	struct json_object *resources, *list = NULL, *rule;

	resources = oci_member(in->linux, "linux.", "resources", json_type_object, in->why);
	if (resources)
		list = oci_member(resources, "linux.resources.", "devices",
				  json_type_array, in->why);
	if (!list)
		return -EINVAL;
	rule = xcheck(json_object_new_object());
	member_add_bool(rule, "allow", true);
	member_add_text(rule, "type", type);
	member_add_number(rule, "major", edit->node.major);
	member_add_number(rule, "minor", edit->node.minor);
	member_add_text(rule, "access", edit->node.access[0] ? edit->node.access : "rw");
	add_once(&in->rules, list, rule);
	return 0;
}

static int add_node(struct injection *in, const struct edit *edit)
{
	static const char *const options[] = { "nosuid", "noexec", "bind" };
	bool elsewhere = edit->source && strcmp(edit->source, edit->path);
	struct strv words = { (char **)options, 3 };
	int ret;

	if (in->user_ns && elsewhere)
		ret = add_mount(in, edit, edit->source, &words);
	else
		ret = add_device(in, edit);
	if (ret || (edit->node.type != 'c' && edit->node.type != 'b'))
		return ret;
	return add_rule(in, edit);
}

static int add_mask(struct injection *in, const struct edit *edit)
{
	struct json_object *list = oci_member(in->linux, "linux.", "maskedPaths",
					      json_type_array, in->why);

	if (list)
		add_once(&in->masks, list, json_object_new_string(edit->path));
	return list ? 0 : -EINVAL;
}

static bool is_mapped(struct injection *in, gid_t group)
{
	struct json_object *list = member_get(in->linux, "gidMappings"), *map;
	size_t i;

	for (i = 0; i < array_length(list); i++) {
		map = json_object_array_get_idx(list, i);
		if (json_object_is_type(map, json_type_object) &&
		    member_number(map, "containerID") <= group &&
		    group - member_number(map, "containerID") < member_number(map, "size"))
			return true;
	}
	return !in->user_ns;
}

static int add_group(struct injection *in, const struct edit *edit)
{
	struct json_object *user, *list = NULL, *group;

	/* A runtime refuses a container with a group that it cannot have. */
	if (!edit->group || !is_mapped(in, edit->group))
		return 0;
	user = oci_member(in->process, "process.", "user", json_type_object, in->why);
	if (user)
		list = oci_member(user, "process.user.", "additionalGids",
				  json_type_array, in->why);
	group = xcheck(json_object_new_int64(edit->group));
	if (list && !array_has_equal(list, group))
		oci_append(list, group);
	else
		json_object_put(group);
	return list ? 0 : -EINVAL;
}

/* Writes a file beside the configuration: it goes when that goes. */
static int write_beside(const char *path, const struct edit *edit)
{
	size_t size = edit->size ?: strlen(edit->text);
	int fd, ret = 0;

	if (unlink(path) && errno != ENOENT)
		return -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
	if (fd < 0)
		return -errno;
	errno = 0;
	/* Whatever the umask is: any user in the container may read it. */
	if (write(fd, edit->text, size) != (ssize_t)size ||
	    (!edit->size && write(fd, "\n", 1) != 1) || fchmod(fd, 0444))
		ret = errno ? -errno : -ENOSPC;	/* cut short: no errno */
	close(fd);
	return ret;
}

/*
 * A mount on it would fail ldconfig, and with that apt-get, in the container (EBUSY).
 * Return: negative errno where only a mount shows it.
 */
static int write_own(struct injection *in, const struct edit *edit)
{
	if (!in->places || oci_mounts_hold(&in->mounts, edit->path))
		return -EXDEV;
	return in_root_replace(in->places->root, edit->path, edit->text,
			       edit->size ?: strlen(edit->text));
}

static int add_text(struct injection *in, const struct edit *edit)
{
	static const char *const options[] = {
		"ro", "nosuid", "nodev", "noexec", "bind"
	};
	const struct strv words = { (char **)options, 5 };
	const char *name = strrchr(edit->path, '/');
	char path[PATH_MAX];
	int ret;

	if (edit->own && !write_own(in, edit))
		return 0;
	if (snprintf(path, sizeof(path), "%s/mpu-%s", in->bundle,
		     name ? name + 1 : edit->path) >= (int)sizeof(path))
		return why_fail(in->why, -ENAMETOOLONG, "the path of the bundle is too long");
	ret = write_beside(path, edit);
	if (ret)
		return why_fail(in->why, ret, "cannot write %s: %s", path, strerror(-ret));
	return add_mount(in, edit, path, &words);
}

/* Two members of "linux" that CDI has and that we hand on. */
static int add_other(struct injection *in, const struct edit *edit)
{
	struct json_object *value, *devices, *one;
	int ret = json_file_parse(edit->text, strlen(edit->text), &value, in->why);
	size_t i;

	if (ret)
		return ret;
	if (strcmp(edit->stage, "netDevices")) {
		xcheck(json_object_object_add(in->linux, edit->stage, value) ? NULL : value);
		return 0;
	}
	devices = oci_member(in->linux, "linux.", "netDevices", json_type_object, in->why);
	for (i = 0; devices && i < array_length(value); i++) {
		const char *host;

		one = json_object_array_get_idx(value, i);
		host = member_string(one, "hostInterfaceName");
		if (!host)
			continue;
		json_object_object_add(devices, host, json_object_get(one));
		json_object_object_del(one, "hostInterfaceName");
	}
	json_object_put(value);
	return devices ? 0 : -EINVAL;
}

bool oci_can_make(const struct edit *edit)
{
	return edit->kind != EDIT_PROC && edit->kind != EDIT_CGROUP &&
	       (edit->kind != EDIT_LINK || edit->source);
}

static int add_edit(struct injection *in, const struct edit *edit)
{
	if (!oci_can_make(edit))
		return 0;
	switch (edit->kind) {
	case EDIT_ENV:
		return add_env(in, edit);
	case EDIT_NODE:
		return add_node(in, edit);
	case EDIT_MOUNT:
	case EDIT_LINK:
		return add_mount(in, edit, edit->source, &edit->options);
	case EDIT_TEXT:
		return add_text(in, edit);
	case EDIT_MASK:
		return add_mask(in, edit);
	case EDIT_GROUP:
		return add_group(in, edit);
	case EDIT_HOOK:
		return oci_hooks_add(in->config, edit, in->why);
	case EDIT_OTHER:
		return add_other(in, edit);
	case EDIT_PROC:
	case EDIT_CGROUP:
		break;
	}
	return 0;
}

static bool has_user_ns(struct json_object *linux)
{
	struct json_object *list = member_get(linux, "namespaces");
	size_t i;

	for (i = 0; i < array_length(list); i++) {
		const char *type = member_string(json_object_array_get_idx(list, i), "type");

		if (type && !strcmp(type, "user"))
			return true;
	}
	return false;
}

int oci_inject(struct json_object *config, const struct edits *edits,
	       const char *bundle, struct places *places, char why[WHY_SIZE])
{
	struct injection in = {
		.config = config, .bundle = bundle, .places = places, .why = why,
	};
	int ret;
	size_t i;

	ret = json_file_member(config, "", "process", json_type_object, &in.process, why);
	if (!ret)
		ret = json_file_member(config, "", "linux", json_type_object, &in.linux, why);
	if (!ret && (!in.process || !in.linux))
		ret = why_fail(why, -EINVAL, "it has no \"%s\": this is not the configuration of a Linux container",
			       in.process ? "linux" : "process");
	if (ret)
		return ret;
	oci_mounts_open(&in.mounts, config);
	in.user_ns = has_user_ns(in.linux);
	/* A file that stays, whatever becomes of the container, is written when all else is right. */
	for (i = 0; !ret && i < 2 * edits->n; i++)
		if (edits->edit[i % edits->n].own == (i >= edits->n))
			ret = add_edit(&in, &edits->edit[i % edits->n]);
	oci_index_free(&in.devices);
	oci_index_free(&in.rules);
	oci_index_free(&in.masks);
	oci_mounts_close(&in.mounts);
	return ret || !in.mounted ? ret : oci_mounts_sort(config, why);
}
