// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of lib/host.c, on the system's files below a root of the test's own.
 */
#include <sched.h>

#include "lib/host.h"
#include "lib/process.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static char root[] = "/tmp/mpu-host-XXXXXX";

TEST("CPUs are counted up to the highest number, missing ones included")
{
	static const struct {
		const char *possible;
		unsigned int cpus;
	} hosts[] = {
		{ "0\n", 1 }, { "0-1\n", 2 }, { "0-255\n", 256 },
		{ "0-3,8-11\n", 12 }, { "0,2,4,6\n", 7 }, { "\n", 0 },
	};

	assert_int_equal(host_cpus(), 0);	/* no such file */
	each_row(row, hosts) {
		tree_write(root, "/sys/devices/system/cpu/possible", row->possible,
			   strlen(row->possible));
		assert_int_equal(host_cpus(), row->cpus);
	}
}

/* Runs in a child, for which that cannot be undone. */
static int unshare_users(void *unused)
{
	uid_t uid = getuid();
	FILE *map;

	if (unshare(CLONE_NEWUSER))
		return -77;
	map = fopen("/proc/self/uid_map", "w");
	if (!map || fprintf(map, "0 %u 1\n", uid) < 0 || fclose(map))
		return -99;
	return !host_has_user_namespace();
}

TEST("a process knows whether it is in a user namespace of its own")
{
	char name[64] = "";
	int ret;

	assert_true(readlink("/proc/self/ns/user", name, sizeof(name) - 1) > 0);
	/* PROC_USER_INIT_INO, include/linux/proc_ns.h */
	assert_int_equal(host_has_user_namespace(), strcmp(name, "user:[4026531837]") != 0);
	ret = process_try(unshare_users, NULL);
	if (ret == -77)
		skip();
	assert_int_equal(ret, 0);
}

static int remove_root(void)
{
	return tree_remove(root);
}

TEST_ALL(NULL, remove_root)

int main(void)
{
	if (!mkdtemp(root))
		return 1;
	host_set_root(root);
	return unit_run();
}
