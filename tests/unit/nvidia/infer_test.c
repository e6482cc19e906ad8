// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of what calibration concludes from observations. The expectations are written
 * out by hand, from what each regime is known to do, not from core/regimes.h.
 */
#include <ctype.h>

#include "nvidia/internal.h"
#include "tests/unit/unit.h"

/* Indices of mpu_control_names[], found by name. */
static u8 pids, pids_390, info, samples, accounts, record, encoders;

static u8 index_of(const char *name)
{
	u8 i;

	for (i = 0; i < MPU_CONTROLS; i++)
		if (!strcmp(mpu_control_names[i], name))
			return i;
	fail_msg("no control %s", name);
	return 0;
}

static int find_controls(void)
{
	pids = index_of("NV2080_CTRL_CMD_GPU_GET_PIDS");
	pids_390 = index_of("NV0080_CTRL_CMD_GPU_GET_PIDS");
	info = index_of("NV2080_CTRL_CMD_GPU_GET_PID_INFO");
	samples = index_of("NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2");
	accounts = index_of("NV0000_CTRL_CMD_GPUACCT_GET_ACCOUNTING_PIDS");
	record = index_of("NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO");
	encoders = index_of("NV2080_CTRL_GPU_GET_NVENC_SW_SESSION_INFO");
	return 0;
}

TEST_ALL(find_controls, NULL)

/*
 * struct answers - how one driver answers the insider, and its PID spaces then
 * @list, @input: AS_*
 * @with_pointer, @without_pointer: samples of others, while somebody is busy
 * @accounted:	numbers in the accounting list, then
 * @quiet, @busy: regimes left, as bits; and what say() says
 */
static const struct answers {
	const char *version;
	enum flavour flavour;
	u8 list, input;
	bool pointers;
	u32 with_pointer, without_pointer, accounted;
	u32 quiet;
	const char *said_quiet;
	u32 busy;
	const char *said_busy;
	bool tid;
} drivers[] = {
	{ "550.163.01", FLAVOUR_PROPRIETARY, AS_GLOBAL, AS_GLOBAL, false,
	  0, 3, 2, 1 << MPU_R0, "GGggg", 1 << MPU_R0, "GGGGg", false },
	/* the layout of 570, whose pointer it leaves zero */
	{ "595.58.03", FLAVOUR_PROPRIETARY, AS_GLOBAL, AS_GLOBAL, true,
	  0, 3, 2, 1 << MPU_R0, "GGggg", 1 << MPU_R0, "GGGGg", false },
	{ "535.104.12", FLAVOUR_OPEN, AS_GLOBAL, AS_GLOBAL, false,
	  0, 3, 2, 1 << MPU_R0, "GGggg", 1 << MPU_R0, "GGGGg", false },
	{ "550.163.01", FLAVOUR_OPEN, AS_TID, AS_GLOBAL, false,
	  0, 3, 2, 1 << MPU_R1, "LGggg", 1 << MPU_R1, "LGGGg", true },
	{ "565.77", FLAVOUR_OPEN, AS_TID, AS_TID, false,
	  0, 3, 2, 1 << MPU_R2, "LLggg", 1 << MPU_R2, "LLGGg", true },
	{ "570.133.07", FLAVOUR_OPEN, AS_TID, AS_TID, true,
	  3, 0, 0, 1 << MPU_R3_EARLY | 1 << MPU_R3, "LLmll", 1 << MPU_R3_EARLY, "LLMLl", true },
	{ "570.144", FLAVOUR_OPEN, AS_TID, AS_TID, true,
	  3, 0, 2, 1 << MPU_R3_EARLY | 1 << MPU_R3, "LLmgl", 1 << MPU_R3, "LLMGl", true },
	{ "580.159.04", FLAVOUR_OPEN, AS_TGID, AS_TGID, true,
	  3, 0, 2, 1 << MPU_R4, "LLmgl", 1 << MPU_R4, "LLMGl", false },
};

/* PID spaces of list, memory, samples, accounting list and record: capitals are measured. */
static const char *say(const struct calibration *c)
{
	const u8 asked[] = { pids, info, samples, accounts, record };
	static char text[sizeof(asked) + 1];
	size_t i;

	for (i = 0; i < sizeof(asked); i++)
		text[i] = (c->control[asked[i]].measured ? "GLM" : "glm")[c->control[asked[i]].pid_space];
	return text;
}

static struct calibration look_at(const struct answers *driver, bool busy)
{
	struct calibration c = { 0 };
	struct observations *seen = &c.seen;

	c.driver.flavour = driver->flavour;
	snprintf(c.driver.version, sizeof(c.driver.version), "%s", driver->version);
	seen->list = (struct observation){ true, pids, driver->list };
	seen->input = (struct observation){ true, info, driver->input };
	seen->samples = (struct observation){ true, samples, 0 };
	seen->pointers = driver->pointers;
	seen->has_symbol = -1;
	if (busy) {
		seen->others_with_pointer = driver->with_pointer;
		seen->others_without_pointer = driver->without_pointer;
		seen->accounts = (struct observation){ true, accounts, 0 };
		seen->accounted = driver->accounted;
		seen->accounted_outside = true;
	}
	return c;
}

static void expect(struct calibration *c, u32 possible, const char *said, bool tid)
{
	infer_pid_space(c);
	assert_int_equal(c->possible, possible);
	assert_string_equal(say(c), said);
	assert_int_equal(c->control[encoders].pid_space, MPU_PIDS_GLOBAL);
	assert_int_equal(c->tid, tid);
}

TEST("the regimes that fit a driver are found, idle or busy")
{
	each_row(row, drivers) {
		struct calibration quiet = look_at(row, false), busy = look_at(row, true);

		expect(&quiet, row->quiet, row->said_quiet, row->tid);
		assert_false(infer_contradicts_version(&quiet));
		assert_false(quiet.control[pids_390].measured);
		expect(&busy, row->busy, row->said_busy, row->tid);
		assert_false(infer_contradicts_version(&busy));
	}
}

/* Each driver is tried under the version of every other. */
TEST("measurements go before a version that says something else")
{
	each_row(row, drivers)
		each_row(it, drivers) {
			struct calibration c = look_at(row, true);

			c.driver.flavour = it->flavour;
			snprintf(c.driver.version, sizeof(c.driver.version), "%s", it->version);
			expect(&c, row->busy, row->said_busy, row->tid);
			assert_int_equal(infer_contradicts_version(&c), row->busy != it->busy);
			assert_int_equal("gl"[c.control[info].looked_up], tolower(it->said_busy[1]));
			assert_int_equal("gl"[c.control[record].looked_up], it->said_busy[4]);
		}
}

TEST("the version decides if nothing was measured")
{
	each_row(row, drivers) {
		struct calibration c = look_at(row, false);
		char said[6];
		size_t i;

		memset(&c.seen, 0, sizeof(c.seen));
		c.seen.has_symbol = -1;
		for (i = 0; i < sizeof(said); i++)
			said[i] = (char)tolower(row->said_quiet[i]);
		infer_pid_space(&c);
		assert_int_equal(c.possible, REGIMES_ALL);
		assert_string_equal(say(&c), said);
	}
}

TEST("PIDs count as global if nothing is known, which hides all")
{
	struct calibration c = { .seen.has_symbol = -1 };
	u32 i;

	infer_pid_space(&c);
	assert_int_equal(c.looked_up, MPU_REGIMES);
	assert_false(infer_contradicts_version(&c));
	for (i = 0; i < MPU_CONTROLS; i++) {
		assert_int_equal(c.control[i].pid_space, MPU_PIDS_GLOBAL);
		assert_int_equal(c.control[i].looked_up, MPU_PIDS_GLOBAL);
		assert_false(c.control[i].measured);
	}
}

/*
 * The list alone says R1 or R2: the version decides if it is one of them; else
 * PIDs are taken for global.
 */
TEST("the version decides between R1 and R2 if memory was not measured")
{
	struct calibration c = look_at(&drivers[3], false);
	u32 left = 1 << MPU_R1 | 1 << MPU_R2;

	c.seen.input.answered = false;
	c.seen.input.found_as = 0;
	expect(&c, left, "Lgggg", true);
	strcpy(c.driver.version, "565.57.01");
	expect(&c, left, "Llggg", true);
	strcpy(c.driver.version, "580.65.06");
	infer_pid_space(&c);
	assert_true(infer_contradicts_version(&c));
	assert_int_equal(say(&c)[1], 'g');
}

TEST("the kernel's symbols tell R2 from R3 if samples are refused")
{
	struct calibration c = look_at(&drivers[4], false);

	c.driver.version[0] = '\0';
	c.seen.samples.answered = false;
	c.seen.has_symbol = 0;
	infer_pid_space(&c);
	assert_int_equal(c.possible, 1 << MPU_R2);
	c.seen.has_symbol = 1;
	infer_pid_space(&c);
	assert_int_equal(c.possible, 1 << MPU_R3_EARLY | 1 << MPU_R3);
	/* the driver's answers go first */
	c.seen.samples.answered = true;
	infer_pid_space(&c);
	assert_int_equal(c.possible, 1 << MPU_R2);
}

TEST("an answer with both PIDs of a process, or none, does not count")
{
	struct calibration c = look_at(&drivers[7], false);

	c.seen.list.found_as = AS_TGID | AS_GLOBAL;
	c.seen.input.found_as = 0;
	infer_pid_space(&c);
	assert_string_equal(say(&c), "llmgl");
	assert_false(c.tid);
}

TEST("measurements of an unknown driver hold; the version says the rest")
{
	struct calibration c = look_at(&drivers[7], true);

	c.seen.input.found_as = AS_GLOBAL;
	infer_pid_space(&c);
	assert_int_equal(c.possible, 0);
	assert_true(infer_contradicts_version(&c));
	assert_memory_equal(say(&c), "LG", 2);
	assert_int_equal(say(&c)[4], 'l');
	c.driver.version[0] = '\0';
	infer_pid_space(&c);
	assert_int_equal(say(&c)[4], 'g');
}

/* The accounting list is empty, because accounting is off. */
TEST("an empty accounting list does not count as measured")
{
	struct calibration c = look_at(&drivers[5], true);

	c.seen.accounted_outside = false;
	infer_pid_space(&c);
	assert_false(c.control[accounts].measured);
	/* and one of a driver that never leaves anybody out */
	c = look_at(&drivers[7], true);
	c.seen.accounted = 0;
	expect(&c, 1 << MPU_R4, "LLMgl", false);
}

TEST("each version of a driver has its regime")
{
	static const struct {
		const char *version;
		enum flavour flavour;
		enum mpu_regime regime;
	} known[] = {
		{ "515.43.04", FLAVOUR_OPEN, MPU_R0 },
		{ "535.43.23", FLAVOUR_OPEN, MPU_R0 },
		{ "535.43.24", FLAVOUR_OPEN, MPU_R1 },
		{ "535.43.28", FLAVOUR_OPEN, MPU_R1 },
		{ "535.54.03", FLAVOUR_OPEN, MPU_R0 },
		{ "535.104.12", FLAVOUR_OPEN, MPU_R0 },
		{ "535.113.01", FLAVOUR_OPEN, MPU_R1 },
		{ "535.288.01", FLAVOUR_OPEN, MPU_R1 },
		{ "545.23.06", FLAVOUR_OPEN, MPU_R1 },
		{ "550.163.01", FLAVOUR_OPEN, MPU_R1 },
		{ "560.35.03", FLAVOUR_OPEN, MPU_R1 },
		{ "565.57.01", FLAVOUR_OPEN, MPU_R2 },
		{ "565.77", FLAVOUR_OPEN, MPU_R2 },
		{ "570.86.15", FLAVOUR_OPEN, MPU_R3_EARLY },
		{ "570.123.10", FLAVOUR_OPEN, MPU_R3_EARLY },
		{ "570.123.11", FLAVOUR_OPEN, MPU_R3 },
		{ "570.123.19", FLAVOUR_OPEN, MPU_R3 },
		{ "570.124.04", FLAVOUR_OPEN, MPU_R3_EARLY },
		{ "570.133.07", FLAVOUR_OPEN, MPU_R3_EARLY },
		{ "570.133.20", FLAVOUR_OPEN, MPU_R3 },
		{ "570.144", FLAVOUR_OPEN, MPU_R3 },
		{ "570.148.08", FLAVOUR_OPEN, MPU_R4 },
		{ "575.51.02", FLAVOUR_OPEN, MPU_R3 },
		{ "575.51.03", FLAVOUR_OPEN, MPU_R3 },
		{ "575.57.08", FLAVOUR_OPEN, MPU_R4 },
		{ "580.65.06", FLAVOUR_OPEN, MPU_R4 },
		{ "595.45.04", FLAVOUR_OPEN, MPU_R4 },
		{ "390.157", FLAVOUR_PROPRIETARY, MPU_R0 },
		{ "595.99.02", FLAVOUR_PROPRIETARY, MPU_R0 },
		{ "580.65.06", FLAVOUR_UNKNOWN, MPU_REGIMES },
		{ "510.39.01", FLAVOUR_OPEN, MPU_REGIMES },
		{ "", FLAVOUR_OPEN, MPU_REGIMES },
		{ "580", FLAVOUR_OPEN, MPU_REGIMES },
		{ "of unknown version", FLAVOUR_OPEN, MPU_REGIMES },
		{ "99999999999.1", FLAVOUR_OPEN, MPU_REGIMES },
	};
	struct driver driver;

	each_row(row, known) {
		driver.flavour = row->flavour;
		strcpy(driver.version, row->version);
		if (infer_regime_by_version(&driver) != row->regime)
			fail_msg("version %s", row->version);
	}
}
