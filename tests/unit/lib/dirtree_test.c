// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of folders that are laid and removed: lib/dirtree.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "lib/dirtree.h"
#include "tests/unit/unit.h"

static char work[] = "/tmp/folder_test.XXXXXX";
static char why[WHY_SIZE];

static void write_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void assert_file(const char *path, const char *text, mode_t mode)
{
	char found[64] = "";
	struct stat stat;
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_true(read(fd, found, sizeof(found) - 1) >= 0);
	assert_int_equal(fstat(fd, &stat), 0);
	close(fd);
	assert_string_equal(found, text);
	assert_int_equal(stat.st_mode & 07777, mode);
}

static void assert_folder(const char *path)
{
	struct stat stat;

	assert_int_equal(lstat(path, &stat), 0);
	assert_int_equal(stat.st_mode, S_IFDIR | 0755);
}

static void assert_link(const char *path, const char *target)
{
	char found[64] = "";

	assert_true(readlink(path, found, sizeof(found) - 1) > 0);
	assert_string_equal(found, target);
}

/* Return: whether anything was changed. */
static bool copy(void)
{
	int from = open("from", O_RDONLY | O_DIRECTORY);
	bool changed = false;

	assert_true(from >= 0);
	if (dirtree_copy(from, "to", &changed, why))
		fail_msg("%s", why);
	close(from);
	return changed;
}

static int make_folders(void)
{
	umask(077);	/* it is nothing to these */
	if (chdir("/") || !mkdtemp(work) || chdir(work) || mkdir("from", 0755) ||
	    mkdir("from/bin", 0755))
		return -1;
	write_file("from/bin/mpu", "one", 0755);
	write_file("from/unit", "text", 0644);
	return symlink("mpu", "from/bin/link");
}

static int remove_folders(void)
{
	int ret = dirtree_remove(work, why);

	strcpy(work + strlen(work) - 6, "XXXXXX");
	return ret;
}

TEST_EACH(make_folders, remove_folders)

TEST("files, modes and links are copied; a second copy changes nothing")
{
	assert_true(copy());
	assert_folder("to/bin");
	assert_file("to/bin/mpu", "one", 0755);
	assert_file("to/unit", "text", 0644);
	assert_link("to/bin/link", "mpu");
	assert_false(copy());
}

TEST("a new content, mode or link target is noticed and replaced")
{
	copy();
	write_file("from/bin/mpu", "two", 0755);
	assert_true(copy());
	assert_file("to/bin/mpu", "two", 0755);
	write_file("from/unit", "text", 0600);
	assert_true(copy());
	assert_file("to/unit", "text", 0600);
	write_file("from/unit", "texts", 0600);
	assert_true(copy());
	assert_int_equal(unlink("from/bin/link"), 0);
	assert_int_equal(symlink("other", "from/bin/link"), 0);
	assert_true(copy());
	assert_link("to/bin/link", "other");
	assert_false(copy());
}

TEST("a program that runs is replaced, not written to; other files stay")
{
	char old[8] = "";
	int fd;

	copy();
	write_file("to/bin/other", "stays", 0644);
	fd = open("to/bin/mpu", O_RDONLY);
	write_file("from/bin/mpu", "two", 0755);
	assert_true(copy());
	assert_int_equal(read(fd, old, sizeof(old)), 3);
	close(fd);
	assert_string_equal(old, "one");
	assert_file("to/bin/other", "stays", 0644);
}

TEST("leftovers of a killed copy are no obstacle, and links not followed")
{
	assert_int_equal(mkdir("to", 0755), 0);
	write_file("aside", "untouched", 0644);
	assert_int_equal(symlink("../aside", "to/.unit.new"), 0);
	assert_true(copy());
	assert_file("aside", "untouched", 0644);
	assert_file("to/unit", "text", 0644);
	assert_int_equal(access("to/.unit.new", F_OK), -1);
}

TEST("a copy onto a file, or into a missing folder, fails and says why")
{
	int from = open("from", O_RDONLY | O_DIRECTORY);
	bool changed = false;

	write_file("file", "", 0644);
	assert_true(dirtree_copy(from, "file", &changed, why) < 0);
	assert_non_null(strstr(why, " file/"));
	assert_true(dirtree_copy(from, "no/such", &changed, why) < 0);
	assert_non_null(strstr(why, "no/such"));
	close(from);
	assert_false(changed);
}

TEST("a folder is removed without following links, and may be missing")
{
	copy();
	assert_int_equal(symlink("../from", "to/out"), 0);
	assert_int_equal(dirtree_remove("to", why), 0);
	assert_int_equal(access("to", F_OK), -1);
	assert_file("from/unit", "text", 0644);
	assert_int_equal(dirtree_remove("to", why), 0);
}

TEST("folders on the way to a file are made for all")
{
	char path[PATH_MAX + 1];

	assert_int_equal(dirtree_make("file", why), 0);
	assert_int_equal(dirtree_make("from/new/er/file", why), 0);
	assert_folder("from/new/er");
	assert_int_equal(access("from/new/er/file", F_OK), -1);
	assert_int_equal(dirtree_make("from/unit/new/file", why), -ENOTDIR);
	assert_string_equal(why, "cannot make the folder from/unit/new: Not a directory");
	memset(path, 'a', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(dirtree_make(path, why), -ENAMETOOLONG);
}
