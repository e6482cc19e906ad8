// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of nvidia/state.c: the page of each driver that has one, whole, old, half written,
 * and of another layout than it is taken for.
 */
#include "nvidia/internal.h"
#include "tests/unit/unit.h"

#define NOW	1795659398000000000ull	/* ns */

static _Alignas(8) u8 page[MPU_PAGE_SIZE];
static const u64 never[MPU_PAGE_PARTS];

/* Writes a number into each part, where cl00de.h has it. */
static void write_page(const struct mpu_page_layout *l)
{
	u32 i;

	memset(page, 0, sizeof(page));
	for (i = 0; i < MPU_PAGE_PARTS; i++)
		if (l->part[i])
			mpu_put64(page, l->part[i], NOW + i * 1000000);
	mpu_put32(page, l->part[MPU_PAGE_CLOCKS] + 8, 1000);	/* graphics */
	mpu_put32(page, l->part[MPU_PAGE_CLOCKS] + 8 + l->clock, 2619);
	mpu_put32(page, l->part[MPU_PAGE_CLOCKS] + 8 + 3 * l->clock, 1980);
	mpu_put32(page, l->part[MPU_PAGE_THROTTLE] + 8, 0x24);
	mpu_put64(page, l->part[MPU_PAGE_ECC] + 8, 1);		/* volatile */
	mpu_put64(page, l->part[MPU_PAGE_ECC] + 16, 11);
	mpu_put64(page, l->part[MPU_PAGE_ECC] + 32, 12);
	mpu_put32(page, l->part[MPU_PAGE_PSTATE] + 8, 1 << 2);
	mpu_put32(page, l->part[MPU_PAGE_POWER_LIMIT] + 8, 650000);	/* requested */
	mpu_put32(page, l->part[MPU_PAGE_POWER_LIMIT] + 12, 700000);
	mpu_put32(page, l->part[MPU_PAGE_TEMPERATURE] + 8, 41 << 8 | 0x90);
	mpu_put32(page, l->part[MPU_PAGE_MEMORY_TEMPERATURE] + l->warm, 50 << 8);
	mpu_put32(page, l->part[MPU_PAGE_ROWS] + 28, 3);
	mpu_put32(page, l->part[MPU_PAGE_ROWS] + 32, 4);
	page[l->part[MPU_PAGE_ROWS] + l->pending] = 1;
	mpu_put32(page, l->part[MPU_PAGE_POWER] + 8, 71203);
	mpu_put32(page, l->part[MPU_PAGE_POWER_NOW] + 8, 68000);
	if (l->part[MPU_PAGE_FAN])
		mpu_put32(page, l->part[MPU_PAGE_FAN] + 12, 1200);
}

TEST("the page of each branch is read by its layout")
{
	static const struct { u32 branch, n, size; } drivers[] = {
		{ 545, 0, 304 }, { 550, 0, 320 }, { 550, 1, 304 }, { 555, 0, 368 },
		{ 560, 0, 392 }, { 565, 0, 448 }, { 570, 0, 464 }, { 575, 0, 2464 },
		{ 580, 0, 2608 }, { 580, 1, 2600 }, { 590, 0, 3144 }, { 595, 0, 3144 },
		{ 610, 0, 3184 }, { 615, 0, 3184 },
	};
	static const u64 want[GPU_VALUES] = {
		[GPU_TEMPERATURE] = 42, [GPU_MEMORY_TEMPERATURE] = 50, [GPU_POWER] = 71203,
		[GPU_POWER_LIMIT] = 700000, [GPU_SM_CLOCK] = 1980, [GPU_MEMORY_CLOCK] = 2619,
		[GPU_PSTATE] = 2, [GPU_THROTTLE] = 0x24, [GPU_ECC_CORRECTED] = 11,
		[GPU_ECC_UNCORRECTED] = 12, [GPU_ROWS_CORRECTABLE] = 3,
		[GPU_ROWS_UNCORRECTABLE] = 4, [GPU_ROWS_PENDING] = 1, [GPU_ROWS_FAILED] = 0,
	};
	u32 value;

	each_row(row, drivers) {
		const struct mpu_page_layout *l = mpu_page_layout(row->branch, row->n);
		struct gpu_state state = { 0 };

		assert_non_null(l);
		assert_int_equal(l->size, row->size);
		write_page(l);
		assert_true(gpu_state_read_page(&state, l, page, never));
		for (value = 0; value < GPU_VALUES; value++) {
			assert_true(!want[value] || gpu_state_has(&state, value));
			if (value != GPU_FAN)
				assert_int_equal(state.value[value], want[value]);
		}
		assert_int_equal(gpu_state_has(&state, GPU_FAN), !!l->part[MPU_PAGE_FAN]);
		assert_int_equal(state.value[GPU_FAN], l->part[MPU_PAGE_FAN] ? 1200 : 0);
	}
	assert_null(mpu_page_layout(535, 0));
	assert_null(mpu_page_layout(580, 2));
	assert_null(mpu_page_layout(700, 0));
}

TEST("old parts, and those that are being written, say nothing")
{
	const struct mpu_page_layout *l = mpu_page_layout(580, 0);
	struct gpu_state state = { 0 };
	u64 before[MPU_PAGE_PARTS];
	u32 i;

	write_page(l);
	for (i = 0; i < MPU_PAGE_PARTS; i++)
		before[i] = mpu_get64(page, l->part[i]);
	assert_false(gpu_state_read_page(&state, l, page, before));
	assert_int_equal(state.known, 0);
	mpu_put64(page, l->part[MPU_PAGE_PSTATE], ~0ull);
	mpu_put64(page, l->part[MPU_PAGE_POWER_LIMIT], NOW + 100000000);
	assert_false(gpu_state_read_page(&state, l, page, before));
	assert_int_equal(state.known, 1 << GPU_POWER_LIMIT);
}

/* A GPU says 0 of what it does not have; the power of this moment stands for the mean. */
TEST("a figure of 0 counts as unknown, or another one replaces it")
{
	const struct mpu_page_layout *l = mpu_page_layout(595, 0);
	struct gpu_state state = { 0 };

	write_page(l);
	mpu_put32(page, l->part[MPU_PAGE_MEMORY_TEMPERATURE] + 8, 0);
	mpu_put32(page, l->part[MPU_PAGE_FAN] + 12, 0);
	mpu_put32(page, l->part[MPU_PAGE_POWER] + 8, 0);
	mpu_put32(page, l->part[MPU_PAGE_CLOCKS] + 8 + 3 * l->clock, 0);
	assert_true(gpu_state_read_page(&state, l, page, never));
	assert_false(gpu_state_has(&state, GPU_MEMORY_TEMPERATURE));
	assert_false(gpu_state_has(&state, GPU_FAN));
	assert_int_equal(state.value[GPU_POWER], 68000);
	assert_int_equal(state.value[GPU_SM_CLOCK], 1000);	/* the graphics clock */
}

TEST("energy is taken where power, current and voltage stand beside it")
{
	/* An H200 answered this: the energy is NVML's of the same moment, 22,626,451 mJ. */
	static const u32 h200[17] = { 0xff, 1, 0x1f142, 0x303, 0x1f285, 0x40d8, 0x754f40, 0x15952c5,
				      0, 0x1f142, 0x40ae, 0x754f40, 0x1594093, 0 };
	static const struct { u32 shift, word, value; u64 energy; } rows[] = {
		{ 0, 0, 0xff, 22626451 },
		{ 1, 0, 0xff, 0 },		/* another layout */
		{ 0, 11, 0x704f40, 0 },		/* not the voltage */
		{ 0, 8, 1, 0 },			/* apart, what no GPU takes */
		{ 0, 12, 0, 0 },
		{ 0, 12, 0x15952c6, 0 },
	};

	each_row(row, rows) {
		struct gpu_state state = { 0 };
		u32 params[20] = { 0 };

		memcpy(params + row->shift, h200, sizeof(h200));
		params[row->word] = row->value;
		gpu_state_take_energy(&state, params);
		assert_int_equal(gpu_state_has(&state, GPU_ENERGY), row->energy != 0);
		assert_int_equal(state.value[GPU_ENERGY], row->energy);
	}
}

TEST("parts of a page that has grown are not taken for others")
{
	const struct mpu_page_layout *l = mpu_page_layout(580, 0);
	struct gpu_state state = { 0 };
	u32 at = l->part[MPU_PAGE_PSTATE];

	write_page(l);
	memmove(page + at + 8, page + at, l->size - at);
	mpu_put64(page, at, 0);
	assert_false(gpu_state_read_page(&state, l, page, never));
	assert_int_equal(state.known, 1 << GPU_SM_CLOCK | 1 << GPU_MEMORY_CLOCK |
			 1 << GPU_THROTTLE | 1 << GPU_ECC_CORRECTED | 1 << GPU_ECC_UNCORRECTED);
}
