// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: what is done inside of a container's root.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/plan/plan.h"
#include "container/rootfs/internal.h"
#include "lib/in_root.h"
#include "tests/container/vectors.h"
#include "tests/unit/tree.h"

SUITE("cli.params")
{
	char *changed = procfs_params(text_of(in, "params"));

	*out = changed ? json_object_new_string(changed) : NULL;
	free(changed);
	return 0;
}

SUITE("cli.app_profile")
{
	struct json_object *list = member_get(in, "minors");
	size_t i, n = json_object_array_length(list);
	uint32_t *minors = calloc(n + 1, sizeof(*minors));
	struct edit edit;

	if (!minors)
		return why_fail(why, -ENOMEM, "no memory");
	for (i = 0; i < n; i++)
		minors[i] = (uint32_t)json_object_get_int64(json_object_array_get_idx(list, i));
	edit = plan_profile(minors, n);
	free(minors);
	*out = json_object_new_string(edit.text);
	free(edit.text);
	free(edit.path);
	return 0;
}

/* Makes an image: folders, and links with their targets. */
static int make_image(const char *root, struct json_object *image)
{
	json_object_object_foreach(image, path, target) {
		const char *at = tree_path(root, path);

		if (target ? symlink(json_object_get_string(target), at) : mkdir(at, 0755))
			return -errno;
	}
	return 0;
}

/* Reads the path of a link, without links on the way to it, and its target. */
static int read_link(int root, const char *path, struct json_object **out)
{
	char folder[PATH_MAX], real[PATH_MAX], where[2 * PATH_MAX], target[PATH_MAX];
	const char *name = strrchr(path, '/');
	ssize_t len;
	int ret;

	snprintf(folder, sizeof(folder), "%.*s/", (int)(name - path), path);
	ret = in_root_lead(root, folder, real);
	if (ret)
		return ret;
	snprintf(where, sizeof(where), "%s%s", strcmp(real, "/") ? real : "", name);
	len = readlinkat(root, where + 1, target, sizeof(target));
	if (len < 0)
		return -errno;
	*out = json_object_new_object();
	return json_object_object_add(*out, where, json_object_new_string_len(target, (int)len));
}

SUITE("cdi.symlinks")
{
	char root[] = "/tmp/mpu-vectors.XXXXXX";
	struct mount_targets places = { .uid = geteuid(), .gid = getegid() };
	int ret;

	if (!mkdtemp(root))
		return why_fail(why, -errno, "%s: %s", root, strerror(errno));
	ret = mount_targets_open(&places, root) ?: make_image(root, member_get(in, "rootfs"));
	if (ret)
		why_fail(why, ret, "the case's image: %s", strerror(-ret));
	else
		ret = mount_target_link(&places, text_of(in, "link"), text_of(in, "target"), why);
	if (!ret) {
		ret = read_link(places.root, text_of(in, "link"), out);
		if (ret)
			why_fail(why, ret, "the link: %s", strerror(-ret));
	}
	mount_targets_close(&places);
	tree_remove(root);
	return ret;
}
