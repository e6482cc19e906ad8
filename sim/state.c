// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a simulated GPU is: what its page and its controls say of temperature, power, clocks,
 * link and errors. It is warmer and takes more the busier it is; nothing is ever wrong.
 */
#include "abi/page.h"
#include "sim/bytes.h"
#include "sim/gpu.h"
#include "sim/objects.h"
#include "sim/state.h"

#define V		MPU_DRIVER
#define SM		1	/* index in sim_client.util */
#define WATTS_LIMIT	700

/* Percent of its time in which its clients keep it busy. */
static u32 busy(const struct sim *sim, const struct sim_gpu *gpu)
{
	u32 i, all = 0;

	for (i = 0; i < sim->clients_end; i++)
		if (sim->client[i].file && sim_client_has_device(sim, &sim->client[i], gpu->index))
			all += sim->client[i].util[SM];
	return all < 100 ? all : 100;
}

static u32 degrees(const struct sim *sim, const struct sim_gpu *gpu)
{
	return 30 + busy(sim, gpu) / 2;
}

static u32 milliwatts(const struct sim *sim, const struct sim_gpu *gpu)
{
	return 70250 + busy(sim, gpu) * 6000;
}

/* --- The page --- */

const struct mpu_page_layout *sim_page_layout(const struct sim *sim)
{
	u32 branch = sim->config.version / 1000000;
	const struct mpu_page_layout *layout = mpu_page_layout(branch, 0);

	/* A branch whose page has grown, or moved: the newer of its layouts is the first. */
	if (branch == 580 && !sim_at_least(sim, V(580, 159, 0)))
		return mpu_page_layout(branch, 1);
	return layout;
}

u32 sim_page_size(const struct sim *sim)
{
	const struct mpu_page_layout *layout = sim_page_layout(sim);

	return layout ? layout->size : 0;
}

static void write_clocks(const struct mpu_page_layout *layout, u8 *part)
{
	static const u32 mhz[] = { 1980, 2619, 1545, 1980 };
	u32 i;

	for (i = 0; i < 4; i++)
		mpu_put32(part, 8 + i * layout->clock, mhz[i]);
}

static void write_part(const struct sim *sim, const struct sim_gpu *gpu,
		       const struct mpu_page_layout *layout, enum mpu_page_part which,
		       u8 *part)
{
	switch (which) {
	case MPU_PAGE_CLOCKS:
		write_clocks(layout, part);
		break;
	case MPU_PAGE_THROTTLE:		/* idle, or the power limit */
		mpu_put32(part, 8, !busy(sim, gpu) ? 1 : busy(sim, gpu) == 100 ? 4 : 0);
		break;
	case MPU_PAGE_ECC:		/* of all: corrected, ... ever */
		mpu_put64(part, 16, 2);
		break;
	case MPU_PAGE_PSTATE:
		mpu_put32(part, 8, 1);
		break;
	case MPU_PAGE_POWER_LIMIT:	/* requested, enforced */
		mpu_put32(part, 8, WATTS_LIMIT * 1000);
		mpu_put32(part, 12, WATTS_LIMIT * 1000);
		break;
	case MPU_PAGE_TEMPERATURE:
		mpu_put32(part, 8, degrees(sim, gpu) << 8);
		break;
	case MPU_PAGE_MEMORY_TEMPERATURE:
		mpu_put32(part, layout->warm, (degrees(sim, gpu) + 8) << 8);
		break;
	case MPU_PAGE_ROWS:		/* none; 640 banks have all theirs left */
		mpu_put32(part, 8, 640);
		mpu_put32(part, 28, 1);
		break;
	case MPU_PAGE_POWER:
	case MPU_PAGE_POWER_NOW:
		mpu_put32(part, 8, milliwatts(sim, gpu));
		break;
	default:
		break;
	}
}

/* The time of a part is ~0 while it is written. */
void sim_state_write(const struct sim *sim, const struct sim_gpu *gpu, u64 polled, u8 *page)
{
	static const u8 polls[MPU_PAGE_PARTS] = {	/* NV00DE_RUSD_POLL_* */
		[MPU_PAGE_CLOCKS] = 0x01, [MPU_PAGE_THROTTLE] = 0x02, [MPU_PAGE_ECC] = 0x04,
		[MPU_PAGE_PSTATE] = 0x02, [MPU_PAGE_POWER_LIMIT] = 0x08,
		[MPU_PAGE_TEMPERATURE] = 0x10, [MPU_PAGE_MEMORY_TEMPERATURE] = 0x10,
		[MPU_PAGE_ROWS] = 0x04, [MPU_PAGE_POWER] = 0x08,
		[MPU_PAGE_POWER_NOW] = 0x08, [MPU_PAGE_FAN] = 0x40,
	};
	const struct mpu_page_layout *layout = sim_page_layout(sim);
	u32 i;

	/* bar1Size, bar1AvailSize: what is not asked for; nvidia-smi 550 takes them here. */
	if (layout && layout->first == 550) {
		mpu_put32(page, 8, 256 << 10);
		mpu_put32(page, 12, 256 << 10);
	}
	for (i = 0; layout && i < MPU_PAGE_PARTS; i++) {
		u8 *part = page + layout->part[i];

		if (!layout->part[i] || !(polled & polls[i]))
			continue;
		mpu_put64(part, 0, ~0ull);
		write_part(sim, gpu, layout, i, part);
		mpu_put64(part, 0, sim_time_us() * 1000);
	}
}

/* --- Controls --- */

/* NV2080_CTRL_BUS_GET_PEX_UTIL_COUNTERS_PARAMS: a mask, and bytes since ever. */
u32 sim_state_traffic(struct sim *sim, struct sim_call *call)
{
	u64 us = sim_time_us();
	u32 load = busy(sim, call->gpu);

	mpu_put32(call->params, 4, (u32)(us * load));		/* sent: MB/s */
	mpu_put32(call->params, 8, (u32)(us * 4 * load));
	return NV_OK;
}

/* NV2080_CTRL_BUS_GET_PEX_COUNTERS_PARAMS: three replays, if these are asked for */
u32 sim_state_replays(struct sim *sim, struct sim_call *call)
{
	u32 which = mpu_get32(call->params, 0);

	sim_fill(call->params, 0, call->size);
	mpu_put32(call->params, 0, which);
	sim_put16(call->params, 14 + 2, which & 2 ? 3 : 0);
	return NV_OK;
}

/*
 * NVLink: 0 and 2 are enabled, and 2 has no peer, so that it has no counters. Data sent is
 * the time, twice that was received; errors are the number of their counter.
 */
u32 sim_state_nvlink(struct sim *sim, struct sim_call *call)
{
	u8 *p = call->params;
	u32 which = mpu_get32(p, 0), links = mpu_get32(p, 8), i;
	u32 at = call->size == 2080 || call->size == 16928 ? 32 : 16;

	if (call->cmd != NV_CTRL_NVLINK_GET_CAPS && (links & ~1u || (at > 16 &&
	    (p[16] != 1 || mpu_get32(p, 24) != links))))
		return NV_ERR_INVALID_ARGUMENT;
	sim_fill(p, 0, call->size);
	if (call->cmd == NV_CTRL_NVLINK_GET_CAPS) {
		mpu_put32(p, 12, 5);
		return NV_OK;
	}
	for (i = 0; links && i < 32; i++) {
		if (!(which >> i & 1))
			continue;
		if (call->cmd == NV_CTRL_NVLINK_GET_COUNTERS)
			mpu_put64(p, at + 8 + i * 8, i);
		else
			mpu_put64(p, at + i * 8, sim_time_us() * (i + 1));
	}
	return NV_OK;
}

/* The whole GPU is channel 0: mW, mA, uV and mJ, twice, as if it were idle from 1970 on. */
u32 sim_state_energy(struct sim *sim, struct sim_call *call)
{
	u32 channels = mpu_get32(call->params, 4), at;

	sim_fill(call->params, 0, call->size);
	for (at = 16; channels & 1 && at <= 36; at += 20) {
		mpu_put32(call->params, at, 70250);
		mpu_put32(call->params, at + 4, 5854);
		mpu_put32(call->params, at + 8, 12000000);
		mpu_put64(call->params, at + 12, sim_time_us() / 1000 * 70250 / 1000);
	}
	return NV_OK;
}

/* NV2080_CTRL_GPU_QUERY_ECC_STATUS_PARAMS: the first unit is enabled. */
u32 sim_state_ecc(struct sim *sim, struct sim_call *call)
{
	u8 *unit = call->params;

	sim_fill(call->params, 0, call->size);
	unit[0] = unit[1] = unit[2] = 1;
	return NV_OK;
}

/* NV2080_CTRL_FB_GET_REMAPPED_ROWS_PARAMS: one, for errors that were corrected */
u32 sim_state_rows(struct sim *sim, struct sim_call *call)
{
	u8 *p = call->params;

	sim_fill(p, 0, call->size);
	mpu_put32(p, 0, 1);
	p[8 + 10] = 2;
	return NV_OK;
}

u32 sim_state_pstate(struct sim *sim, struct sim_call *call)
{
	mpu_put32(call->params, 0, 1);		/* NV2080_CTRL_PERF_PSTATES_P0 */
	return NV_OK;
}

/*
 * NV2080_CTRL_THERMAL_SYSTEM_EXECUTE_V2_PARAMS: instructions of 44 bytes, of which result,
 * executed and opcode are the first three words, and operands the next. There is one
 * sensor, and it is the GPU's.
 */
u32 sim_state_thermal(struct sim *sim, struct sim_call *call)
{
	u8 *p = call->params, *at;
	u32 i, n = mpu_get32(p, 20);

	if (n > 32 || mpu_get32(p, 8) != 44)
		return NV_ERR_INVALID_ARGUMENT;
	for (i = 0; i < n; i++) {
		at = p + 24 + i * 44;
		mpu_put32(at, 0, NV_OK);
		mpu_put32(at, 4, 1);
		switch (mpu_get32(at, 8)) {
		case 0x0100:		/* targets, sensors: how many */
		case 0x0500:
			mpu_put32(at, 12, 1);
			break;
		case 0x0101:		/* the target is the GPU */
			mpu_put32(at, 16, 1);
			break;
		case 0x0510:		/* of provider 0, of target 0 */
		case 0x0520:
			mpu_put32(at, 16, 0);
			break;
		case 0x1500:
			mpu_put32(at, 16, degrees(sim, call->gpu));
			break;
		default:
			mpu_put32(at, 0, NV_ERR_INVALID_ARGUMENT);
		}
	}
	mpu_put32(p, 16, n);
	return NV_OK;
}
