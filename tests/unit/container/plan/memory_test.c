// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits of GPU memory: what the two variables come to as lines of a cgroup's files, and
 * what refuses a container.
 */
#include "container/plan/plan.h"
#include "lib/host.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static struct gpu gpus[] = {
	{ .bus = 0x3b, .address = "0000:3b:00.0" },
	{ .domain = 0x10, .bus = 1, .slot = 2, .function = 3, .address = "0010:01:02.3" },
	{ .bus = 5, .address = "0000:05:00.0" },
};
static char root[] = "/tmp/memory_test.XXXXXX";
static char why[WHY_SIZE];

/* Return: as plan_memory(), of the GPUs whose bits are set in @chosen. @lines: the edits. */
static int plan(const char *request, const char *limit, unsigned int chosen, size_t n_migs,
		char lines[1024])
{
	struct chosen_gpu chosen_gpus[3];
	struct chosen_mig mig = { .gpu = gpus };
	struct selection selection = { .gpus = chosen_gpus, .migs = &mig, .n_migs = n_migs };
	struct edits edits = { 0 };
	struct gpu_memory memory;
	size_t i;
	int ret;

	for (i = 0; i < 3; i++)
		if (chosen & 1u << i)
			chosen_gpus[selection.n_gpus++].gpu = &gpus[i];
	why[0] = lines[0] = '\0';
	ret = gpu_memory_read(&memory, request, limit, why) ?:
	      plan_memory(&edits, &selection, &memory, why);
	for (i = 0; i < edits.n; i++) {
		assert_int_equal(edits.edit[i].kind, EDIT_CGROUP);
		sprintf(lines + strlen(lines), "%s %s;", edits.edit[i].path, edits.edit[i].text);
	}
	edits_free(&edits);
	return ret;
}

#define FIRST	"nvidia/0000:3b:00.0/vidmem"
#define SECOND	"nvidia/00000010:01:02.3/vidmem"
#define LINES(region, max, min) "dmem.max " region " " max ";dmem.min " region " " min ";"

TEST("limits become lines of each chosen GPU's region; what is no number, or cannot be set, is refused")
{
	static const struct {
		const char *request, *limit;
		unsigned int chosen;
		size_t n_migs;
		const char *lines, *says;	/* NULL: it is not refused */
	} cases[] = {
		{ NULL, NULL, 7, 0, "", NULL },
		{ NULL, "4096", 0, 0, "", NULL },
		{ NULL, "4096", 1, 0, LINES(FIRST, "4294967296", "4294967296"), NULL },
		{ "1", NULL, 1, 0, LINES(FIRST, "max", "1048576"), NULL },
		{ "0", "17592186044415", 1, 0, LINES(FIRST, "18446744073708503040", "0"), NULL },
		{ "1", "2", 3, 0, LINES(FIRST, "2097152", "1048576")
				  LINES(SECOND, "2097152", "1048576"), NULL },
		{ NULL, "", 1, 0, "", "NVIDIA_GPU_MEMORY_LIMIT: '' is not a number of MiB" },
		{ NULL, "4G", 1, 0, "", "'4G' is not a number of MiB: write 4096 for 4 GiB" },
		{ NULL, " 4", 1, 0, "", "' 4' is no" },
		{ NULL, "-1", 1, 0, "", "'-1' is no" },
		{ NULL, "17592186044416", 1, 0, "", "'17592186044416' is no" },
		{ NULL, "99999999999999999999", 1, 0, "", "is not a number of MiB" },
		{ "x", "4", 1, 0, "", "NVIDIA_GPU_MEMORY_REQUEST: 'x' is no" },
		{ "5", "4", 1, 0, "", "5 MiB are above the 4 MiB of NVIDIA_GPU_MEMORY_LIMIT" },
		{ NULL, "4", 1, 1, "", "a MIG device has its own memory" },
		{ NULL, "4", 4, 0, "", "dmem.capacity has no nvidia/0000:05:00.0/vidmem: to limit GPU memory takes driver 610" },
	};
	char lines[1024];

	each_row(row, cases) {
		int ret = plan(row->request, row->limit, row->chosen, row->n_migs, lines);

		if (!ret != !row->says || (ret && !strstr(why, row->says)))
			fail_msg("limit %s: %s", row->limit, why);
		assert_string_equal(lines, row->lines);
	}
	host_set_root("/tmp/no-such-folder");
	assert_int_equal(plan(NULL, "4", 1, 0, lines), -ENOENT);
	assert_non_null(strstr(why, "it takes Linux 6.14 with CONFIG_CGROUP_DMEM"));
	host_set_root(root);
}

/* A machine with regions of two GPUs, and of another driver's. */
static int make_root(void)
{
	static const char regions[] = "drm/0000:05:00.0/vram0 9\nnvidia/0000:05:00.0/other 9\n"
				      FIRST " 9\n" SECOND " 9\n";

	if (!mkdtemp(root))
		return -1;
	host_set_root(root);
	tree_write(root, "/sys/fs/cgroup/dmem.capacity", regions, strlen(regions));
	return 0;
}

static int remove_root(void)
{
	return tree_remove(root);
}

TEST_ALL(make_root, remove_root)
