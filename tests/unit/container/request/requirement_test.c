// SPDX-License-Identifier: GPL-2.0-only
/*
 * container/request/requirement.c and nvidia/gpu_database.c: the language's edges, which sentence a
 * condition gets that is not met, and what is known of a machine.
 */
#include "container/request/internal.h"
#include "nvidia/internal.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static const struct requirement_facts facts = {
	.driver = "535.104.05", .cuda = "12.2", .arch = "9.0",
};
static char why[WHY_SIZE];

static void check(const char *expression, int wanted)
{
	int ret = requirement_check(expression, &facts, why);

	if (ret != wanted)
		fail_msg("%s: %d, not %d", expression, ret, wanted);
}

TEST("conditions are read as nvidia-container-cli reads them")
{
	static const char *const true_ones[] = {
		"", " ", ",", "  cuda>=12 ", ",cuda>=12,,", "cuda=12.2.0.0", "cuda=12..2",
		"cuda=12.2.", "cuda=012.02", "driver>=535.104.5", "cuda!=12.3", "cuda<=12.2",
		"cuda<12.2.0.1", "Driver<535.104.05.1", "cuda<99999999999999999999999999",
		"brand=tesla", "brand!=tesla", "brand<tesla",
		"cuda>=12 nonsense", "cuda>=99,nonsense cuda>=1",
	};
	static const char *const false_ones[] = {
		"cuda>12.2", "cuda!=12.2.0", "cuda<12.2", "cuda=12", "cuda>=12,cuda<12",
		"cuda>=99 cuda>=98", "cuda>=99 ,",
	};
	static const char *const wrong[] = {
		"cuda", "=", "cuda=", ">=12", "cuda==12", "cuda=>12", "cuda!12", "cuda<>12",
		"cuda>=12a", "cuda>=.5", "cuda>=v12", "cuda>=\t12", "\tcuda>=12", "x=1",
		"cuda>=99 nonsense", "nonsense cuda>=1", "cuda>=1,nonsense", "cuda>=12\n",
		"brand==tesla", "brand=<tesla",
	};

	each_row(text, true_ones)
		check(*text, 0);
	each_row(text, false_ones)
		check(*text, -ENOTSUP);
	each_row(text, wrong)
		check(*text, -EINVAL);
}

TEST("a version that is no number is not known")
{
	static const struct requirement_facts odd = { .driver = "535.104-rc1" };

	assert_int_equal(requirement_check("driver>=999", &odd, why), 0);
}

TEST("a condition that fails is reported with the facts of the machine")
{
	static const char machine[] = " (this machine: driver 535.104.05, cuda 12.2, arch 9.0, brand unknown; NVIDIA_DISABLE_REQUIRE=1 in the container skips this check)";
	char wanted[512], expression[20000];

	check("cuda>=12.4 driver>=600", -ENOTSUP);
	snprintf(wanted, sizeof(wanted), "requirement error: unsatisfied condition: cuda>=12.4, please update your driver to a newer version, or use an earlier cuda container%s",
		 machine);
	assert_string_equal(why, wanted);
	check("arch>=10,driver>1 cuda>=13", -ENOTSUP);
	snprintf(wanted, sizeof(wanted), "requirement error: unsatisfied condition: arch>=10,driver>1%s",
		 machine);
	assert_string_equal(why, wanted);
	check("nonsense", -EINVAL);
	assert_string_equal(why, "requirement error: invalid expression: nonsense");
	memset(expression, ',', sizeof(expression));
	expression[16 << 10] = '\0';
	check(expression, 0);
	expression[16 << 10] = ',';
	expression[sizeof(expression) - 1] = '\0';
	check(expression, -EINVAL);
}

static int check_machine(const struct strv *requirements, const struct selection *selection)
{
	static const struct installation machine = {
		.version = "535.104.05", .cuda = "12.2", .root = { .proc = "/nowhere" },
	};

	return requirement_check_all(requirements, &machine, selection, why);
}

TEST("all conditions must hold, and for each GPU")
{
	static struct gpu tesla = { .model = "Tesla V100-SXM2-16GB" };
	static struct gpu geforce = { .model = "NVIDIA GeForce RTX 3090" };
	struct chosen_gpu chosen[] = { { &tesla, true }, { &geforce, true } };
	struct selection selection = { .gpus = chosen, .n_gpus = 1 };
	struct strv requirements = { 0 };

	strv_add(&requirements, "cuda>=12.2");
	strv_add(&requirements, "brand=tesla");
	assert_int_equal(check_machine(&requirements, &selection), 0);
	/* Each GPU must do. */
	selection.n_gpus = 2;
	assert_int_equal(check_machine(&requirements, &selection), -ENOTSUP);
	assert_non_null(strstr(why, "unsatisfied condition: brand=tesla"));
	/* Conditions on a GPU hold without a GPU. */
	selection.n_gpus = 0;
	assert_int_equal(check_machine(&requirements, &selection), 0);
	strv_add(&requirements, "driver>=550");
	assert_int_equal(check_machine(&requirements, &selection), -ENOTSUP);
	strv_free(&requirements);
}

TEST("CUDA versions, brands and architectures are known")
{
	assert_string_equal(gpu_database_cuda(580), "13.0");
	assert_null(gpu_database_cuda(581));
	assert_string_equal(gpu_database_brand("NVIDIA GeForce RTX 4090"), "GeForce");
	assert_string_equal(gpu_database_brand("GeForce GTX 980"), "GeForce");
	assert_string_equal(gpu_database_brand("Quadro P2000"), "Quadro");
	assert_null(gpu_database_brand("Quadro RTX 6000"));
	assert_string_equal(gpu_database_brand("NVIDIA RTX A6000"), "NvidiaRTX");
	assert_null(gpu_database_brand("NVIDIA H200"));
	assert_null(gpu_database_brand(""));
	assert_string_equal(gpu_database_arch(0x2335), "9.0");	/* H200 */
	assert_string_equal(gpu_database_arch(0x20b0), "8.0");	/* A100 */
	assert_string_equal(gpu_database_arch(0x1eb8), "7.5");	/* T4 */
	assert_string_equal(gpu_database_arch(0x1db1), "7.0");	/* V100 */
	assert_string_equal(gpu_database_arch(0x2204), "8.6");	/* GeForce RTX 3090 */
	assert_string_equal(gpu_database_arch(0x2684), "8.9");	/* GeForce RTX 4090 */
	assert_string_equal(gpu_database_arch(0x2901), "10.0");	/* B200 */
	assert_string_equal(gpu_database_arch(0x2b85), "12.0");	/* GeForce RTX 5090 */
	assert_string_equal(gpu_database_arch(0x2e12), "12.1");	/* GB10 */
	assert_string_equal(gpu_database_arch(0x2f58), "12.0");	/* laptops' GPUs */
	assert_string_equal(gpu_database_arch(0x3182), "10.3");	/* B300 */
	assert_string_equal(gpu_database_arch(0x31c2), "10.3");	/* GB300 */
	assert_null(gpu_database_arch(0x3200));
}

TEST("a GPU's architecture is found by its PCI device id")
{
	struct gpu gpu = { .address = "0000:3b:00.0" };
	struct driver_root root = { .proc = "/tmp/facts-XXXXXX" };

	assert_non_null(mkdtemp(root.proc));
	assert_null(gpu_database_read_arch(&root, &gpu));
	tree_write(root.proc, "/sys/bus/pci/devices/0000:3b:00.0/device", "0x2335\n", 7);
	assert_string_equal(gpu_database_read_arch(&root, &gpu), "9.0");
	assert_int_equal(tree_remove(root.proc), 0);
}
