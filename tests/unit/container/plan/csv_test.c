// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Tegra's lists of files: what is made of their lines, and of lines that are none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "container/plan/csv.h"
#include "container/request/mode.h"
#include "tests/unit/unit.h"

static char root[] = "/tmp/csv_test.XXXXXX";
static char lists[64];
static struct edits edits;
static char why[WHY_SIZE];

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int make_root(void)
{
	char path[128];

	if (!mkdtemp(root))
		return -1;
	snprintf(lists, sizeof(lists), "%s/lists", root);
	snprintf(path, sizeof(path), "%s/lib", root);
	if (mkdir(lists, 0755) || mkdir(path, 0755))
		return -1;
	write_file(root, "lib/libcuda.so.1.1", "x");
	write_file(root, "lib/libother.so", "x");
	snprintf(path, sizeof(path), "%s/lib/libcuda.so", root);
	if (symlink("libcuda.so.1.1", path))
		return -1;
	snprintf(path, sizeof(path), "%s/lib/nowhere", root);
	return symlink("none", path);
}

static int remove_root(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r '%s'", root);
	return system(command);
}

TEST_ALL(make_root, remove_root)

static const struct edit *find(enum edit_kind kind, const char *path)
{
	size_t i;

	for (i = 0; i < edits.n; i++)
		if (edits.edit[i].kind == kind && edits.edit[i].path &&
		    !strcmp(edits.edit[i].path, path))
			return &edits.edit[i];
	return NULL;
}

static void read_lists(bool all)
{
	const struct csv csv = {
		.folder = lists, .root = root, .all = all, .input = "NVIDIA_VISIBLE_DEVICES=all",
	};

	edits_free(&edits);
	assert_int_equal(csv_plan(&edits, &csv, why), 0);
}

TEST("each line of a list becomes a mount or a link")
{
	const struct edit *edit;
	char source[64];

	write_file(lists, "l4t.csv", "# what a container takes\n\nlib, /lib/libcuda*\n"
		   "  sym ,  /lib/libcuda.so  \nsym, /lib/nowhere\ndir, /lib\n");
	write_file(lists, "extra.csv", "lib, /lib/libother.so\n");
	write_file(lists, "note.txt", "lib, /lib/libother.so\n");
	read_lists(false);
	edit = find(EDIT_MOUNT, "/lib/libcuda.so.1.1");
	assert_non_null(edit);
	snprintf(source, sizeof(source), "%s/lib/libcuda.so.1.1", root);
	assert_string_equal(edit->source, source);
	assert_string_equal(edit->rule, "\"lib\" in l4t.csv");
	assert_true(strv_have(&edit->options, "ro"));
	edit = find(EDIT_LINK, "/lib/libcuda.so");
	assert_non_null(edit);
	assert_string_equal(edit->text, "libcuda.so.1.1");
	/* There is nothing to mount in place of a link that leads nowhere. */
	edit = find(EDIT_LINK, "/lib/nowhere");
	assert_non_null(edit);
	assert_null(edit->source);
	assert_non_null(find(EDIT_MOUNT, "/lib"));
	assert_null(find(EDIT_MOUNT, "/lib/libother.so"));
	assert_int_equal(edits.lacks.n, 0);
	assert_int_equal(edits.edit[edits.n - 1].kind, EDIT_ENV);
	read_lists(true);
	assert_non_null(find(EDIT_MOUNT, "/lib/libother.so"));
}

TEST("a dev line becomes a node; one that names no device is reported")
{
	const struct csv csv = { .folder = lists, .root = "" };
	const struct edit *edit;

	write_file(lists, "l4t.csv", "dev, /dev/null\ndev, /etc/passwd\n");
	edits_free(&edits);
	assert_int_equal(csv_plan(&edits, &csv, why), 0);
	edit = find(EDIT_NODE, "/dev/null");
	assert_non_null(edit);
	assert_int_equal(edit->node.major, 1);
	assert_int_equal(edit->node.minor, 3);
	assert_null(find(EDIT_NODE, "/etc/passwd"));
	assert_int_equal(edits.lacks.n, 1);
}

TEST("lines that are wrong, or name nothing, are reported")
{
	const struct csv none = { .folder = "/nowhere", .root = root };

	write_file(lists, "l4t.csv", "lib, /lib/none.so\nlib\nfile, /lib\nlib, lib\n"
		   "lib, /lib/../lib/libother.so\na, b, c\n");
	read_lists(false);
	assert_int_equal(edits.n, 1);
	assert_int_equal(edits.lacks.n, 6);
	assert_non_null(strstr(edits.lacks.word[0], "none.so: is not there"));
	assert_int_equal(csv_plan(&edits, &none, why), -ENOENT);
	assert_non_null(strstr(why, "/nowhere"));
	edits_free(&edits);
}

TEST("mode auto is csv on a machine with an integrated GPU")
{
	struct platform platform;

	platform_read(&platform, root);
	assert_false(platform.tegra_files);
	assert_false(platform.integrated_gpu);
	assert_string_equal(mode_resolve("auto", false, &platform, "native"),
			    "native");
	platform.integrated_gpu = true;
	assert_string_equal(mode_resolve("auto", false, &platform, "native"),
			    "csv");
	assert_int_equal(mode_find("csv"), MODE_CSV);
	assert_int_equal(mode_find("auto"), MODE_COUNT);
}
