// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mount points that a runtime has made are removed; what an image, or somebody else,
 * has put in their place is not.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "container/oci/internal.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

/* The bundle is the working folder; "root" is the container's, "host" is not for it. */
static char bundle[] = "/tmp/mpu-points.XXXXXX";
static char root[sizeof(bundle) + 8];

static void write_file(const char *path, const char *text)
{
	tree_write("./", path, text, strlen(text));
}

/* There are these paths of the bundle, and not those behind "!". */
static void expect(const char *paths)
{
	struct strv words = { 0 };
	struct stat st;
	size_t i;

	strv_split(&words, paths, ' ');
	for (i = 0; i < words.n; i++) {
		const char *path = words.word[i];

		if (!lstat(path + (*path == '!'), &st) == (*path == '!'))
			fail_msg("%s", path);
	}
	strv_free(&words);
}

static void record(void)
{
	static char *const paths[] = {
		"/lib/a.so", "/lib/old.so", "/lib/deep/er/b.so", "/etc/cache",
		"/run/socket", "/dev/nvidia0", "/lib/not-mounted",
		"/volume/./deep/c.so",
	};
	static char source[] = "/source", text[] = "b.so.1";
	struct edit edit[] = {
		{ .kind = EDIT_MOUNT, .path = paths[0] },
		{ .kind = EDIT_MOUNT, .path = paths[1] },
		{ .kind = EDIT_LINK, .path = paths[2], .source = source, .text = text },
		{ .kind = EDIT_TEXT, .path = paths[3] },
		{ .kind = EDIT_MOUNT, .path = paths[4] },
		{ .kind = EDIT_NODE, .path = paths[5] },
		{ .kind = EDIT_LINK, .path = paths[6] },
		{ .kind = EDIT_MOUNT, .path = paths[7] },
	};
	const struct edits edits = { .edit = edit, .n = 8 };
	/* Mount points of the edits themselves are there, too. */
	struct json_object *config = json_tokener_parse("{\"mounts\":["
		"{\"destination\":\"/lib/a.so\"}, {\"destination\":\"/lib/a\"},"
		"{\"source\":\"x\"}, {\"destination\":\"//volume/\"}]}");
	char why[WHY_SIZE] = "";
	const struct container container = { .root = root };
	struct places places;
	int ret = places_open(&places, &container, why) ?:
		  oci_mount_points_record(bundle, &places, config, &edits, why);

	places_close(&places);
	json_object_put(config);
	if (ret)
		fail_msg("%s", why);
}

/* Makes them as a runtime does; the socket's folder stands in for one that is mounted. */
static void make_points(void)
{
	static const char *const files[] = {
		"root/lib/a.so", "root/lib/deep/er/b.so", "root/etc/cache", "root/lib/not-mounted",
		/* Something is mounted over it, so that this is not what was made. */
		"root/volume/deep/c.so",
	};

	each_row(file, files)
		write_file(*file, "");
	tree_path("./", "root/run/socket/");
}

static int set_up(void)
{
	strcpy(bundle + sizeof(bundle) - 7, "XXXXXX");
	assert_non_null(mkdtemp(bundle));
	assert_int_equal(chdir(bundle), 0);
	snprintf(root, sizeof(root), "%s/root", bundle);
	mkdir("host", 0755);
	tree_path("./", "root/etc/");
	write_file("root/lib/old.so", "");
	record();
	make_points();
	return 0;
}

static int tear_down(void)
{
	assert_int_equal(chdir("/"), 0);
	return tree_remove(bundle);
}

TEST_EACH(set_up, tear_down)

static void remove_points(void)
{
	char why[WHY_SIZE] = "";

	if (oci_mount_points_remove(bundle, why))
		fail_msg("%s", why);
	expect("!mpu-mount-points.json");
}

TEST("mount points that were made are removed, and nothing else")
{
	remove_points();
	/* Some were there before, and some are no mount points of ours. */
	expect("!root/lib/a.so !root/lib/deep !root/etc/cache !root/run root/etc "
	       "root/lib/old.so root/lib/not-mounted root/volume/deep/c.so");
	remove_points();
}

TEST("a mount point with content or a second link stays")
{
	write_file("root/lib/a.so", "code");
	write_file("root/lib/deep/other", "");
	assert_int_equal(link("root/etc/cache", "root/etc/second"), 0);
	assert_int_equal(rmdir("root/run/socket"), 0);
	assert_int_equal(mkfifo("root/run/socket", 0600), 0);
	remove_points();
	expect("root/lib/a.so root/lib/deep/other !root/lib/deep/er root/etc/cache root/run/socket");
}

/* Links of the image: at a recorded place, and on the way to one. */
TEST("links of an image lead to nothing that is removed outside of it")
{
	char host[sizeof(bundle) + 8];

	write_file("host/a.so", "");
	write_file("host/er/b.so", "");
	mkdir("host/socket", 0755);
	unlink("root/lib/a.so");
	assert_int_equal(symlink("../../host/a.so", "root/lib/a.so"), 0);
	assert_int_equal(rename("root/lib/deep", "root/lib/moved"), 0);
	assert_int_equal(symlink("../../host", "root/lib/deep"), 0);
	assert_int_equal(rename("root/run", "root/moved"), 0);
	snprintf(host, sizeof(host), "%s/host", bundle);
	assert_int_equal(symlink(host, "root/run"), 0);
	remove_points();
	expect("host/a.so host/er/b.so host/socket root/lib/a.so root/lib/deep root/run");
}

/* The hook of mode legacy makes links. */
TEST("links that a hook has made are removed, and other links stay")
{
	unlink("root/lib/deep/er/b.so");
	assert_int_equal(symlink("b.so.1", "root/lib/deep/er/b.so"), 0);
	record();
	remove_points();
	expect("!root/lib/deep");
	record();
	assert_int_equal(symlink("b.so.2", tree_path("./", "root/lib/deep/er/b.so")), 0);
	remove_points();
	expect("root/lib/deep/er/b.so");
}

TEST("mount points of a bundle's last container go with the next one's, or before another root's")
{
	assert_int_equal(unlink("root/etc/cache"), 0);
	record();
	expect("root/lib/a.so");
	write_file("root/etc/cache", "");
	remove_points();
	expect("!root/lib/a.so !root/etc/cache");
	record();
	make_points();
	assert_int_equal(mkdir("other", 0755), 0);
	snprintf(root, sizeof(root), "%s/other", bundle);
	record();
	expect("!root/lib/a.so mpu-mount-points.json");
	remove_points();
}

/* Has the root, or what a runtime mounts in it before it has, from a source without a name. */
static bool use_root(int how)
{
	return how ? !chroot(root) : !unshare(CLONE_NEWNS) &&
	       !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("", "root/lib", "tmpfs", 0, NULL);
}

TEST("nothing is removed while a process has that root, or mounts in it")
{
	char why[WHY_SIZE] = "", byte;
	int ready[2], how;
	pid_t pid;

	for (how = 0; how < 2 && !geteuid(); how++) {
		assert_int_equal(pipe(ready), 0);
		pid = fork();
		if (!pid) {
			if (use_root(how) && write(ready[1], "", 1) == 1)
				pause();
			_exit(1);
		}
		close(ready[1]);
		assert_int_equal(read(ready[0], &byte, 1), 1);
		close(ready[0]);
		assert_int_equal(oci_mount_points_remove(bundle, why), -EBUSY);
		assert_non_null(strstr(why, "it is the root of process"));
		expect("root/lib/a.so");
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	if (geteuid())
		skip();
	remove_points();
	expect("!root/lib/a.so");
}

/* Whoever may make a bundle may not have files removed that only root may remove. */
TEST("a record that others could have written is refused")
{
	char why[WHY_SIZE];

	assert_int_equal(chmod("mpu-mount-points.json", 0660), 0);
	assert_int_equal(oci_mount_points_remove(bundle, why), -EPERM);
	expect("root/lib/a.so");
	assert_int_equal(chmod("mpu-mount-points.json", 0600), 0);
	if (!geteuid()) {
		assert_int_equal(chown("mpu-mount-points.json", 1000, 0), 0);
		assert_int_equal(oci_mount_points_remove(bundle, why), -EPERM);
		expect("root/lib/a.so");
		assert_int_equal(chown("mpu-mount-points.json", 0, 0), 0);
	}
	remove_points();
	expect("!root/lib/a.so");
}

TEST("a broken record is refused, and nothing is removed")
{
	static const char *const texts[] = {
		"[]", "7", "{", "{\"root\":1}", "{\"root\":\"/\",\"paths\":{}}",
	};
	char why[WHY_SIZE], text[256];

	each_row(row, texts) {
		write_file("mpu-mount-points.json", *row);
		if (!oci_mount_points_remove(bundle, why))
			fail_msg("%s", *row);
	}
	write_file("mpu-mount-points.json", "{\"root\":\"/none\",\"paths\":[\"/a\"]}");
	remove_points();
	write_file("etc", "");
	snprintf(text, sizeof(text),
		 "{\"root\":\"%s\",\"paths\":[\"\",\"x\",1,null,\"/\",\"/..\",\"/../../etc\",\"/lib/..\"]}",
		 root);
	write_file("mpu-mount-points.json", text);
	assert_int_equal(oci_mount_points_remove(bundle, why), -EINVAL);
	expect("etc");
	expect("root/lib/old.so");
}
