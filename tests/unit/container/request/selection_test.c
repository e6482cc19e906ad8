// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/request/selection.c: which names find which devices, in which order they are
 * tried, and the sentences of those that find none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/request/request.h"
#include "tests/unit/unit.h"

static struct mig migs[] = {
	{ .uuid = "MIG-a" }, { .gpu_instance = 2, .compute_instance = 1 },
};
static struct gpu gpus[] = {
	{ .domain = 0, .bus = 0x3b, .uuid = "GPU-aa", .migs = migs, .n_migs = 2 },
	{ .domain = 0x1ffff, .bus = 1, .slot = 2, .function = 3, .uuid = "" },
	{ .domain = 0, .bus = 4, .uuid = "1" },
};
static uint32_t channels[] = { 0, 7 };
static struct devices devices = {
	.gpus = gpus, .n_gpus = 3, .imex = channels, .n_imex = 2,
};
static struct selection selection;
static char why[WHY_SIZE];

static int forget(void)
{
	selection_free(&selection);
	return 0;
}

TEST_EACH(NULL, forget)

static int make(const char *names, const char *config, const char *monitor, const char *imex)
{
	struct strv list = { 0 }, of_imex = { 0 };
	struct wanted wanted = {
		.devices = &list, .mig_config = config, .mig_monitor = monitor, .imex = &of_imex,
	};
	int ret;

	forget();
	strv_split(&list, names, ',');
	strv_split(&of_imex, imex, ',');
	ret = selection_make(&selection, &devices, NULL, &wanted, why);
	strv_free(&list);
	strv_free(&of_imex);
	return ret;
}

/* @wanted: "0 1w": indices of GPUs, "w": chosen as a whole; then of MIG devices. */
static void check(const char *names, const char *wanted)
{
	char found[256] = "";
	size_t i;

	if (make(names, NULL, NULL, ""))
		fail_msg("%s: %s", names, why);
	for (i = 0; i < selection.n_gpus; i++)
		sprintf(found + strlen(found), "%zu%s ", (size_t)(selection.gpus[i].gpu - gpus),
			selection.gpus[i].whole ? "w" : "");
	for (i = 0; i < selection.n_migs; i++)
		sprintf(found + strlen(found), "m%zu ", (size_t)(selection.migs[i].mig - migs));
	if (strcmp(found, wanted) != 0)
		fail_msg("%s: '%s', not '%s'", names, found, wanted);
}

static void check_refused(const char *names, const char *sentence)
{
	assert_int_equal(make(names, NULL, NULL, ""), -EINVAL);
	if (strcmp(why, sentence) != 0)
		fail_msg("%s: %s, not %s", names, why, sentence);
}

TEST("an index, UUID or PCI address finds its GPU or MIG device")
{
	check("", "");
	check("0", "0w ");
	check("00", "0w ");
	/* A UUID goes before an index. */
	check("1", "2w ");
	check("gpu-AA", "0w ");
	check("0:3b:00.0", "0w ");
	check("00000000:3B:0.0", "0w ");
	check("1FFFF:01:02.3", "1w ");
	check("0:0", "0 m0 ");
	check("mig-A", "0 m0 ");
	check("MIG-GPU-aa/2/1", "0 m1 ");
	check("0:01", "0 m1 ");
	check("0:1,0", "0w m1 ");
	check("0:1,0:0,0:1", "0 m1 m0 ");
	check("2,All,nonsense", "2w 0w 1w m0 m1 ");
}

TEST("a name that no device has is refused")
{
	static const char *const none[] = {
		"3", "-1", "+1", "0x0", "1.0", "99999999999999999999", "none", "void",
		"3b:00.0", "0:3b:00", "0:3b:00.0.0", "0:3b:00.", ":3b:00.0", "0:3b:00.00000000000",
		"0:2", "1:0", "0:", ":0", "0:0:0", "0:-1", "nvidia.com/gpu=0",
	};
	char sentence[256];
	size_t i;

	for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
		snprintf(sentence, sizeof(sentence), "device error: %s: unknown device", none[i]);
		check_refused(none[i], sentence);
	}
	check_refused("GPU-a", "device error: GPU-a: unknown device: the whole UUID is needed, as nvidia-smi -L prints it");
	check_refused("\"all\"", "device error: \"all\": unknown device: the quotes are part of the name: leave them out");
	check_refused("MIG-GPU-aa/2/0",
		      "device error: MIG-GPU-aa/2/0: unknown device: " MIG_UUID_ADVICE);
	check_refused("MIG-x", "device error: MIG-x: unknown device: " MIG_UUID_ADVICE);
}

TEST("MIG configuration is for all devices, MIG monitoring for whole GPUs")
{
	assert_int_equal(make("0", "ALL", "", ""), 0);
	assert_true(selection.config);
	assert_false(selection.monitor);
	assert_int_equal(make("all", NULL, "all", ""), 0);
	assert_true(selection.monitor);
	assert_int_equal(make("0", "0", NULL, ""), -EINVAL);
	assert_string_equal(why, "mig-config error: 0: only 'all' devices are currently supported");
	assert_int_equal(make("0:1", NULL, "all", ""), -EINVAL);
	assert_non_null(strstr(why, "mig-monitor error: cannot enable mig-monitor with specific MIG devices selected"));
}

TEST("each IMEX channel is chosen once, and unknown ones are refused")
{
	assert_int_equal(make("", NULL, NULL, "7,0,7"), 0);
	assert_int_equal(selection.n_imex, 2);
	assert_int_equal(selection.imex[0], 7);
	assert_int_equal(selection.imex[1], 0);
	assert_int_equal(make("", NULL, NULL, "5"), -EINVAL);
	assert_int_equal(strncmp(why, "device error: ", 14), 0);
	assert_int_equal(make("", NULL, NULL, "x"), -EINVAL);
}

TEST("a node of a channel can be made if the driver has channels")
{
	struct strv none = { 0 }, imex = { 0 };
	const struct wanted wanted = {
		.devices = &none, .imex = &imex, .imex_made = true,
	};

	strv_split(&imex, "5", ',');
	assert_int_equal(selection_make(&selection, &devices, NULL, &wanted, why), -EINVAL);
	selection_free(&selection);
	devices.majors.imex = 242;
	assert_int_equal(selection_make(&selection, &devices, NULL, &wanted, why), 0);
	devices.majors.imex = 0;
	assert_int_equal(selection.n_imex, 1);
	assert_int_equal(selection.imex[0], 5);
	strv_free(&imex);
}
