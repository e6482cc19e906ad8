// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/request/selection.c: which names find which devices, in which order they are
 * tried, and the sentences of those that find none.
 */
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

static int make(const char *names, const char *config, const char *monitor, const char *imex,
		bool imex_made)
{
	struct strv list = { 0 }, of_imex = { 0 };
	struct wanted wanted = {
		.devices = &list, .mig_config = config, .mig_monitor = monitor, .imex = &of_imex,
		.imex_made = imex_made,
	};
	int ret;

	forget();
	strv_split(&list, names, ',');
	strv_split(&of_imex, imex ?: "", ',');
	ret = selection_make(&selection, &devices, NULL, &wanted, why);
	strv_free(&list);
	strv_free(&of_imex);
	return ret;
}

/* Writes "0 1w", indices of GPUs, "w": as a whole; then MIG devices, IMEX channels. */
static void tell(char found[256])
{
	size_t i;

	*found = '\0';
	for (i = 0; i < selection.n_gpus; i++)
		sprintf(found + strlen(found), "%zu%s ", (size_t)(selection.gpus[i].gpu - gpus),
			selection.gpus[i].whole ? "w" : "");
	for (i = 0; i < selection.n_migs; i++)
		sprintf(found + strlen(found), "m%zu ", (size_t)(selection.migs[i].mig - migs));
	for (i = 0; i < selection.n_imex; i++)
		sprintf(found + strlen(found), "imex%u ", selection.imex[i]);
	strcat(found, selection.config ? "config " : "");
	strcat(found, selection.monitor ? "monitor " : "");
}

static void check(const char *names, const char *config, const char *monitor, const char *imex,
		  const char *wanted)
{
	char found[256];

	if (make(names, config, monitor, imex, false))
		fail_msg("%s: %s", names, why);
	tell(found);
	assert_string_equal(found, wanted);
}

TEST("an index, UUID or PCI address finds its GPU or MIG device, a channel once")
{
	static const char *const rows[][2] = {
		{ "", "" }, { "0", "0w " }, { "00", "0w " }, { "gpu-AA", "0w " },
		{ "1", "2w " },		/* A UUID goes before an index. */
		{ "0:3b:00.0", "0w " }, { "00000000:3B:0.0", "0w " }, { "1FFFF:01:02.3", "1w " },
		{ "0:0", "0 m0 " }, { "mig-A", "0 m0 " }, { "MIG-GPU-aa/2/1", "0 m1 " },
		{ "0:01", "0 m1 " }, { "0:1,0", "0w m1 " }, { "0:1,0:0,0:1", "0 m1 m0 " },
		{ "2,All,nonsense", "2w 0w 1w m0 m1 " },
	};

	each_row(row, rows)
		check((*row)[0], NULL, NULL, NULL, (*row)[1]);
	check("0", "ALL", "", NULL, "0w config ");
	check("all", NULL, "all", NULL, "0w 1w 2w m0 m1 monitor ");
	check("", NULL, NULL, "7,0,7", "imex7 imex0 ");
}

TEST("a name that no device has is refused, as is what MIG cannot do")
{
	static const char *const none[] = {
		"3", "-1", "+1", "0x0", "1.0", "99999999999999999999", "none", "void",
		"3b:00.0", "0:3b:00", "0:3b:00.0.0", "0:3b:00.", ":3b:00.0", "0:3b:00.00000000000",
		"0:2", "1:0", "0:", ":0", "0:0:0", "0:-1", "nvidia.com/gpu=0",
	};
	static const struct {
		const char *names, *config, *monitor, *imex, *sentence;
	} rows[] = {
		{ "GPU-a", NULL, NULL, NULL, "device error: GPU-a: unknown device: the whole UUID is needed, as nvidia-smi -L prints it" },
		{ "\"all\"", NULL, NULL, NULL, "device error: \"all\": unknown device: the quotes are part of the name: leave them out" },
		{ "MIG-GPU-aa/2/0", NULL, NULL, NULL, "device error: MIG-GPU-aa/2/0: unknown device: " MIG_UUID_ADVICE },
		{ "MIG-x", NULL, NULL, NULL, "device error: MIG-x: unknown device: " MIG_UUID_ADVICE },
		{ "0", "0", NULL, NULL, "mig-config error: 0: only 'all' devices are currently supported" },
		{ "0:1", NULL, "all", NULL, "mig-monitor error: cannot enable mig-monitor with specific MIG devices selected" },
		{ "", NULL, NULL, "5", "device error: " },
		{ "", NULL, NULL, "x", "" },
	};
	char sentence[256];

	each_row(name, none) {
		snprintf(sentence, sizeof(sentence), "device error: %s: unknown device", *name);
		assert_int_equal(make(*name, NULL, NULL, NULL, false), -EINVAL);
		assert_string_equal(why, sentence);
	}
	each_row(row, rows) {
		assert_int_equal(make(row->names, row->config, row->monitor, row->imex, false),
				 -EINVAL);
		assert_memory_equal(why, row->sentence, strlen(row->sentence));
	}
}

TEST("a node of a channel can be made if the driver has channels")
{
	assert_int_equal(make("", NULL, NULL, "5", true), -EINVAL);
	devices.majors.imex = 242;
	assert_int_equal(make("", NULL, NULL, "5", true), 0);
	devices.majors.imex = 0;
	assert_int_equal(selection.n_imex, 1);
	assert_int_equal(selection.imex[0], 5);
}
