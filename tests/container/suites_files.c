// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the driver's files and CUDA's forward compatibility.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/image/internal.h"
#include "lib/library.h"
#include "tests/container/vectors.h"
#include "tests/unit/tree.h"

SUITE("cdi.is_lib")
{
	*out = json_object_new_boolean(library_is_name(member_text(in, "name")));
	return 0;
}

SUITE("compat.elfnote")
{
	struct libcuda_note note = { 0 };
	struct json_object *told, *branches;
	const char *cuda;
	size_t i;

	if (json_object_object_get_ex(in, "note", &told) && told) {
		note.found = 1;
		cuda = member_text(told, "cuda");
		snprintf(note.cuda, sizeof(note.cuda), "%s", cuda ?: "");
		if (json_object_object_get_ex(told, "driver_branches", &branches) && branches)
			for (i = 0; i < json_object_array_length(branches); i++)
				note.branches[note.n++] = (uint32_t)json_object_get_int(
					json_object_array_get_idx(branches, i));
	}
	*out = json_object_new_boolean(compat_is_newer(&note, member_text(in, "compat"),
						       member_text(in, "host_driver"),
						       member_text(in, "host_cuda")));
	return 0;
}

/* An image with a libcuda in its folder, or several, and a link to that folder. */
static void make_image(const char *root, struct json_object *versions, const char *link)
{
	size_t i, n = json_object_is_type(versions, json_type_array) ?
		      json_object_array_length(versions) : !!versions;
	char path[PATH_MAX];

	if (versions && link && symlink(link, tree_path(root, "/usr/local/cuda")))
		return;
	/* The link's target, if nothing leads out of the root. */
	while (link && !strncmp(link, "../", 3))
		link += 3;
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "/%s/compat/libcuda.so.%s", link ?: "usr/local/cuda",
			 json_object_get_string(json_object_is_type(versions, json_type_array) ?
				json_object_array_get_idx(versions, i) : versions));
		tree_write(root, path, "", 0);
	}
}

SUITE("compat.dir")
{
	char root[] = "/tmp/mpu-vectors-XXXXXX", folder[PATH_MAX];
	int fd, ret;

	if (!mkdtemp(root))
		return -errno;
	make_image(root, member_get(in, "compat_libcuda"), member_text(in, "cuda_symlink"));
	fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ret = compat_find(fd, COMPAT_FOLDER, member_text(in, "host_driver"), NULL, folder, why);
	close(fd);
	if (!ret)
		*out = json_object_new_string(folder);
	tree_remove(root);
	return ret;
}
