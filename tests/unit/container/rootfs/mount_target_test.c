// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the mount points that are made in a container's root. Images are random folders,
 * files and links, some of which lead outside: nothing outside may change, and undoing
 * removes everything that was made.
 */
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "container/rootfs/internal.h"
#include "lib/in_root.h"
#include "tests/unit/unit.h"

#define IMAGES	400

static char top[] = "/tmp/mpu-place.XXXXXX";

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	return remove(path);
}

/* TOP/root is a container's root, TOP/host is not for it. */
static int make_top(void)
{
	static const char *const folders[] = { "host", "host/a", "host/b", "host/a/c" };
	char path[64];
	size_t i;

	strcpy(top + strlen(top) - 6, "XXXXXX");
	assert_non_null(mkdtemp(top));
	for (i = 0; i < COUNT(folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", top, folders[i]);
		assert_int_equal(mkdir(path, 0755), 0);
	}
	return 0;
}

static int remove_top(void)
{
	return nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

TEST_ALL(make_top, remove_top)

static void make_root(struct mount_targets *places)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/root", top);
	assert_int_equal(mkdir(path, 0755), 0);
	*places = (struct mount_targets){ .uid = geteuid(), .gid = getegid() };
	assert_int_equal(mount_targets_open(places, path), 0);
}

static void remove_root(struct mount_targets *places)
{
	char path[64];

	mount_targets_close(places);
	snprintf(path, sizeof(path), "%s/root", top);
	assert_int_equal(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static char listing[1 << 16];

static int list_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	size_t len = strlen(listing);

	snprintf(listing + len, sizeof(listing) - len, "%s %o %ld\n", path,
		 st->st_mode, S_ISDIR(st->st_mode) ? 0 : (long)st->st_size);
	return 0;
}

/* Collects what is below TOP/@name; nftw() gives it in the order of the filesystem. */
static size_t list(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	listing[0] = '\0';
	assert_int_equal(nftw(path, list_one, 8, FTW_PHYS), 0);
	return strlen(listing);
}

/* Makes a path of a few names, so that paths meet. */
static const char *random_path(bool is_target)
{
	static const char *const names[] = { "a", "b", "c", "..", "lib" };
	static char path[256];
	int parts = 1 + rand() % 4;

	path[0] = '\0';
	if (is_target && rand() % 3 == 0) {
		snprintf(path, sizeof(path), "%s%s/host", rand() % 2 ? "/proc/self/root" : "", top);
		parts = rand() % 2;
	} else if (!is_target || rand() % 2) {
		strcpy(path, "/");
	}
	while (parts--)
		snprintf(path + strlen(path), sizeof(path) - strlen(path), "%s%s",
			 path[0] && path[strlen(path) - 1] != '/' ? "/" : "",
			 names[(size_t)rand() % (is_target ? 5 : 4)]);
	return path;
}

/* Folders of the image alone: a link there could lead to ours. */
static void make_image(int root)
{
	static const char *const at[] = { "a", "b", "c", "a/a", "a/b", "b/a", "b/c", "a/b/c" };
	char folder[16] = "/";
	const char *name;
	int parent, fd;
	size_t i;

	for (i = 0; i < COUNT(at); i++) {
		name = strrchr(at[i], '/') ? strrchr(at[i], '/') + 1 : at[i];
		snprintf(folder, sizeof(folder), "/%.*s", (int)(name - at[i]), at[i]);
		parent = in_root_open(root, folder, O_PATH | O_DIRECTORY);
		if (parent < 0)
			continue;
		switch (rand() % 4) {
		case 0:
			mkdirat(parent, name, 0755);
			break;
		case 1:
			fd = openat(parent, name, O_CREAT | O_WRONLY | O_EXCL | O_NOFOLLOW, 0644);
			if (fd >= 0)
				close(fd);
			break;
		default:
			symlinkat(random_path(true), parent, name);
		}
		close(parent);
	}
}

static void use(struct mount_targets *places, char why[WHY_SIZE])
{
	int fd;

	switch (rand() % 4) {
	case 0:
		mount_target_link(places, random_path(false), "/anything", why);
		return;
	case 1:
		fd = mount_target_open(places, random_path(false), S_IFDIR, why);
		break;
	case 2:
		mount_target_file(places, random_path(false), "text", why);
		return;
	default:
		fd = mount_target_open(places, random_path(false), S_IFREG, why);
	}
	if (fd >= 0)
		close(fd);
}

TEST("mount points in random images change nothing outside of them")
{
	struct mount_targets places;
	char why[WHY_SIZE];
	size_t host;
	int i, times;

	srand(1);
	host = list("host");
	for (i = 0; i < IMAGES; i++) {
		make_root(&places);
		make_image(places.root);
		for (times = 0; times < 8; times++)
			use(&places, why);
		assert_int_equal(list("host"), host);
		remove_root(&places);
	}
}

TEST("undoing removes all that was made, and nothing of others")
{
	struct mount_targets places;
	char why[WHY_SIZE];
	size_t before;
	struct stat st;
	int fd;

	if (geteuid())
		skip();		/* nobody else may write to files of mode 0444 */
	make_root(&places);
	assert_int_equal(mkdirat(places.root, "usr", 0755), 0);
	assert_int_equal(symlinkat("usr/lib/missing", places.root, "lib"), 0);
	before = list("root");
	fd = mount_target_open(&places, "/lib/x/libcuda.so.1.0", S_IFREG, why);
	assert_true(fd >= 0);
	close(fd);
	/* A link that led nowhere leads there now. */
	assert_int_equal(faccessat(places.root, "usr/lib/missing/x/libcuda.so.1.0", F_OK, 0), 0);
	assert_int_equal(mount_target_link(&places, "/lib/x/libcuda.so.1", "libcuda.so.1.0",
					   why), 0);
	assert_int_equal(mount_target_link(&places, "/lib/x/libcuda.so.1", "libcuda.so.1.0",
					   why), 0);
	assert_int_equal(mount_target_file(&places, "/etc/file", "text", why), 0);
	assert_int_equal(mount_target_file(&places, "/etc/file", "other", why), 0);
	assert_int_equal(fstatat(places.root, "etc/file", &st, 0), 0);
	assert_int_equal(st.st_size, 4);
	mount_targets_undo(&places);
	assert_int_equal(list("root"), before);

	/* Files that others have put there since stay. */
	fd = mount_target_open(&places, "/new/file", S_IFREG, why);
	assert_true(fd >= 0);
	close(fd);
	fd = openat(places.root, "new/file", O_WRONLY);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	mount_targets_undo(&places);
	assert_int_equal(faccessat(places.root, "new/file", F_OK, 0), 0);
	remove_root(&places);
}

TEST("paths that are too long, or go round in links, are refused")
{
	char path[2 * PATH_MAX], name[NAME_MAX + 8], why[WHY_SIZE];
	struct mount_targets places;
	int i;

	make_root(&places);
	assert_int_equal(symlinkat("loop", places.root, "loop"), 0);
	assert_int_equal(mount_target_open(&places, "/loop/x", S_IFREG, why), -ELOOP);
	/* Each leads to a place that the next takes for missing. */
	assert_int_equal(symlinkat("y/../x/a", places.root, "x"), 0);
	assert_int_equal(mount_target_open(&places, "/x/file", S_IFREG, why), -ELOOP);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(path, sizeof(path), "/%s/x", name);
	assert_int_equal(mount_target_open(&places, path, S_IFREG, why), -ENAMETOOLONG);
	snprintf(path, sizeof(path), "/%s", name);
	assert_int_equal(mount_target_link(&places, path, "x", why), -ENAMETOOLONG);
	for (i = 0; i < 2 * PATH_MAX - 2; i += 2)
		memcpy(path + i, "/d", 2);
	path[i] = '\0';
	assert_int_equal(mount_target_open(&places, path, S_IFDIR, why), -ENAMETOOLONG);
	path[600] = '\0';
	assert_int_equal(mount_target_open(&places, path, S_IFDIR, why), -ELOOP);
	mount_targets_undo(&places);
	for (i = 0; i < 3; i++) {
		static const char *const none[] = { "", "/", "/usr/.." };

		assert_true(mount_target_open(&places, none[i], S_IFREG, why) < 0);
		assert_true(mount_target_link(&places, none[i], "x", why) < 0);
	}
	remove_root(&places);
}
