// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host made of files: see fixture.h.
 */
#include "lib/host.h"
#include "tests/unit/host/fixture.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static char root[] = "/tmp/host_fixture.XXXXXX";

void add_file(const char *path, const void *text, size_t size)
{
	tree_write(root, path, text, size);
}

void add_text(const char *path, const char *text)
{
	add_file(path, text, strlen(text));
}

void add_process(int pid, int own_pid, unsigned int uid, const char *cgroups)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	snprintf(text, sizeof(text),
		 "%d (a) (b) S 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 150 9999 88\n", pid);
	add_text(path, text);
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (own_pid == pid)
		snprintf(text, sizeof(text), "Name:\ta\nUid:\t1\t%u\t1\t1\nNStgid:\t%d\nX:\t9\n",
			 uid, pid);
	else
		snprintf(text, sizeof(text),
			 "Name:\ta\nUid:\t1\t%u\t1\t1\nNStgid:\t%d\t77\t%d\nX:\t9\n",
			 uid, pid, own_pid);
	add_text(path, text);
	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	add_file(path, "python3\0train.py\0--x", 21);
	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	add_text(path, cgroups);
}

int make_host(void)
{
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	assert_non_null(mkdtemp(root));
	host_set_root(root);
	add_text("/proc/stat", "cpu 1 2 3\nintr 1 2\nbtime 1700000000\nprocesses 9\n");
	add_text("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nbroken\n"
		 "ann:x:1000:1000::/home/ann:/bin/sh\n");
	return 0;
}

int drop_host(void)
{
	host_set_root("");
	return tree_remove(root);
}

void give_away(const char *path)
{
	assert_int_equal(chown(tree_path(root, path), 1000, 1000), 0);
}

void end_process(int pid)
{
	char from[128], to[128];

	snprintf(from, sizeof(from), "%s/proc/%d", root, pid);
	snprintf(to, sizeof(to), "%s/proc/old.%d", root, pid);
	assert_int_equal(rename(from, to), 0);
}
