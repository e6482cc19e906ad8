// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a GPU is: see state.h. Names are those of cl00de.h and ctrl2080*.h of
 * open-gpu-kernel-modules.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#include "core/nvrm.h"
#include "lib/clock.h"
#include "nvidia/internal.h"

const char *const gpu_throttle_names[GPU_THROTTLES] = {
	[GPU_THROTTLE_IDLE] = "gpu_idle",
	[GPU_THROTTLE_APPLICATION_CLOCKS] = "applications_clocks_setting",
	[GPU_THROTTLE_SW_POWER_CAP] = "sw_power_cap",
	[GPU_THROTTLE_HW_SLOWDOWN] = "hw_slowdown",
	[GPU_THROTTLE_SYNC_BOOST] = "sync_boost",
	[GPU_THROTTLE_SW_THERMAL] = "sw_thermal_slowdown",
	[GPU_THROTTLE_HW_THERMAL] = "hw_thermal_slowdown",
	[GPU_THROTTLE_HW_POWER_BRAKE] = "hw_power_brake_slowdown",
	[GPU_THROTTLE_DISPLAY_CLOCKS] = "display_clocks_setting",
	[GPU_THROTTLE_BOARD_LIMIT] = "board_limit",
	[GPU_THROTTLE_RELIABILITY] = "reliability",
};

/* Takes a value of which 0 means that the GPU has none. */
static void take_some(struct gpu_state *state, enum gpu_value value, u64 n)
{
	if (n)
		gpu_state_take(state, value, n);
}

/* --- The page --- */

#define PART_SIZE	160	/* what is looked at of one, at most */

/* RUSD_SEQ_START: a part that is written as it changes has a count above it. */
#define TIME_END	0xff00000000000000ull
#define TIME_SPREAD	10000000000ull	/* ns; parts of one layout are written together */

static u64 part_time(const u8 *page, u32 at)
{
	return __atomic_load_n((const u64 *)(const void *)(page + at), __ATOMIC_ACQUIRE);
}

/* Finds the newest time, by which a number that is no time is told from one. */
static u64 newest_time(const struct mpu_page_layout *layout, const u8 *page)
{
	u64 time, newest = 0;
	u32 i;

	for (i = 0; i < MPU_PAGE_PARTS; i++) {
		time = layout->part[i] ? part_time(page, layout->part[i]) : 0;
		if (time < TIME_END && time > newest)
			newest = time;
	}
	return newest;
}

/* Copies a part that was written since; false: there is none. */
static bool read_part(u8 copy[PART_SIZE], const struct mpu_page_layout *layout,
		      const u8 *page, const u64 before[MPU_PAGE_PARTS], enum mpu_page_part part)
{
	u32 at = layout->part[part], left = layout->size - at, tries;
	u64 time;

	for (tries = 0; at && tries < 10; tries++) {
		time = part_time(page, at);
		if (time == before[part] || time >= TIME_END ||
		    time + TIME_SPREAD < newest_time(layout, page))
			continue;
		memcpy(copy, page + at, left < PART_SIZE ? left : PART_SIZE);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (part_time(page, at) == time)
			return true;
	}
	return false;
}

/* NvTemp is a signed number of 24.8 bits. One below zero is not shown. */
static u64 degrees(const u8 *part, u32 at)
{
	int temperature = (int)mpu_get32(part, at);

	return temperature > 0 ? (u64)(temperature + 128) >> 8 : 0;
}

/* NV2080_CTRL_PERF_PSTATES_P*: one bit. */
static void take_pstate(struct gpu_state *state, u32 bits)
{
	if (bits)
		gpu_state_take(state, GPU_PSTATE, (u64)__builtin_ctz(bits));
}

static void take_part(struct gpu_state *state, const struct mpu_page_layout *layout,
		      enum mpu_page_part part, const u8 *p)
{
	u32 i;

	switch (part) {
	case MPU_PAGE_CLOCKS:	/* graphics, memory, video, SM */
		/* An H200 (580.159.04) leaves SM 0; nvidia-smi shows graphics as both. */
		take_some(state, GPU_SM_CLOCK, mpu_get32(p, 8));
		take_some(state, GPU_SM_CLOCK, mpu_get32(p, 8 + 3 * layout->clock));
		take_some(state, GPU_MEMORY_CLOCK, mpu_get32(p, 8 + layout->clock));
		break;
	case MPU_PAGE_THROTTLE:
		gpu_state_take(state, GPU_THROTTLE, mpu_get32(p, 8));
		break;
	case MPU_PAGE_ECC:	/* of all: corrected, ... ever, uncorrected, ... ever */
		gpu_state_take(state, GPU_ECC_CORRECTED, mpu_get64(p, 16));
		gpu_state_take(state, GPU_ECC_UNCORRECTED, mpu_get64(p, 32));
		break;
	case MPU_PAGE_PSTATE:
		take_pstate(state, mpu_get32(p, 8));
		break;
	case MPU_PAGE_POWER_LIMIT:
		take_some(state, GPU_POWER_LIMIT, mpu_get32(p, 12));
		break;
	case MPU_PAGE_TEMPERATURE:
		gpu_state_take(state, GPU_TEMPERATURE, degrees(p, 8));
		break;
	case MPU_PAGE_MEMORY_TEMPERATURE:
		take_some(state, GPU_MEMORY_TEMPERATURE, degrees(p, layout->warm));
		break;
	case MPU_PAGE_ROWS:
		gpu_state_take(state, GPU_ROWS_CORRECTABLE, mpu_get32(p, 28));
		gpu_state_take(state, GPU_ROWS_UNCORRECTABLE, mpu_get32(p, 32));
		gpu_state_take(state, GPU_ROWS_PENDING, !!p[layout->pending]);
		gpu_state_take(state, GPU_ROWS_FAILED, !!p[layout->pending + 1]);
		break;
	case MPU_PAGE_POWER:
		take_some(state, GPU_POWER, mpu_get32(p, 8));
		break;
	case MPU_PAGE_POWER_NOW:
		if (!gpu_state_has(state, GPU_POWER))
			take_some(state, GPU_POWER, mpu_get32(p, 8));
		break;
	case MPU_PAGE_FAN:	/* a GPU without fans says 0 of them, too */
		for (i = 0; i < 16 && !gpu_state_has(state, GPU_FAN); i++)
			take_some(state, GPU_FAN, mpu_get32(p, 8 + i * 4));
		break;
	default:
		break;
	}
}

/*
 * Takes what is in the page, whose bytes may change meanwhile. A part that still has its time
 * @before it was asked for is old, and says nothing. Returns true if all is there that a GPU has
 * as a rule.
 */
bool gpu_state_read_page(struct gpu_state *state, const struct mpu_page_layout *layout,
			 const u8 *page, const u64 before[MPU_PAGE_PARTS])
{
	u8 copy[PART_SIZE] = { 0 };
	u32 i;

	for (i = 0; i < MPU_PAGE_PARTS; i++)
		if (read_part(copy, layout, page, before, i))
			take_part(state, layout, i, copy);
	return gpu_state_has(state, GPU_TEMPERATURE) && gpu_state_has(state, GPU_POWER) &&
	       gpu_state_has(state, GPU_SM_CLOCK) && gpu_state_has(state, GPU_PSTATE) &&
	       gpu_state_has(state, GPU_THROTTLE) && gpu_state_has(state, GPU_POWER_LIMIT);
}

/* nv_ioctl_nvos33_parameters_with_fd: by which descriptor mmap() is to give it. */
struct nv_map {
	u32 client, device, memory, pad;
	u64 offset, length, address;
	u32 status, flags;
	int fd;
	u32 pad2;
};

_Static_assert(sizeof(struct nv_map) == 56, "nv_ioctl_nvos33_parameters_with_fd");

#define MAP_READ_ONLY	1	/* NVOS33_FLAGS_ACCESS */

/*
 * Does RM map so much of it? Memory of the host is mapped by the control node. The page
 * stays NULL where the kernel maps nothing.
 */
static bool map_page(struct rm *rm, struct gpu_question *question, u32 size)
{
	struct nv_map map = {
		.client = rm->client, .device = question->gpu->subdevice,
		.memory = question->object, .length = size, .flags = MAP_READ_ONLY,
		.fd = question->fd,
	};
	unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, 'F', NV_ESC_RM_MAP_MEMORY,
				     sizeof(map));
	void *at;

	if (rm->ops->ioctl(rm->fd, request, &map) || map.status)
		return false;
	at = mmap(NULL, MPU_PAGE_SIZE, PROT_READ, MAP_SHARED, question->fd, 0);
	question->page = at == MAP_FAILED ? NULL : at;
	return true;
}

/* Return: is the page there? If not, it has no layout either. */
static bool find_page(struct rm *rm, struct gpu_question *question)
{
	u64 nothing = 0;	/* NV00DE_ALLOC_PARAMETERS.polledDataMask */
	u32 n;

	if (!mpu_page_layout(question->branch, 0) ||
	    rm_alloc(rm, question->gpu->subdevice, RM_USER_SHARED_DATA, &nothing,
		     &question->object))
		return false;
	question->fd = rm_open_node(rm, "nvidiactl");
	if (question->fd < 0)
		return false;
	for (n = 0; (question->layout = mpu_page_layout(question->branch, n)); n++)
		if (map_page(rm, question, question->layout->size))
			break;
	if (!question->page)
		question->layout = NULL;
	return question->page;
}

/*
 * Takes the driver's counter of energy from params of NV_CTRL_PMGR_GET_POWER. No public header has
 * them: this is what NVML (580.159.04, an H200) reads, in 16,916 bytes. Channel 0, the whole GPU,
 * has mW, mA, uV and mJ, at 36 as NVML shows them, and at 16 those of some ms later. Where they do
 * not fit together (within 2 %, 2 s) the layout is another one.
 */
void gpu_state_take_energy(struct gpu_state *state, const void *params)
{
	const u64 power = mpu_get32(params, 36) * 1000000ull, energy = mpu_get64(params, 48);
	const u64 product = (u64)mpu_get32(params, 40) * mpu_get32(params, 44);

	if (energy && product - power * 49 / 50 <= power / 25 &&
	    mpu_get64(params, 28) - energy <= power / 1000000 * 2)
		gpu_state_take(state, GPU_ENERGY, energy);
}

static void read_energy(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u32 params[16916 / 4] = { 0, 1 };	/* channel 0 alone */

	if (!rm_control(rm, gpu->subdevice, NV_CTRL_PMGR_GET_POWER, params, sizeof(params)))
		gpu_state_take_energy(state, params);
}

/* Asks for the state of an attached GPU; gpu_state_end() is due. */
void gpu_state_ask(struct rm *rm, const struct rm_gpu *gpu, u32 branch,
		   struct gpu_question *question)
{
	u64 mask = MPU_PAGE_STATE;
	u32 i;

	*question = (struct gpu_question){ .gpu = gpu, .branch = branch, .fd = -1 };
	if (!find_page(rm, question))
		return;
	for (i = 0; i < MPU_PAGE_PARTS; i++)
		question->before[i] = part_time(question->page, question->layout->part[i]);
	if (rm_control(rm, question->object, NV_CTRL_REQUEST_DATA_POLL, &mask, sizeof(mask)))
		question->layout = NULL;
}

void gpu_state_end(struct rm *rm, struct gpu_question *question)
{
	if (question->page)
		munmap((void *)(uintptr_t)question->page, MPU_PAGE_SIZE);
	if (question->object)
		rm_free(rm, question->gpu->subdevice, question->object);
	if (question->fd >= 0)
		rm->ops->close(question->fd);
}

/* --- Controls --- */

/* Asks for pairs of an index and its value, by pointer: all drivers have that form. */
static bool ask_pairs(struct rm *rm, const struct rm_gpu *gpu, u32 cmd, u32 *pairs, u32 n)
{
	u32 ask[4] = { n };

	mpu_put64(ask, 8, (uintptr_t)pairs);
	return !rm_control(rm, gpu->subdevice, cmd, ask, sizeof(ask));
}

/* NV2080_CTRL_BUS_INFO_INDEX_PCIE_GPU_LINK_* */
#define LINK_CAPS		0x03	/* speed 3:0, width 9:4 */
#define LINK_CTRL_STATUS	0x07	/* speed 19:16, width 25:20 */

static void read_link(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u32 pairs[] = { LINK_CAPS, 0, LINK_CTRL_STATUS, 0 };

	if (!ask_pairs(rm, gpu, NV_CTRL_BUS_GET_INFO, pairs, 2))
		return;
	take_some(state, GPU_PCIE_GENERATION, pairs[3] >> 16 & 0xf);
	take_some(state, GPU_PCIE_WIDTH, pairs[3] >> 20 & 0x3f);
	take_some(state, GPU_PCIE_GENERATION_MAX, pairs[1] & 0xf);
	take_some(state, GPU_PCIE_WIDTH_MAX, pairs[1] >> 4 & 0x3f);
}

#define GPU_SMC_MODE	0x2a	/* 0: the GPU has none; 1 on, 3 and 4 pending */

/*
 * NV2080_CTRL_BUS_GET_PEX_COUNTERS_PARAMS: which counters, and numbers of errors; from 14 on a
 * counter of 16 bits for each bit that was asked for.
 */
#define PEX_REPLAYS	1

static void read_replays(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u8 pex[76] = { 1 << PEX_REPLAYS };

	if (!rm_control(rm, gpu->subdevice, NV_CTRL_BUS_GET_PEX_COUNTERS, pex, sizeof(pex)))
		gpu_state_take(state, GPU_PCIE_REPLAYS, mpu_get32(pex, 12 + 2 * PEX_REPLAYS) >> 16);
}

/* Sizes of NVLink's params, and where counters begin: of 580, 570 and 515 on. */
struct nvlink {
	u16 caps, traffic, errors, at;
};

/* Asks for counters of a link, which from 580 on stands there a second time, as a list. */
static bool ask_nvlink(struct rm *rm, const struct rm_gpu *gpu, const struct nvlink *form,
		       u32 cmd, u64 *ask, u32 counters, u32 link)
{
	u32 size = cmd == NV_CTRL_NVLINK_GET_COUNTERS ? form->errors : form->traffic;

	memset(ask, 0, size);
	ask[0] = counters;
	ask[1] = ask[3] = 1u << link;
	ask[2] = 1;
	if (form->at == 16)
		ask[2] = ask[3] = 0;
	return !rm_control(rm, gpu->subdevice, cmd, ask, size);
}

static void read_nvlink(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	static const struct nvlink forms[] = {
		{ 48, 2080, 16928, 32 }, { 32, 2064, 16912, 16 }, { 16, 1040, 8464, 16 },
	};
	/* NV2080_CTRL_NVLINK_COUNTER_DL_RX_ERR_CRC_FLIT, ..._TX_ERR_REPLAY, _RECOVERY: bits */
	static const u8 errors[] = { 16, 25, 26 };
	const struct nvlink *form = forms, *end = forms + sizeof(forms) / sizeof(*forms);
	u64 ask[16928 / 8] = { 0 }, sum[GPU_VALUES] = { 0 };
	u32 i, k, links, last = 0;

	while (rm_control(rm, gpu->subdevice, NV_CTRL_NVLINK_GET_CAPS, ask, form->caps))
		if (++form == end)
			return;
	/* enabledLinkMask; the counters of one are 4 or, behind flags, 32 of 64 bits. */
	for (links = mpu_get32(ask, 12), i = 0; i < 32; i++) {
		if (!(links >> i & 1) ||	/* or it has no peer */
		    !ask_nvlink(rm, gpu, form, NV_CTRL_NVLINK_READ_TP_COUNTERS, ask, 3, i))
			continue;
		for (k = 0; k < 2; k++)
			sum[GPU_NVLINK_SENT + k] += ask[form->at / 8 + i * 4 + k];
		last = last ? last : GPU_NVLINK_RECEIVED;
		if (!ask_nvlink(rm, gpu, form, NV_CTRL_NVLINK_GET_COUNTERS, ask,
				1u << errors[0] | 1u << errors[1] | 1u << errors[2], i))
			continue;
		for (k = 0; k < 3; k++)
			sum[GPU_NVLINK_CRC_ERRORS + k] += ask[form->at / 8 + i * 33 + 1 + errors[k]];
		last = GPU_NVLINK_RECOVERIES;
	}
	for (k = GPU_NVLINK_SENT; k <= last; k++)
		gpu_state_take(state, k, sum[k]);
}

static void read_reserved(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u32 pairs[] = { FB_TOTAL_RAM_SIZE, 0, FB_HEAP_SIZE, 0 };

	if (ask_pairs(rm, gpu, NV_CTRL_FB_GET_INFO, pairs, 2) && pairs[1] >= pairs[3])
		gpu_state_take(state, GPU_MEMORY_RESERVED, pairs[1] - pairs[3]);
}

static void read_mig(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u32 pair[] = { GPU_SMC_MODE, 0 };

	/* ENABLED and DISABLE_PENDING are on; DISABLED and ENABLE_PENDING are off. */
	if (ask_pairs(rm, gpu, NV_CTRL_GPU_GET_INFO, pair, 1) && pair[1])
		gpu_state_take(state, GPU_MIG, pair[1] == 1 || pair[1] == 4);
}

/*
 * NV2080_CTRL_GPU_QUERY_ECC_STATUS_PARAMS: of each unit whether it is enabled, scrubbed and
 * supported, and four counts. How many units there are differs by version.
 */
#define ECC_UNIT	40

static void read_ecc(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	/* 590, 565, 560, 555, 545, 520 and 515 on; 40 units are the most before 590. */
	static const u16 sizes[] = { 1664, 1464, 1264, 1224, 1024, 984, 904 };
	u8 units[1664];
	bool is_on = false, is_there = false;
	u32 i, at;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memset(units, 0, sizeof(units));
		if (rm_control(rm, gpu->subdevice, NV_CTRL_GPU_QUERY_ECC_STATUS, units, sizes[i]))
			continue;
		for (at = 0; at + ECC_UNIT <= sizes[i] - 24u; at += ECC_UNIT) {
			is_on |= units[at] == 1;
			is_there |= units[at + 2] == 1;
		}
		if (is_there)
			gpu_state_take(state, GPU_ECC, is_on);
		return;
	}
}

/* NV2080_CTRL_FB_GET_REMAPPED_ROWS_PARAMS: count, flags, entries of 12 bytes from 8 on. */
#define ROWS		512
#define ROW_SOURCE	10	/* of an entry: 2 corrected errors, 3 uncorrected ones */

static void read_rows(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u8 rows[8 + ROWS * 12] = { 0 };
	u32 i, n, count[2] = { 0 };

	if (rm_control(rm, gpu->subdevice, NV_CTRL_FB_GET_REMAPPED_ROWS, rows, sizeof(rows)))
		return;
	n = mpu_get32(rows, 0);
	for (i = 0; i < n && i < ROWS; i++)
		if ((rows[8 + i * 12 + ROW_SOURCE] & ~1) == 2)
			count[rows[8 + i * 12 + ROW_SOURCE] & 1]++;
	gpu_state_take(state, GPU_ROWS_CORRECTABLE, count[0]);
	gpu_state_take(state, GPU_ROWS_UNCORRECTABLE, count[1]);
	gpu_state_take(state, GPU_ROWS_PENDING, rows[4] & 1);
	gpu_state_take(state, GPU_ROWS_FAILED, rows[4] >> 1 & 1);
}

/* NV2080_CTRL_FB_GET_OFFLINED_PAGES_PARAMS: 64 pages of 32 bytes, then how many. */
static void read_retired(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u8 pages[64 * 32 + 8] = { 0 };

	if (!rm_control(rm, gpu->subdevice, NV_CTRL_FB_GET_OFFLINED_PAGES, pages, sizeof(pages)))
		gpu_state_take(state, GPU_RETIRED_PAGES, mpu_get32(pages, 64 * 32));
}

/*
 * NV2080_CTRL_BUS_GET_PEX_UTIL_COUNTERS_PARAMS: mask, counters; they wrap around. Their
 * unit was found by what nvidia-smi of 525, 535 and 550 make of them: bytes since 550, and
 * four at a time before. The one of 470 makes something else of them.
 */
static u32 traffic_unit(u32 branch)
{
	return branch >= 550 ? 1 : branch >= 525 && branch < 545 ? 4 : 0;
}

static bool read_traffic(struct rm *rm, const struct rm_gpu *gpu, u32 counter[8])
{
	memset(counter, 0, 8 * sizeof(*counter));
	counter[0] = 3;		/* ..._TX_BYTES, ..._RX_BYTES */
	return !rm_control(rm, gpu->subdevice, NV_CTRL_BUS_GET_PEX_UTIL_COUNTERS, counter,
			   8 * sizeof(*counter));
}

static void read_pstate(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	/* From 545 on; nvidia-smi of 525 to 550 asks for the same by the second number. */
	static const u32 cmds[] = { NV_CTRL_PERF_GET_CURRENT_PSTATE,
				    NV_CTRL_PERF_GET_CURRENT_PSTATE_OLD };
	u32 i, bits = 0;

	for (i = 0; i < 2; i++)
		if (!rm_control(rm, gpu->subdevice, cmds[i], &bits, sizeof(bits))) {
			take_pstate(state, bits);
			return;
		}
}

/*
 * NV2080_CTRL_THERMAL_SYSTEM_EXECUTE_V2_PARAMS: a head, and instructions that are carried
 * out one after the other. Asks the first eight sensors what they are about, and what
 * they say. (The header is public since 575; nvidia-smi of 525 to 550 prints the reading
 * as degrees Celsius.)
 */
struct thermal {
	u32 version, revision, instruction_size, flags, successful, n;
	struct {
		u32 result, executed, opcode, operand[8];
	} instruction[32];
};

_Static_assert(sizeof(struct thermal) == 1432, "NV2080_CTRL_THERMAL_SYSTEM_EXECUTE_V2_PARAMS");

#define THERMAL_SENSORS		8
#define THERMAL_IGNORE_FAIL	1
#define THERMAL_TARGET_TYPE	0x0101	/* target in, type out: 1 is the GPU, 2 its memory */
#define THERMAL_SENSOR_TARGET	0x0520	/* sensor in, target out */
#define THERMAL_SENSOR_READING	0x1500

static void read_thermal(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	static const u32 opcodes[] = { THERMAL_TARGET_TYPE, THERMAL_SENSOR_TARGET,
				       THERMAL_SENSOR_READING };
	struct thermal ask = { .version = 1, .instruction_size = sizeof(ask.instruction[0]),
			       .flags = THERMAL_IGNORE_FAIL, .n = 3 * THERMAL_SENSORS };
	u32 i, target, type, reading;

	for (i = 0; i < ask.n; i++) {
		ask.instruction[i].opcode = opcodes[i / THERMAL_SENSORS];
		ask.instruction[i].operand[0] = i % THERMAL_SENSORS;
	}
	if (rm_control(rm, gpu->subdevice, NV_CTRL_THERMAL_SYSTEM_EXECUTE_V2, &ask, sizeof(ask)))
		return;
	for (i = 0; i < ask.n; i++)
		if (!ask.instruction[i].executed || ask.instruction[i].result)
			ask.instruction[i].operand[1] = ~0u;
	for (i = 0; i < THERMAL_SENSORS; i++) {
		target = ask.instruction[THERMAL_SENSORS + i].operand[1];
		type = target < THERMAL_SENSORS ? ask.instruction[target].operand[1] : ~0u;
		reading = ask.instruction[2 * THERMAL_SENSORS + i].operand[1];
		if (type == 1 && (int)reading > 0 && !gpu_state_has(state, GPU_TEMPERATURE))
			gpu_state_take(state, GPU_TEMPERATURE, reading);
	}
}

static void read_controls(struct rm *rm, const struct rm_gpu *gpu, struct gpu_state *state)
{
	read_link(rm, gpu, state);
	read_replays(rm, gpu, state);
	read_nvlink(rm, gpu, state);
	read_reserved(rm, gpu, state);
	read_mig(rm, gpu, state);
	read_ecc(rm, gpu, state);
	if (!gpu_state_has(state, GPU_ROWS_PENDING))
		read_rows(rm, gpu, state);
	read_retired(rm, gpu, state);
	if (!gpu_state_has(state, GPU_PSTATE))
		read_pstate(rm, gpu, state);
	if (!gpu_state_has(state, GPU_TEMPERATURE))
		read_thermal(rm, gpu, state);
}

/* --- All of it --- */

#define LATE_MS		700	/* the firmware's longest interval, and some */
#define TRAFFIC_MS	20	/* as NVML: what a fast link carries in that does not wrap */

static void sleep_ms(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

/* Reads all pages. Return: may there be more? */
static bool read_pages(struct gpu_question *question, struct gpu_state *state, u32 n)
{
	bool more = false;
	u32 i;

	for (i = 0; i < n; i++)
		if (question[i].layout)
			more |= !gpu_state_read_page(&state[i], question[i].layout,
						     question[i].page, question[i].before);
	return more;
}

static void take_traffic(struct gpu_state *state, const u32 from[8], const u32 to[8],
			 u32 unit, u64 us)
{
	if (!us)
		return;
	gpu_state_take(state, GPU_PCIE_SENT, (u64)(to[1] - from[1]) * unit * 1000000 / us);
	gpu_state_take(state, GPU_PCIE_RECEIVED, (u64)(to[2] - from[2]) * unit * 1000000 / us);
}

static void read_all_traffic(struct rm *rm, const struct gpu_question *question,
			     struct gpu_state *state, u32 n)
{
	struct traffic {
		bool is_known;
		u64 us;
		u32 counter[8];
	} first[RM_GPUS];
	bool any = false;
	u32 i, now[8];

	for (i = 0; i < n; i++) {
		first[i].is_known = traffic_unit(question[i].branch) &&
				    read_traffic(rm, question[i].gpu, first[i].counter);
		first[i].us = clock_ns() / 1000;
		any |= first[i].is_known;
	}
	if (any)
		sleep_ms(TRAFFIC_MS);
	for (i = 0; i < n; i++)
		if (first[i].is_known && read_traffic(rm, question[i].gpu, now))
			take_traffic(&state[i], first[i].counter, now,
				     traffic_unit(question[i].branch),
				     clock_ns() / 1000 - first[i].us);
}

/*
 * Receives what was asked for, of @n GPUs. The firmware writes once in 100 ms, of a GPU for
 * desktops once in 500 ms: that long it takes, and a driver without the page 20 ms.
 */
void gpu_state_wait(struct rm *rm, struct gpu_question *question, struct gpu_state *state, u32 n)
{
	u64 end = clock_ms() + LATE_MS;
	u32 i;

	while (read_pages(question, state, n) && clock_ms() < end)
		sleep_ms(5);
	read_all_traffic(rm, question, state, n);
	/* Parts that not every GPU has: what is asked for is written in one go. */
	read_pages(question, state, n);
	for (i = 0; i < n; i++) {
		read_controls(rm, question[i].gpu, &state[i]);
		read_energy(rm, question[i].gpu, &state[i]);
	}
}
