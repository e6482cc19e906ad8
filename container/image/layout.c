// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of an image: folders of the existing tools, or one that its loader may know.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/image/internal.h"
#include "lib/in_root.h"
#include "lib/arch.h"

static bool is_folder(int root, const char *path)
{
	struct stat file;

	return !in_root_stat(root, path, O_DIRECTORY, &file);
}

static bool is_same(int root, const char *a, const char *b)
{
	struct stat x, y;

	return !in_root_stat(root, a, O_DIRECTORY, &x) &&
	       !in_root_stat(root, b, O_DIRECTORY, &y) &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Debian's layout without the file that says so: distroless images. */
static bool is_debian(int root)
{
	if (in_root_exists(root, "/etc/debian_version"))
		return true;
	return !is_folder(root, "/usr/lib64") &&
	       (in_root_exists(root, "/usr/lib/" TRIPLET "/libc.so.6") ||
		in_root_exists(root, "/lib/" TRIPLET "/libc.so.6"));
}

/* An image without /usr/lib64: its loader may be one that looks into /lib64. */
static const char *fall_back(int root)
{
	struct stat file;

	return !in_root_stat(root, "/lib64", O_NOFOLLOW, &file) && S_ISDIR(file.st_mode) ?
		"/lib64" : "/usr/lib64";
}

static void choose_folders(struct layout *layout, int root)
{
	const char *library, *library32;

	if (is_debian(root)) {
		library = "/usr/lib/" TRIPLET;
		library32 = "/usr/lib/" TRIPLET32;
		layout->searched = true;
	} else {
		library = is_folder(root, "/usr/lib64") ? "/usr/lib64" : fall_back(root);
		library32 = "/usr/lib32";
		if (!is_folder(root, library32) && is_folder(root, "/usr/lib") &&
		    !is_same(root, "/usr/lib", library))
			library32 = "/usr/lib";
		layout->searched = is_folder(root, library);
	}
	strcpy(layout->library, library);
	strcpy(layout->library32, library32);
	strcpy(layout->program, "/usr/bin");
}

/* musl's loader reads no cache, and looks into folders of its own list. */
static void look_at_loaders(struct layout *layout, int root)
{
	layout->cached = in_root_exists(root, LOADER_CACHE) || in_root_exists(root, GLIBC_LOADER);
	layout->searched &= !in_root_exists(root, MUSL_LOADER);
}

static int read_image(struct layout *layout, const char *name, const char *driver,
		      const char *cuda, char why[WHY_SIZE])
{
	int root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int ret;

	if (root < 0) {
		ret = -errno;
		return why_fail(why, ret, "%s: the container's root cannot be opened: %s",
				name, strerror(-ret));
	}
	ret = in_root_open(root, "/", O_PATH);
	if (ret < 0) {
		in_root_fail(why, ret, name, "/");
		close(root);
		return ret;
	}
	close(ret);
	choose_folders(layout, root);
	look_at_loaders(layout, root);
	ret = compat_find(root, COMPAT_FOLDER, driver, cuda, layout->compat, why);
	close(root);
	return ret;
}

int layout_read(struct layout *layout, const char *root, const char *driver,
		const char *cuda, char why[WHY_SIZE])
{
	int ret;

	*layout = (struct layout){ 0 };
	ret = read_image(layout, root ?: "/", driver, cuda, why);
	/* Libraries of this machine's own programs say nothing about an image. */
	if (!root) {
		layout->compat[0] = '\0';
		layout->cached = false;
		layout->searched = true;
	}
	return ret;
}
