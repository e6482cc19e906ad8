// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/text_file.c: how a file comes to say something else, where it may be
 * replaced and where it may not.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <signal.h>

#include "lib/process.h"
#include "lib/text_file.h"
#include "tests/unit/unit.h"

#define NOBODY	65534

static char top[] = "/tmp/text_file.XXXXXX";
static char why[WHY_SIZE];

static void fill(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void says(const char *path, const char *text)
{
	struct text_file file;

	assert_int_equal(text_file_read(path, &file, why), 0);
	assert_string_equal(file.text, text);
	text_file_free(&file);
}

/* Return: 0 or negative errno of what the file is, and of what it is to say. */
static int change(const char *path, const char *text)
{
	struct text_file file;
	int ret = text_file_read(path, &file, why);

	if (!ret)
		ret = text_file_write(path, text, &file.stat, why);
	text_file_free(&file);
	return ret;
}

static ino_t inode(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_ino;
}

static int make_folder(void)
{
	assert_int_equal(mkdir("etc", 0755), 0);
	fill("etc/file", "before");
	return 0;
}

/* Nothing but what a test made is there: no file beside it was left. */
static int remove_folder(void)
{
	chmod("etc", 0755);
	unlink("etc/file");
	unlink("etc/link");
	return rmdir("etc");
}

TEST_EACH(make_folder, remove_folder)

/* A reader has one or the other. */
TEST("a new file takes the place of the old one")
{
	struct stat st;
	ino_t before;

	before = inode("etc/file");
	assert_int_equal(change("etc/file", "after"), 0);
	says("etc/file", "after");
	assert_true(inode("etc/file") != before);
	assert_int_equal(stat("etc/file", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(change("etc/link", "new"), 0);
	says("etc/link", "new");
}

TEST("leftovers of a writer that was killed are removed, nothing else")
{
	static const char *const stay[] = {
		"etc/file.mpu-locked", "etc/file.mpu-pipe12", "etc/file.mpu-1234567",
		"etc/other.mpu-123456",
	};
	size_t i;
	int fd;

	fill("etc/file.mpu-123456", "left");
	for (i = 0; i < 4; i++)
		if (i == 1)
			assert_int_equal(mkfifo(stay[i], 0600), 0);
		else
			fill(stay[i], "not left");
	fd = open(stay[0], O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(change("etc/file", "new"), 0);
	assert_int_equal(access("etc/file.mpu-123456", F_OK), -1);
	for (i = 0; i < 4; i++)
		assert_int_equal(unlink(stay[i]), 0);
	close(fd);
}

/* Writes a file again and again. Return: 0, or the first failure */
static int write_often(const char *path)
{
	const struct stat stat = { .st_mode = 0644, .st_uid = geteuid(), .st_gid = getegid() };
	int i, ret = 0;

	for (i = 0; i < 2000 && !ret; i++)
		ret = text_file_write_fast(path, "text", &stat, why);
	return ret;
}

TEST("two writers of one file are in nobody's way")
{
	const char *path = "etc/file";
	pid_t pid = fork();

	if (!pid)
		_exit(-write_often(path));
	assert_int_equal(write_often(path), 0);
	assert_int_equal(process_wait(pid), 0);
	says(path, "text");
	assert_int_equal(access("etc/file (deleted)", F_OK), -1);
}

/* An ACL by which user 7 may read it, as linux/posix_acl_xattr.h has it. */
static const struct {
	uint32_t version;
	struct {
		uint16_t tag, perm;
		uint32_t id;
	} entry[5];
} acl = {
	2, { { 0x01, 6, -1u }, { 0x02, 4, 7 }, { 0x04, 4, -1u }, { 0x10, 4, -1u },
	     { 0x20, 0, -1u } },
};

TEST("attributes and ACLs that the owner has set go over to the new file")
{
	static const char access[] = "system.posix_acl_access";
	char value[sizeof(acl) + 1] = "";
	struct stat st;
	ino_t before;

	if (setxattr("etc/file", "user.mpu", "mine", 4, 0) ||
	    setxattr("etc/file", access, &acl, sizeof(acl), 0))
		skip();	/* not on this filesystem */
	before = inode("etc/file");
	assert_int_equal(change("etc/file", "after"), 0);
	assert_true(inode("etc/file") != before);
	assert_int_equal(getxattr("etc/file", "user.mpu", value, sizeof(value)), 4);
	assert_memory_equal(value, "mine", 4);
	assert_int_equal(getxattr("etc/file", access, value, sizeof(value)), sizeof(acl));
	assert_memory_equal(value, &acl, sizeof(acl));
	assert_int_equal(stat("etc/file", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

TEST("a link stays, and the file that it leads to is replaced")
{
	ino_t link, file;

	file = inode("etc/file");
	assert_int_equal(symlink("../etc/file", "etc/link"), 0);
	link = inode("etc/link");
	assert_int_equal(change("etc/link", "after"), 0);
	says("etc/file", "after");
	assert_true(inode("etc/link") == link);
	assert_true(inode("etc/file") != file);
}

/* @path leads to @file, which is named below the working folder */
static void leads_to(const char *path, const char *file)
{
	char real[PATH_MAX], want[PATH_MAX];

	assert_int_equal(text_file_find(path, real, why), 0);
	snprintf(want, sizeof(want), "%s/%s", top, file);
	assert_string_equal(real, want);
}

TEST("a log is opened through links of root's folders, and of no others")
{
	int fd;

	if (geteuid())
		skip();
	fill("log", "");
	assert_int_equal(symlink("log", "link"), 0);
	fd = text_file_append("link");
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(chmod(".", 0777), 0);
	assert_int_equal(text_file_append("link"), -ELOOP);
	fd = text_file_append("log");
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(chmod(".", 01777), 0);
	assert_int_equal(text_file_append("link"), -ELOOP);
	assert_int_equal(link("log", "same"), 0);
	assert_int_equal(text_file_append("same"), -EMLINK);
	assert_int_equal(unlink("same"), 0);
	assert_int_equal(mkdir("root's", 0755), 0);
	assert_int_equal(symlink("root's", "folder"), 0);
	fd = text_file_append("folder/log");
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(lchown("folder", 1, 1), 0);
	assert_int_equal(text_file_append("folder/log"), -ELOOP);
	assert_int_equal(text_file_append("folder/new/log"), -ELOOP);
	assert_int_equal(unlink("folder") || unlink("root's/log") || rmdir("root's"), 0);
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(unlink("link"), 0);
	assert_int_equal(unlink("log"), 0);
}

TEST("a file has one path, there or not, however it is spelled")
{
	char real[PATH_MAX];

	leads_to("none", "none");
	leads_to("etc/./file", "etc/file");
	leads_to("etc/../none//./new/file", "none/new/file");
	assert_int_equal(text_file_find("none/../file", real, why), -ENOENT);
	assert_int_equal(symlink("../etc/../none", "etc/link"), 0);
	leads_to("etc/link", "none");
	leads_to("etc/link/new", "none/new");
	assert_int_equal(unlink("etc/file") || symlink("link", "etc/file"), 0);
	leads_to("etc/file", "none");
	assert_int_equal(change("etc/file", "text"), 0);
	says("none", "text");
	leads_to("etc/file", "none");
	assert_int_equal(unlink("none"), 0);
	assert_int_equal(unlink("etc/link"), 0);
	assert_int_equal(symlink("file", "etc/link"), 0);
	assert_int_equal(text_file_find("etc/link", real, why), -ELOOP);
	assert_int_equal(text_file_find("/none", real, why), 0);
	assert_string_equal(real, "/none");
}

/* Return: how many times what is in "etc" was opened while it was to be changed. */
static int count_opens(int wanted)
{
	struct inotify_event event[16];
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), n;

	assert_true(inotify_add_watch(watch, "etc/file", IN_OPEN) >= 0);
	assert_int_equal(change("etc/file", "after"), wanted);
	n = (int)read(watch, event, sizeof(event));
	close(watch);
	return n < 0 ? 0 : n / (int)sizeof(*event);
}

/* Opening a watchdog starts it, and a tape is wound: a pipe stands for them. */
TEST("a path that is no regular file is refused without opening it")
{
	assert_true(count_opens(0) > 0);
	assert_int_equal(unlink("etc/file"), 0);
	assert_int_equal(mkfifo("etc/file", 0600), 0);
	assert_int_equal(count_opens(-EINVAL), 0);
	assert_non_null(strstr(why, "it is not a regular file"));
	/* Nor is it replaced, as /dev/null would be for everybody. */
	assert_int_equal(write_often("etc/file"), -EINVAL);
}

/* In a process that cannot be what it was before: @how returns @wanted, or -77. */
static void in_child(int (*how)(void *unused), int wanted)
{
	int ret = process_try(how, NULL);

	if (ret == -77)
		skip();
	assert_int_equal(ret, wanted);
}

static int write_as_nobody(void *unused)
{
	if (!geteuid() && (setgid(NOBODY) || setuid(NOBODY)))
		return -99;
	return change("etc/file", "after, and longer");
}

TEST("a writable file in a read-only folder is written in its place")
{
	ino_t before;

	before = inode("etc/file");
	assert_int_equal(chmod("etc/file", 0666), 0);
	assert_int_equal(chmod("etc", 0555), 0);
	in_child(write_as_nobody, 0);
	says("etc/file", "after, and longer");
	assert_true(inode("etc/file") == before);
	in_child(write_as_nobody, 0);
	assert_int_equal(chmod("etc", 0755), 0);
	fill("etc/file", "much, much longer than that");
	assert_int_equal(chmod("etc", 0555), 0);
	in_child(write_as_nobody, 0);
	says("etc/file", "after, and longer");
}

/* A user who may write a file need not be able to give another file its owner. */
TEST("a file of another owner is written, and keeps its owner")
{
	struct stat st;

	if (geteuid())
		skip();
	assert_int_equal(chown("etc/file", 12, 34), 0);
	assert_int_equal(chmod("etc/file", 0666), 0);
	assert_int_equal(chmod("etc", 0777), 0);
	in_child(write_as_nobody, 0);
	says("etc/file", "after, and longer");
	assert_int_equal(stat("etc/file", &st), 0);
	assert_int_equal(st.st_uid, 12);
	assert_int_equal(st.st_gid, 34);
}

TEST("a read-only file in a read-only folder is not changed")
{
	assert_int_equal(chmod("etc/file", 0444), 0);
	assert_int_equal(chmod("etc", 0555), 0);
	in_child(write_as_nobody, -EACCES);
	says("etc/file", "before");
}

static int write_mounted(void *unused)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("etc/file", "etc/file", NULL, MS_BIND, NULL))
		return -77;
	return change("etc/file", "after");
}

static int read_without_proc(void *unused)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/proc", "tmpfs", 0, NULL))
		return -77;
	return change("etc/file", "after") != -ENOSYS;
}

TEST("a file is not taken for missing because /proc is not there")
{
	in_child(read_without_proc, 0);
	says("etc/file", "before");
}

/* A file that is mounted cannot be replaced. */
TEST("a file that is mounted is written in its place")
{
	ino_t before;

	before = inode("etc/file");
	in_child(write_mounted, 0);
	says("etc/file", "after");
	assert_true(inode("etc/file") == before);
}

/* The disk is as good as full: there is room for the text, not for more. */
static int write_without_room(void *unused)
{
	struct rlimit limit = { 8, 8 };

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit))
		return -99;
	return write_as_nobody(unused);
}

TEST("a file is not changed if there is no room for the new text")
{
	assert_int_equal(chmod("etc/file", 0666), 0);
	assert_int_equal(chmod("etc", 0555), 0);
	in_child(write_without_room, -EFBIG);
	says("etc/file", "before");
}

static int make_top(void)
{
	return mkdtemp(top) && !chmod(top, 0755) && !chdir(top) ? 0 : -1;
}

static int remove_top(void)
{
	return chdir("/") || rmdir(top) ? -1 : 0;
}

TEST_ALL(make_top, remove_top)
