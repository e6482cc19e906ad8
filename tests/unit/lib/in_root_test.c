// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/in_root.c: paths below a folder, with links that lead out of it.
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/in_root.h"
#include "lib/process.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static char top[] = "/tmp/beneath.XXXXXX";
static int root;

static int make_root(void)
{
	assert_non_null(mkdtemp(top));
	root = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(root >= 0);
	tree_write(top, "/usr/lib/libcuda.so.1.0", "inside", 6);
	assert_false(symlinkat("libcuda.so.1.0", root, "usr/lib/libcuda.so.1") ||
		     symlinkat("/usr/lib/libcuda.so.1", root, "usr/lib/absolute") ||
		     symlinkat("../../../../../../usr", root, "usr/up") ||
		     symlinkat("/etc/hostname", root, "usr/out") ||
		     symlinkat("loop", root, "loop"));
	return 0;
}

static int remove_root(void)
{
	close(root);
	return tree_remove(top);
}

TEST_ALL(make_root, remove_root)

static void check_inside(const char *path)
{
	char text[16] = "";
	int fd = in_root_open(root, path, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 6);
	assert_string_equal(text, "inside");
	close(fd);
}

TEST("neither links nor .. lead out of the root")
{
	check_inside("usr/lib/libcuda.so.1");
	check_inside("/usr/lib/libcuda.so.1");
	check_inside("/usr/lib/absolute");
	check_inside("/usr/up/lib/libcuda.so.1");
	check_inside("../../usr/lib/libcuda.so.1.0");
	assert_int_equal(in_root_open(root, "/usr/out", O_RDONLY), -ENOENT);
	assert_int_equal(in_root_open(root, "/loop", O_RDONLY), -ELOOP);
	assert_int_equal(in_root_open(root, "/usr/lib/libcuda.so.1.0/x", O_RDONLY), -ENOTDIR);
}

TEST("links of /proc that leave the root are refused")
{
	int fd = open("/", O_PATH | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(in_root_open(fd, "/proc/self/root/etc", O_PATH), -ELOOP);
	close(fd);
}

TEST("a path is resolved to the real path below the root")
{
	char real[PATH_MAX];
	int fd = open("/", O_PATH | O_CLOEXEC);

	assert_false(in_root_lead(root, "/usr/up/lib/absolute", real));
	assert_string_equal(real, "/usr/lib/libcuda.so.1.0");
	assert_false(in_root_lead(root, "/", real));
	assert_string_equal(real, "/");
	assert_false(in_root_lead(fd, top, real));
	assert_string_equal(real, top);
	close(fd);
}

TEST("the path of an open file below the root is found, and none outside")
{
	int fd = in_root_open(root, "/usr/up/lib/absolute", O_RDONLY);
	int etc = open("/etc", O_PATH | O_CLOEXEC);
	char place[PATH_MAX];

	assert_true(fd >= 0 && etc >= 0);
	assert_false(in_root_place(root, fd, place));
	assert_string_equal(place, "/usr/lib/libcuda.so.1.0");
	assert_false(in_root_place(root, root, place));
	assert_string_equal(place, "/");
	assert_int_equal(in_root_place(root, etc, place), -EXDEV);
	close(etc);
	close(fd);
}

static void expect_file(const char *path, const char *text, mode_t type)
{
	int fd = in_root_open(root, path, O_PATH | O_NOFOLLOW);
	char found[64] = "";
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & S_IFMT, type);
	close(fd);
	fd = in_root_open(root, path, O_RDONLY);
	assert_true(read(fd, found, sizeof(found) - 1) >= 0);
	assert_string_equal(found, text);
	close(fd);
}

TEST("whoever writes a file at the same time, each reader finds it whole")
{
	static char text[200000];
	char found[sizeof(text)];
	int i, fd, status;

	mkdirat(root, "conf", 0755);
	for (i = 0; i < 4; i++)
		if (!fork()) {
			int k;

			for (k = 0; k < 50; k++) {
				memset(text, 'a' + (i + 4 * k) % 26, sizeof(text));
				if (in_root_replace(root, "/conf/file", text, sizeof(text)))
					_exit(1);
			}
			_exit(0);
		}
	for (i = 0; i < 200; i++) {
		fd = openat(root, "conf/file", O_RDONLY);
		if (fd < 0)
			continue;
		assert_int_equal(read(fd, found, sizeof(found)), sizeof(found));
		assert_int_equal(found[0], found[sizeof(found) - 1]);
		close(fd);
	}
	while (wait(&status) > 0)
		assert_int_equal(status, 0);
	assert_int_equal(unlinkat(root, "conf/file", 0), 0);
	assert_int_equal(unlinkat(root, "conf", AT_REMOVEDIR), 0);	/* nothing is left */
}

TEST("a file is replaced, and not written through a link or a pipe")
{
	struct stat before, after;
	int all;

	mkdirat(root, "conf", 0755);
	assert_int_equal(in_root_replace(root, "/conf/file", "one", 3), 0);
	expect_file("/conf/file", "one", S_IFREG);
	assert_int_equal(fstatat(root, "conf/file", &before, 0), 0);
	assert_int_equal(in_root_replace(root, "/conf/file", "one", 3), 0);
	assert_int_equal(fstatat(root, "conf/file", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(in_root_replace(root, "/conf/file", "three", 5), 0);
	expect_file("/conf/file", "three", S_IFREG);
	/* Neither a link nor a pipe is written through. */
	assert_int_equal(unlinkat(root, "conf/file", 0), 0);
	assert_int_equal(symlinkat("/etc/passwd", root, "conf/file"), 0);
	assert_int_equal(in_root_replace(root, "/conf/file", "four", 4), 0);
	expect_file("/conf/file", "four", S_IFREG);
	assert_int_equal(unlinkat(root, "conf/file", 0), 0);
	assert_int_equal(unlinkat(root, "conf", AT_REMOVEDIR), 0);	/* nothing is left */
	/* Another file system is not the container's. */
	all = open("/", O_PATH);
	assert_int_equal(in_root_replace(all, "/proc/file", "x", 1), -EXDEV);
	close(all);
}

/* Returns the result of in_root_open() where openat2 fails by @error each time; in a child. */
static int open_failing(void *error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | *(unsigned int *)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog fprog = {
		.len = sizeof(filter) / sizeof(*filter), .filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog))
		return 0;
	return in_root_open(root, "/usr", O_PATH);
}

TEST("a failure of openat2 is returned, and reported with its reason")
{
	unsigned int renamed = EAGAIN, old = ENOSYS;
	char why[WHY_SIZE];

	/* The search ends, however often folders are renamed. */
	assert_int_equal(process_try(open_failing, &renamed), -EAGAIN);
	assert_int_equal(process_try(open_failing, &old), -ENOSYS);
	assert_int_equal(in_root_fail(why, -ENOSYS, "/run/root", "/usr"), -ENOSYS);
	assert_non_null(strstr(why, "/run/root/usr"));
	assert_non_null(strstr(why, "Linux 5.6"));
	assert_int_equal(in_root_fail(why, -EAGAIN, "", "/usr"), -EAGAIN);
	assert_non_null(strstr(why, "renamed"));
	assert_int_equal(in_root_fail(why, -ENOENT, "", "/usr"), -ENOENT);
	assert_string_equal(why, "/usr: No such file or directory");
}
