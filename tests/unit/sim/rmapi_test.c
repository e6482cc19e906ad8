// SPDX-License-Identifier: GPL-2.0-only
/*
 * The simulated RM's manners: who may ask what, how params travel, what is
 * freed when, and the controls that exist for tests.
 */
#include "tests/unit/sim/fixture.h"
#include "tests/unit/unit.h"

#define MIB (1ull << 20)
#define GET_PIDS 0x2080018d
#define GET_PIDS_SIZE 3812

static struct person one, two;

static int setup(void)
{
	one = (struct person){ .ns = NS_A,
			       .tgid.in = { [NS_INIT] = 2000, [NS_A] = 5 } };
	two = (struct person){ .ns = NS_B,
			       .tgid.in = { [NS_INIT] = 3000, [NS_B] = 5 } };
	one.tid = one.tgid;
	two.tid = two.tgid;
	fixture_open(SIM_OPEN, "580.142", 2);
	person_use(&one, 0, 10 * MIB);
	person_use(&two, 1, 20 * MIB);
	return 0;
}

static int teardown(void)
{
	bad_page = NULL;
	if (one.file.id)
		person_leave(&one);
	if (two.file.id)
		person_leave(&two);
	fixture_close();
	return 0;
}

TEST_WITH("a wrong question is refused, and its params stay as they are", setup, teardown)
{
	static u8 params[GET_PIDS_SIZE];
	struct person stranger = one;

	memset(params, 0xaa, sizeof(params));
	assert_wrong_size(rm_ask(&one, one.subdevice, GET_PIDS, params, sizeof(params) - 4));
	assert_ask(NV_ERR_NOT_SUPPORTED, &one, one.device, GET_PIDS, params, sizeof(params));
	assert_ask(NV_ERR_OBJECT_NOT_FOUND, &one, 0x77, GET_PIDS, params, sizeof(params));
	stranger.client = 0x77;
	assert_ask(NV_ERR_INVALID_CLIENT, &stranger, one.subdevice, GET_PIDS, params,
		   sizeof(params));
	assert_ask(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, GET_PIDS, NULL, 4);
	assert_ask(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, GET_PIDS, params, 0);
	assert_ask(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, GET_PIDS, params, (1 << 20) + 1);
	assert_ask(NV_ERR_NOT_SUPPORTED, &one, one.subdevice, 0x20801234, params, 4);
	/* whatever went wrong, nothing was written */
	assert_int_equal(params[0], 0xaa);
	assert_memory_equal(params, params + 1, sizeof(params) - 1);
}

TEST_WITH("an argument block of a wrong size, or device, is refused", setup, teardown)
{
	struct sim_file gpu0;
	u8 block[64] = { 0 };

	self = &one;
	assert_int_equal(sim_escape(fixture, &one.file, NV_ESC_RM_CONTROL, block, 31), -22);
	assert_int_equal(sim_escape(fixture, &one.file, NV_ESC_RM_ALLOC, block, 36), -22);
	assert_int_equal(sim_escape(fixture, &one.file, NV_ESC_RM_FREE, block, 32), -22);
	/* RM_CONTROL is for the control device */
	sim_open(fixture, &gpu0, 0);
	assert_int_equal(sim_escape(fixture, &gpu0, NV_ESC_RM_CONTROL, block, 32), -22);
	sim_close(fixture, &gpu0);
}

TEST_WITH("params that cannot be read or written are an error", setup, teardown)
{
	static _Alignas(4096) u8 pages[2 * 4096];
	u8 *params = pages + 4096 - 100;

	bad_page = pages + 4096;
	assert_ask(NV_ERR_INVALID_ADDRESS, &one, one.subdevice, GET_PIDS, params, GET_PIDS_SIZE);
	assert_ask(NV_OK, &one, 0, SIM_CTRL_ECHO, params, 100);
	assert_ask(NV_ERR_INVALID_ADDRESS, &one, 0, SIM_CTRL_ECHO, params, 101);
}

TEST_WITH("params are written even if the table behind them cannot be", setup, teardown)
{
	static _Alignas(4096) u8 pages[8 * 4096];
	u64 params[2] = { 512, (uintptr_t)pages };
	u32 handle;

	assert_new(NV_OK, &one, one.subdevice, NVENC_SW_SESSION, alloc_params, &handle);
	bad_page = pages + 4096;
	assert_ask(NV_ERR_INVALID_ADDRESS, &one, one.subdevice, 0x2080016e, params, 16);
	assert_int_equal(params[0], 1);
	params[0] = 512;
	bad_page = NULL;
	assert_ask(NV_OK, &one, one.subdevice, 0x2080016e, params, 16);
	assert_int_equal(params[0], 1);
}

TEST_WITH("the echo control inverts params of any size", setup, teardown)
{
	static const u32 sizes[] = { 1, 48, 3812, 9608, 14408, 16012, 55888 };
	static u8 params[55888];
	u32 k;

	each_row(row, sizes) {
		for (k = 0; k < *row; k++)
			params[k] = (u8)(k * 7);
		assert_ask(NV_OK, &one, 0, SIM_CTRL_ECHO, params, *row);
		for (k = 0; k < *row; k++)
			assert_int_equal(params[k], (u8)~(u8)(k * 7));
	}
}

TEST_WITH("an armed failure hits the next call of its client alone", setup, teardown)
{
	static u8 params[GET_PIDS_SIZE];
	u32 status = NV_ERR_INVALID_STATE;

	assert_ask(NV_OK, &one, 0, SIM_CTRL_FAIL, &status, 4);
	mpu_put32(params, 4, NV20_SUBDEVICE_0);
	mpu_put32(params, 8, 77);
	/* another client is not concerned */
	assert_ask(NV_OK, &two, two.subdevice, GET_PIDS, params, sizeof(params));
	assert_int_equal(mpu_get32(params, 8), 1);
	assert_ask(NV_ERR_INVALID_STATE, &one, one.subdevice, GET_PIDS, params, sizeof(params));
	assert_int_equal(mpu_get32(params, 12), 5);	/* two's answer */
	assert_ask(NV_OK, &one, one.subdevice, GET_PIDS, params, sizeof(params));
}

TEST_WITH("a table that is too large is refused, and params are written", setup, teardown)
{
	static u8 table[16];
	u64 params[2] = { 0x7fffffff, (uintptr_t)table };

	assert_ask(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, 0x2080016e, params, 16);
	assert_int_equal(params[0], 0x7fffffff);
	assert_int_equal(params[1], 0);
	assert_ask(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, 0x2080016e, params, 16);
	assert_int_equal(params[0], 0x7fffffff);
}

TEST_WITH("encoder and capture sessions without params are refused", setup, teardown)
{
	u32 handle;

	assert_new(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, NVENC_SW_SESSION, NULL, &handle);
	assert_new(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, NVFBC_SW_SESSION, NULL, &handle);
}

TEST_WITH("a call that sleeps does not hold the lock", setup, teardown)
{
	u32 ms = 1500;

	slept_locked = true;
	assert_ask(NV_OK, &one, 0, SIM_CTRL_SLEEP, &ms, 4);
	assert_int_equal(slept_ms, 1500);
	assert_false(slept_locked);
	assert_wrong_size(rm_ask(&one, 0, SIM_CTRL_SLEEP, &ms, 2));
}

TEST_WITH("wrong figures and patterns of utilisation are refused", setup, teardown)
{
	u32 util[6] = { 101 };
	u32 pattern = SIM_PATTERNS;

	assert_ask(NV_ERR_INVALID_ARGUMENT, &one, 0, SIM_CTRL_UTIL, util, 24);
	assert_wrong_size(rm_ask(&one, 0, SIM_CTRL_UTIL, util, 20));
	assert_ask(NV_ERR_INVALID_ARGUMENT, &one, one.subdevice, SIM_CTRL_PATTERN, &pattern, 4);
	assert_wrong_size(rm_ask(&one, one.subdevice, SIM_CTRL_PATTERN, &pattern, 2));
	pattern = SIM_IDLE;
	assert_ask(NV_ERR_INVALID_OBJECT_HANDLE, &one, 0, SIM_CTRL_PATTERN, &pattern, 4);
}

TEST_WITH("a descriptor that another process uses is still its opener's", setup, teardown)
{
	struct person child = one;
	static u32 params[GET_PIDS_SIZE / 4];

	child.tgid.in[NS_INIT] = 2001;
	child.tgid.in[NS_A] = 6;
	params[1] = NV20_SUBDEVICE_0;
	assert_ask(NV_OK, &child, one.subdevice, GET_PIDS, params, sizeof(params));
	assert_int_equal(params[2], 1);
	assert_int_equal(params[3], 5);
}

TEST_WITH("each GPU has its own processes and memory", setup, teardown)
{
	static u32 params[GET_PIDS_SIZE / 4];

	params[1] = NV20_SUBDEVICE_0;
	assert_ask(NV_OK, &two, two.subdevice, GET_PIDS, params, sizeof(params));
	assert_int_equal(params[2], 1);
	assert_int_equal(params[3], 5);
	assert_int_equal(fixture->gpu[0].used_bytes, 10 * MIB);
	assert_int_equal(fixture->gpu[1].used_bytes, 20 * MIB);
}

TEST_WITH("objects take a valid class and parent, and go with the parent", setup, teardown)
{
	u64 memory[16] = { 0 };
	u32 instance[16] = { 2 };
	u32 handle;

	assert_new(NV_ERR_INVALID_DEVICE, &one, one.client, NV01_DEVICE_0, instance, &handle);
	assert_new(NV_ERR_INVALID_OBJECT_PARENT, &one, one.client, NV20_SUBDEVICE_0, NULL, &handle);
	assert_new(NV_ERR_INVALID_OBJECT_PARENT, &one, 0x77, NV20_SUBDEVICE_0, NULL, &handle);
	assert_new(NV_ERR_INVALID_CLASS, &one, one.device, 0x1234, NULL, &handle);
	memory[8] = fixture->gpu[0].fb_bytes;
	assert_new(NV_ERR_NO_MEMORY, &one, one.device, NV01_MEMORY_LOCAL_USER, memory, &handle);
	assert_int_equal(rm_free_object(&one, 0x77), NV_ERR_OBJECT_NOT_FOUND);
	/* a device takes everything below it along */
	assert_int_equal(rm_free_object(&one, one.device), NV_OK);
	assert_int_equal(fixture->gpu[0].used_bytes, 0);
	assert_int_equal(rm_free_object(&one, one.subdevice), NV_ERR_OBJECT_NOT_FOUND);
	assert_int_equal(rm_free_object(&one, one.client), NV_OK);
	assert_int_equal(one.tgid.refs, 0);
	assert_int_equal(rm_free_object(&one, one.device), NV_ERR_INVALID_CLIENT);
}

TEST_WITH("objects and clients have a limit", setup, teardown)
{
	u32 status = NV_OK, n, handle;

	for (n = 0; !status && n <= SIM_OBJECTS; n++)
		status = rm_new(&one, one.device, NV20_SUBDEVICE_0, NULL, &handle);
	assert_int_equal(status, NV_ERR_INSUFFICIENT_RESOURCES);
	for (status = n = 0; !status && n <= SIM_CLIENTS; n++)
		status = rm_new_client(&two);
	assert_int_equal(status, NV_ERR_INSUFFICIENT_RESOURCES);
	assert_int_equal(n, SIM_CLIENTS - 2 + 1);
}

TEST("versions of drivers are read, and wrong ones refused")
{
	static const char *const bad[] = {
		"", "535", "535.", ".1.2", "535.1.2.3", "a.b", "535.1234",
		"535.54.03x", "535.54.100", "535 54",
	};
	struct sim_config config;

	assert_true(sim_parse_version(&config, "535.288.01"));
	assert_int_equal(config.version, MPU_DRIVER(535, 288, 1));
	assert_string_equal(config.version_text, "535.288.01");
	assert_true(sim_parse_version(&config, "565.77"));
	assert_int_equal(config.version, MPU_DRIVER(565, 77, 0));
	each_row(row, bad)
		assert_false(sim_parse_version(&config, *row));
}

/* _rmapiRmControl() compares sizes itself since 535.161.07 and 550.40.53. */
TEST_WITH("a wrong size is refused with the status of each driver version", setup, teardown)
{
	static const struct {
		const char *version;
		u32 status;
	} drivers[] = {
		{ "535.154.05", NV_ERR_INVALID_PARAM_STRUCT },
		{ "535.161.07", NV_ERR_INVALID_ARGUMENT },
		{ "545.29.06", NV_ERR_INVALID_PARAM_STRUCT },
		{ "550.40.07", NV_ERR_INVALID_PARAM_STRUCT },
		{ "550.40.53", NV_ERR_INVALID_ARGUMENT },
		{ "580.142", NV_ERR_INVALID_ARGUMENT },
	};
	static u8 params[GET_PIDS_SIZE];

	each_row(row, drivers) {
		assert_true(sim_parse_version(&fixture->config, row->version));
		assert_int_equal(rm_ask(&one, one.subdevice, GET_PIDS, params,
					sizeof(params) - 4), row->status);
	}
}
