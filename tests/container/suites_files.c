// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suites of vectors: the driver's files and CUDA's forward compatibility.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/image/internal.h"
#include "lib/library.h"
#include "lib/process.h"
#include "tests/container/vectors.h"

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

static int make_folders(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

static int make_library(const char *folder, struct json_object *version)
{
	char path[PATH_MAX + 64];
	int fd;

	snprintf(path, sizeof(path), "%s/libcuda.so.%.40s", folder,
		 json_object_get_string(version));
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* An image with a libcuda in its folder, or several, and a link to that folder. */
static int make_image(const char *root, struct json_object *versions, const char *link)
{
	char path[PATH_MAX], target[PATH_MAX / 2];
	size_t i;
	int ret;

	if (!versions)
		return 0;
	snprintf(path, sizeof(path), "%s/usr/local/cuda/compat", root);
	if (link) {
		*strrchr(path, '/') = '\0';
		*strrchr(path, '/') = '\0';
		ret = make_folders(path);
		strcat(path, "/cuda");
		if (ret || symlink(link, path))
			return ret ?: -errno;
		/* The link's target, if nothing leads out of the root. */
		while (!strncmp(link, "../", 3))
			link += 3;
		snprintf(target, sizeof(target), "%s/%s", root, link);
		snprintf(path, sizeof(path), "%s/compat", target);
	}
	ret = make_folders(path);
	if (ret)
		return ret;
	if (!json_object_is_type(versions, json_type_array))
		return make_library(path, versions);
	for (i = 0; i < json_object_array_length(versions) && !ret; i++)
		ret = make_library(path, json_object_array_get_idx(versions, i));
	return ret;
}

SUITE("compat.dir")
{
	char root[] = "/tmp/mpu-vectors-XXXXXX", folder[PATH_MAX];
	static const int fds[3] = { PROCESS_NULL, PROCESS_NULL, 2 };
	const char *const remove[] = { "rm", "-rf", root, NULL };
	struct json_object *versions = NULL;
	int fd, ret;

	if (!mkdtemp(root))
		return -errno;
	json_object_object_get_ex(in, "compat_libcuda", &versions);
	ret = make_image(root, versions, member_text(in, "cuda_symlink"));
	fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!ret)
		ret = compat_find(fd, COMPAT_FOLDER, member_text(in, "host_driver"), NULL, folder,
				  why);
	close(fd);
	if (!ret)
		*out = json_object_new_string(folder);
	process_run(remove, fds);
	return ret;
}
