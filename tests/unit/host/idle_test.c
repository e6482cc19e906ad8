// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of host/idle.c: since when processes have used no engine of their GPU.
 */
#include <sys/stat.h>

#include "host/internal.h"
#include "lib/clock.h"
#include "lib/host.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static char root[] = "/tmp/mpu-idle-XXXXXX", folder[64];
static const struct host_process process[] = {
	{ .pid = 100, .start = 1 }, { .pid = 101, .start = 2 }, { .pid = 102, .start = 3 }
};
static struct usage_process uses[4];
static struct usage usage;
static struct recent keeper, other;

static int before(void)
{
	size_t i;

	strcpy(strrchr(root, '-'), "-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	tree_path(root, "/run/mpu-metrics/idle");
	snprintf(folder, sizeof(folder), "%s/run/mpu-metrics", root);
	host_set_root(root);
	usage = (struct usage){
		.at_ms = 5000000, .n_gpus = 2, .processes = uses, .n_processes = 3,
		.gpus = { { .gpu = { .uuid = "GPU-a" }, .has_utilisation = true },
			  { .gpu = { .uuid = "GPU-b" }, .has_utilisation = true } },
	};
	for (i = 0; i < 4; i++)	/* the first is on both GPUs */
		uses[i] = (struct usage_process){ .gpu = i > 1, .process = &process[i % 2] };
	recent_free(&keeper);
	recent_free(&other);
	return 0;
}

static int after(void)
{
	host_set_root("");
	recent_free(&keeper);
	recent_free(&other);
	return tree_remove(root);
}

/* A reading so much later, and how long each process has been idle; -1: not known. */
static void reads(struct recent *idles, uint64_t later_ms, const int seconds[3])
{
	size_t i;

	usage.at_ms += later_ms;
	for (i = 0; i < 4; i++)
		uses[i].has_idle = false;
	idle_find(idles, &usage, idles == &keeper);
	for (i = 0; i < usage.n_processes; i++)
		assert_int_equal(uses[i].has_idle ? (int)(uses[i].idle_ms / 1000) : -1, seconds[i]);
	if (idles == &keeper)
		idle_write(&usage, folder);
}
#define READS(idles, later, a, b, c) reads(&(idles), later, (const int[]){ a, b, c })

TEST_EACH(before, after)

TEST("a process is idle from the first reading on, or from the last in which it used any engine")
{
	READS(keeper, 0, 0, 0, 0);
	READS(keeper, 10000, 10, 10, 10);
	uses[1].utilisation[RM_ENGINE_DECODER] = 1;
	READS(keeper, 10000, 20, 0, 20);
	uses[1].utilisation[RM_ENGINE_DECODER] = 0;
	READS(keeper, 7000, 27, 7, 27);
	/* A process that comes, and another that was not there for a while. */
	usage.n_processes = 2;
	READS(keeper, 10000, 37, 17, 0);
	READS(keeper, 10000, 47, 27, 0);
	usage.n_processes = 3;
	READS(keeper, 10000, 57, 37, 0);
}

TEST("others know it from the file, up to this moment, and a use that they see themselves")
{
	struct stat file;

	READS(other, 0, -1, -1, -1);
	assert_int_equal(usage.before_ms, 0);
	READS(keeper, 0, 0, 0, 0);
	assert_int_equal(stat(tree_path(root, "/run/mpu-metrics/idle"), &file), 0);
	assert_int_equal(file.st_mode & 0777, 0644);
	READS(other, 4000, 4, 4, 4);
	assert_int_equal(usage.at_ms - usage.before_ms, 4000);
	uses[0].utilisation[RM_ENGINE_SM] = 1;
	READS(other, 1000, 0, 5, 5);
	uses[0].utilisation[RM_ENGINE_SM] = 0;
	uses[1].process = &process[2];	/* new since the file was written */
	READS(other, 1000, 6, -1, 6);
	READS(other, 23000, 29, -1, 29);
	READS(other, 1000, -1, -1, -1);	/* its writer has ended, or hangs */
	/* One writes while another reads: later than that one's moment, not than now. */
	recent_free(&keeper);
	assert_int_equal(unlink(tree_path(root, "/run/mpu-metrics/idle")), 0);
	usage.at_ms = clock_ms();
	READS(keeper, 0, 0, 0, 0);
	READS(other, -50, 0, 0, 0);
}

TEST("a process that has the PID of another is idle from its own first reading on")
{
	static const struct host_process next = { .pid = 101, .start = 9 }, hidden = { .pid = 101 };

	READS(keeper, 0, 0, 0, 0);
	READS(keeper, 10000, 10, 10, 10);
	uses[1].process = &next;
	READS(other, 0, 10, -1, 10);
	READS(keeper, 10000, 20, 0, 20);
	READS(other, 1000, 21, 1, 21);
	uses[1].process = &hidden;
	READS(other, 0, 21, 1, 21);
}

TEST("of a GPU without samples it is not known")
{
	usage.gpus[1].has_utilisation = false;
	READS(keeper, 0, 0, 0, -1);
	READS(keeper, 10000, 10, 10, -1);
	READS(other, 0, 10, 10, -1);
}

TEST("a keeper that is started again goes on, and knows when the reading before was")
{
	READS(keeper, 0, 0, 0, 0);
	READS(keeper, 10000, 10, 10, 10);
	recent_free(&keeper);
	usage.before_ms = 0;
	READS(keeper, 12000, 22, 22, 22);
	assert_int_equal(usage.at_ms - usage.before_ms, 12000);
	/* Much later nobody has watched in between. */
	recent_free(&keeper);
	usage.before_ms = 0;
	READS(keeper, 31000, 0, 0, 0);
	assert_int_equal(usage.before_ms, 0);
}

TEST("a file that is no such file says nothing")
{
	static const char *const texts[] = { "", "x", "4999000", "4999000\nx y\n", "4999000\n0 0\n",
					     "99999999999999999999999\n1 2\n",
					     /* as versions wrote it that kept no start */
					     "4999000\n3e187f7e1428ca96 4999000\n" };

	each_row(text, texts) {
		tree_write(root, "/run/mpu-metrics/idle", *text, strlen(*text));
		READS(other, 0, -1, -1, -1);
	}
}
