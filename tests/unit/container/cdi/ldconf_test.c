// SPDX-License-Identifier: GPL-2.0-only
/*
 * ld.so.conf of images: which folders it names, and that none keeps the reader busy or
 * does anything by it.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "container/cdi/internal.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define CONF	"/etc/ld.so.conf"

static char root[] = "/tmp/mpu-ldconf-XXXXXX";

/* The code that an attacker has the reader run who has found a mistake in it. */
static bool is_taken_over;

int __real_fnmatch(const char *pattern, const char *name, int flags);
int __wrap_fnmatch(const char *pattern, const char *name, int flags);

int __wrap_fnmatch(const char *pattern, const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/taken-over", root);
	if (is_taken_over)
		close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	return __real_fnmatch(pattern, name, flags);
}

static void write_file(const char *path, const char *text)
{
	tree_write(root, path, text, strlen(text));
}

/* @folders, @missing: separated by blanks */
static void expect_missing(const char *folders, const char *missing)
{
	struct strv asked = { 0 }, found = { 0 };
	char text[256] = "";
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	size_t i;

	strv_split(&asked, folders, ' ');
	ldconf_filter(fd, CONF, &asked, &found);
	for (i = 0; i < found.n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
			 i ? " " : "", found.word[i]);
	assert_string_equal(text, missing);
	strv_free(&asked);
	strv_free(&found);
	close(fd);
}

static int set_up(void)
{
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return !mkdtemp(root);
}

static int tear_down(void)
{
	return tree_remove(root);
}

TEST_EACH(set_up, tear_down)

TEST("lines of ld.so.conf name folders, up to a blank or a comment")
{
	expect_missing("/a /b", "/a /b");
	write_file(CONF, "# /c\n\n  /a\t\r\n/b# of ours\n/d /e\nincluded /f\n/last");
	expect_missing("/a /b /c /d /e /f /last", "/c /e /f");
}

TEST("included files are read, by patterns and through links")
{
	write_file(CONF, "include ld.so.conf.d/*.conf /else/where.conf none/*.conf\n"
			 "include /etc/set[12] /etc/lin? # /etc/not\n");
	write_file("/etc/ld.so.conf.d/one.conf", "/one\ninclude more/*\n");
	write_file("/etc/ld.so.conf.d/one.txt", "/txt\n");
	write_file("/etc/ld.so.conf.d/.hidden.conf", "/hidden\n");
	write_file("/etc/ld.so.conf.d/more/two", "/two\n");
	write_file("/else/where.conf", "/where\n");
	write_file("/etc/set2", "/set2\n");
	write_file("/etc/set3", "/set3\n");
	write_file("/etc/not", "/not\n");
	write_file("/linked", "/linked\n");
	assert_int_equal(symlink("../../../linked", tree_path(root, "/etc/link")), 0);
	expect_missing("/one /txt /hidden /two /where /set2 /set3 /not /linked",
		       "/txt /hidden /set3 /not");
}

TEST("included folders and pipes say nothing, and do no harm")
{
	write_file(CONF, "include /etc/d/* /etc/gone/*\n/a\n");
	assert_int_equal(mkfifo(tree_path(root, "/etc/d/pipe"), 0600), 0);
	assert_int_equal(mkdir(tree_path(root, "/etc/d/folder"), 0700), 0);
	assert_int_equal(symlink("/etc/d", tree_path(root, "/etc/d/circle")), 0);
	expect_missing("/a /b", "/b");
}

/* Each of thirty files includes all of them, and so does what includes them. */
TEST("files that include each other do not keep the reader busy for ever")
{
	char path[64], text[128];
	int i;

	write_file(CONF, "include /etc/d/*.conf\n/a\n");
	for (i = 0; i < 30; i++) {
		snprintf(path, sizeof(path), "/etc/d/%d.conf", i);
		snprintf(text, sizeof(text), "include /etc/d/*.conf " CONF "\n/folder%d\n", i);
		write_file(path, text);
	}
	/* Much longer than it takes, and less than for ever. */
	alarm(60);
	expect_missing("/a /b /folder0 /folder29", "/b");
	alarm(0);
}

TEST("includes are followed to a limited depth")
{
	char path[64], text[64];
	int i;

	write_file(CONF, "include /etc/0\n");
	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "/etc/%d", i);
		snprintf(text, sizeof(text), "include /etc/%d\n/folder%d\n", i + 1, i);
		write_file(path, text);
	}
	expect_missing("/folder0 /folder5 /folder19", "/folder19");
}

TEST("a reader that runs code of an attacker cannot make a file")
{
	struct stat st;

	write_file(CONF, "/a\ninclude /etc/d/*.conf\n");
	write_file("/etc/d/b.conf", "/b\n");
	expect_missing("/a /b /c", "/c");
	is_taken_over = true;
	expect_missing("/b /c", "/b /c");
	is_taken_over = false;
	assert_int_equal(stat(tree_path(root, "/taken-over"), &st), -1);
}
