// SPDX-License-Identifier: GPL-2.0-only
/*
 * Controls by which nvidia-smi asks about a GPU besides its processes: which ones there
 * are, their names, numbers and memory.
 *
 * Found by recording the nvidia-smi of 390 to 550 and a real GPU under 580,
 * and by refusing one request after the other: what stands here is what one of
 * them needs. Everything else is not supported, which they all know to print
 * as N/A. Structures: ctrl0000gpu.h, ctrl0080gpu.h, ctrl2080*.h of
 * open-gpu-kernel-modules; older layouts from the recordings.
 */
#include "sim/bytes.h"
#include "sim/control.h"
#include "sim/gpu.h"
#include "sim/state.h"

#define V MPU_DRIVER

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- The root: which GPUs are there --- */

/*
 * NV_CTRL_GPU_GET_PROBED_IDS and _ATTACHED_IDS: 32 slots each for
 * the GPUs, those left out and, newer, their flags.
 */
static u32 board_ids(struct sim *sim, struct sim_call *call)
{
	u32 i;

	sim_fill(call->params, 0, call->size);
	sim_fill(call->params, 0xff, call->size < 256 ? call->size : 256);
	for (i = 0; i < sim->config.gpus; i++)
		mpu_put32(call->params, i * 4, sim->gpu[i].id);
	return NV_OK;
}

/*
 * NV_CTRL_GPU_ATTACH_IDS, _DETACH_IDS: everything is attached. Lists
 * end with 0xffffffff; 0xffff stands for all.
 */
static u32 board_attach(struct sim *sim, struct sim_call *call)
{
	u32 i, id;

	for (i = 0; i < 32; i++) {
		id = mpu_get32(call->params, i * 4);
		if (id == SIM_NONE || id == 0xffff)
			break;
		if (sim_gpu_find(sim, id))
			continue;
		if (call->size > 128)
			mpu_put32(call->params, 128, id);
		return NV_ERR_INVALID_ARGUMENT;
	}
	return NV_OK;
}

/* Controls that take a gpuId and have nothing to say about it. */
static u32 board_known(struct sim *sim, struct sim_call *call)
{
	if (!sim_gpu_find(sim, mpu_get32(call->params, 0)))
		return NV_ERR_INVALID_ARGUMENT;
	sim_fill((u8 *)call->params + 4, 0, call->size - 4);
	return NV_OK;
}

/* NV_CTRL_GPU_GET_ID_INFO; V2 lacks the name pointer at 16. */
static u32 board_id_info(struct sim *sim, struct sim_call *call)
{
	const struct sim_gpu *gpu = sim_gpu_find(sim, mpu_get32(call->params, 0));
	u32 tail = call->size == 40 ? 24 : 16;
	u8 *p = call->params;

	if (!gpu)
		return NV_ERR_INVALID_ARGUMENT;
	mpu_put32(p, 4, 1);			/* gpuFlags: IN_USE */
	mpu_put32(p, 8, gpu->index);		/* deviceInstance */
	mpu_put32(p, 12, 0);			/* subDeviceInstance */
	mpu_put32(p, tail, 0x41);		/* sliStatus: no SLI */
	mpu_put32(p, tail + 4, gpu->id);	/* boardId */
	mpu_put32(p, tail + 8, gpu->index);	/* gpuInstance */
	mpu_put32(p, tail + 12, SIM_NONE);	/* numaId */
	return NV_OK;
}

/* NV_CTRL_GPU_GET_PCI_INFO: the domain was 16 bits wide once. */
static u32 board_pci_info(struct sim *sim, struct sim_call *call)
{
	const struct sim_gpu *gpu = sim_gpu_find(sim, mpu_get32(call->params, 0));
	u32 bus = sim_at_least(sim, V(396, 0, 0)) ? 8 : 6;

	if (!gpu)
		return NV_ERR_INVALID_ARGUMENT;
	sim_fill((u8 *)call->params + 4, 0, 8);
	sim_put16(call->params, bus, sim_gpu_bus(gpu));
	return NV_OK;
}

/*
 * NV_CTRL_SYSTEM_GET_BUILD_VERSION: three user buffers of one size,
 * for the version, the branch and the title.
 */
static u32 board_version(struct sim *sim, struct sim_call *call)
{
	const char *text = sim->config.version_text;
	u32 n = sim_text_length(text) + 1;
	u32 i;

	if (mpu_get32(call->params, 0) < n)
		return NV_ERR_INVALID_ARGUMENT;
	for (i = 0; i < 3; i++) {
		void *to = (void *)(uintptr_t)mpu_get64(call->params, 8 + i * 8);

		if (os_memcpy_to_user(to, text, n))
			return NV_ERR_INVALID_POINTER;
	}
	mpu_put64(call->params, 32, 0);		/* change lists */
	return NV_OK;
}

/* {object, flags, type}: of the shared page, memory of the host. */
static u32 board_address_space(struct sim *sim, struct sim_call *call)
{
	mpu_put32(call->params, 8, 1);		/* ..._SYSMEM */
	return NV_OK;
}

/* --- The device --- */

/*
 * NV_CTRL_GPU_GET_CLASSLIST (a user pointer at 8, NULL to ask for the
 * count) and _V2 (behind the count).
 */
static u32 board_classes(struct sim *sim, struct sim_call *call)
{
	u32 compute = sim_board_of(sim)->compute;
	const u32 classes[] = {
		NV01_ROOT, NV01_ROOT_CLIENT, NV01_DEVICE_0, NV20_SUBDEVICE_0,
		0x2081, 0x208f, NV01_MEMORY_LOCAL_USER, MPS_COMPUTE,
		GF100_PROFILER,
		compute - 0xc0 + 0x6f,		/* channel */
		compute - 0xc0 + 0x97,		/* graphics */
		compute - 0xc0 + 0xb5,		/* copy engine */
		compute,
	};
	bool pointer = call->size == 16;
	u8 *list = pointer ? call->array : (u8 *)call->params + 4;
	u32 room = pointer ? call->array_size : call->size - 4;
	u32 i;

	if (list) {
		if (room < sizeof(classes))
			return NV_ERR_INVALID_ARGUMENT;
		for (i = 0; i < COUNT(classes); i++)
			mpu_put32(list, i * 4, classes[i]);
	}
	mpu_put32(call->params, 0, COUNT(classes));
	return NV_OK;
}

static u32 board_zero(struct sim *sim, struct sim_call *call)
{
	sim_fill(call->params, 0, call->size);
	return NV_OK;
}

/* --- The subdevice --- */

static u32 board_name(struct sim *sim, struct sim_call *call)
{
	if (mpu_get32(call->params, 0))		/* ..._TYPE_UNICODE */
		return NV_ERR_NOT_SUPPORTED;
	sim_fill((u8 *)call->params + 4, 0, call->size - 4);
	sim_put_text((u8 *)call->params + 4, sim_board_of(sim)->name, 64);
	return NV_OK;
}

/*
 * NV_CTRL_GPU_GET_GID_INFO: {index, flags, length, data}. The number
 * is "SIM" and the GPU's index; real ones are a hash.
 */
static u32 board_uuid(struct sim *sim, struct sim_call *call)
{
	static const char digits[] = "0123456789abcdef";
	u8 id[16] = { 'S', 'I', 'M', 0, 0, 0, 0x40, 0, 0x80 };
	u8 *data = (u8 *)call->params + 12;
	u32 n = 0, i;

	id[15] = call->gpu->index;
	sim_fill(data, 0, call->size - 12);
	if (mpu_get32(call->params, 4) & 2) {	/* ..._FORMAT_BINARY */
		for (; n < 16; n++)
			data[n] = id[n];
		mpu_put32(call->params, 8, n);
		return NV_OK;
	}
	sim_put_text(data, "GPU-", 5);
	for (n = 4, i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			data[n++] = '-';
		data[n++] = digits[id[i] >> 4];
		data[n++] = digits[id[i] & 15];
	}
	mpu_put32(call->params, 8, n + 1);
	return NV_OK;
}

static u32 board_arch(struct sim *sim, struct sim_call *call)
{
	board_zero(sim, call);
	mpu_put32(call->params, 0, sim_board_of(sim)->arch);
	mpu_put32(call->params, 8, 0xa1);	/* revision A1 */
	return NV_OK;
}

static u32 board_pci_ids(struct sim *sim, struct sim_call *call)
{
	u32 id = sim_board_of(sim)->device << 16 | SIM_PCI_VENDOR;

	mpu_put32(call->params, 0, id);
	mpu_put32(call->params, 4, id);		/* subsystem */
	mpu_put32(call->params, 8, 0xa1);	/* revision */
	mpu_put32(call->params, 12, sim_board_of(sim)->device);
	return NV_OK;
}

/* NV2080_CTRL_GPU_INFO_INDEX_* */
static u32 board_gpu_value(struct sim *sim, struct sim_call *call, u32 index)
{
	switch (index) {
	case 0x11:		/* without it: no process list at all */
		return 1;
	case 0x2a:		/* GPU_SMC_MODE */
		return sim_board_of(sim)->mig;
	}
	return 0;
}

/* NV2080_CTRL_FB_INFO_INDEX_*, in KiB */
static u32 board_fb_value(struct sim *sim, struct sim_call *call, u32 index)
{
	u64 all = call->gpu->fb_bytes;
	u64 used = call->gpu->used_bytes;

	switch (index) {
	case 0x05:		/* BAR1_SIZE */
	case 0x1d:		/* BAR1_AVAIL_SIZE */
		return 256 << 10;
	case 0x07:		/* RAM_SIZE */
	case 0x08:		/* TOTAL_RAM_SIZE */
	case 0x09:		/* HEAP_SIZE */
	case 0x20:		/* USABLE_RAM_SIZE */
		return all >> 10;
	case 0x16:		/* HEAP_FREE */
		return (all - used) >> 10;
	}
	return 0;
}

/* NV2080_CTRL_BUS_INFO_INDEX_* */
static u32 board_bus_value(struct sim *sim, struct sim_call *call, u32 index)
{
	switch (index) {
	case 0x00:		/* TYPE */
	case 0x13:		/* INTERFACE_TYPE */
	case 0x2e:		/* GPU_INTERFACE_TYPE */
		return 3;	/* PCI_EXPRESS */
	case 0x03:		/* PCIE_GPU_LINK_CAPS: generation 4, 16 lanes */
	case 0x04:		/* PCIE_ROOT_LINK_CAPS */
		return 4 | 16 << 4;
	case 0x07:		/* PCIE_GPU_LINK_CTRL_STATUS */
		return 4 << 16 | 16 << 20 | 4 | 16 << 4;
	case 0x14:		/* PCIE_GEN2_INFO */
	case 0x2d:		/* PCIE_GEN_INFO: common, current, GPU; 0 is 1 */
		return 3 << 16 | 3 << 20 | 3 << 24;
	case 0x0f:		/* BUS_NUMBER */
		return sim_gpu_bus(call->gpu);
	}
	return 0;
}

static u32 board_no_value(struct sim *sim, struct sim_call *call, u32 index)
{
	return 0;
}

/*
 * The *_GET_INFO controls: a count, and pairs of an index and its value, in a
 * user buffer (params of 16 bytes) or, V2, behind the count.
 */
static u32 board_pairs(struct sim *sim, struct sim_call *call,
		       u32 (*value)(struct sim *, struct sim_call *, u32))
{
	bool pointer = call->size == 16;
	u8 *pairs = pointer ? call->array : (u8 *)call->params + 4;
	u32 room = pointer ? call->array_size : call->size - 4;
	u32 n = mpu_get32(call->params, 0);
	u32 i;

	if (n && !pairs)
		return NV_ERR_INVALID_POINTER;
	if (n > room / 8)
		return NV_ERR_INVALID_ARGUMENT;
	for (i = 0; i < n; i++)
		mpu_put32(pairs, i * 8 + 4, value(sim, call, mpu_get32(pairs, i * 8)));
	return NV_OK;
}

static u32 board_gpu_info(struct sim *sim, struct sim_call *call)
{
	return board_pairs(sim, call, board_gpu_value);
}

static u32 board_fb_info(struct sim *sim, struct sim_call *call)
{
	return board_pairs(sim, call, board_fb_value);
}

static u32 board_bus_info(struct sim *sim, struct sim_call *call)
{
	return board_pairs(sim, call, board_bus_value);
}

static u32 board_bios_info(struct sim *sim, struct sim_call *call)
{
	return board_pairs(sim, call, board_no_value);
}

/* Encoder and capture sessions: how many, and their average rates. */
static u32 board_sessions(struct sim *sim, struct sim_call *call)
{
	u32 class = call->cmd == 0x2080016d ? NVENC_SW_SESSION
					    : NVFBC_SW_SESSION;
	u32 n = 0, i, k;

	for (i = 0; i < sim->clients_end; i++) {
		if (!sim->client[i].file)
			continue;
		for (k = sim->client[i].objects; k != SIM_NONE; k = sim->object[k].next)
			n += sim->object[k].class == class &&
			     sim->object[k].gpu == call->gpu->index;
	}
	board_zero(sim, call);
	mpu_put32(call->params, 0, n);
	return NV_OK;
}

/*
 * NV_CTRL_TIMER_GET_GPU_CPU_TIME_CORRELATION_INFO: which clock, how many
 * pairs, and pairs of CPU (us) and GPU time (ns). NVML tells a sample's time by
 * it; both clocks are the same here.
 */
static u32 board_clocks(struct sim *sim, struct sim_call *call)
{
	u8 *p = call->params;
	u32 i;

	if (p[1] > 16)
		return NV_ERR_INVALID_ARGUMENT;
	for (i = 0; i < p[1]; i++) {
		u64 us = sim_time_us();

		mpu_put64(p, 8 + i * 16, us);
		mpu_put64(p, 16 + i * 16, us * 1000);
	}
	return NV_OK;
}

/* NV_CTRL_GSP_GET_FEATURES: firmware runs under the open flavour. */
static u32 board_gsp(struct sim *sim, struct sim_call *call)
{
	u8 *p = call->params;

	board_zero(sim, call);
	if (sim->config.flavour != SIM_OPEN)
		return NV_OK;
	p[4] = 1;				/* bValid */
	sim_put_text(p + 6, sim->config.version_text, call->size - 6);
	return NV_OK;
}

/* --- The table --- */

/*
 * One control in the layout it has from driver version @since on, until the
 * next row of the same control. Params of another size are refused, as
 * resControlLookup_IMPL() does.
 */
static const struct board_control {
	u32 cmd;
	u32 size;
	u32 since;
	u32 (*answer)(struct sim *sim, struct sim_call *call);
} board_controls[] = {
	{ 0x00000101, 40, 0, board_version },
	{ 0x00000201, 128, 0, board_ids },		/* GET_ATTACHED_IDS */
	{ NV_CTRL_GPU_GET_ID_INFO, 40, 0, board_id_info },
	{ 0x00000205, 32, 0, board_id_info },		/* ..._V2 */
	{ NV_CTRL_GPU_GET_PROBED_IDS, 128, 0, board_ids },
	{ NV_CTRL_GPU_GET_PROBED_IDS, 256, V(418, 0, 0), board_ids },
	{ NV_CTRL_GPU_GET_PROBED_IDS, 384, V(580, 0, 0), board_ids },
	{ NV_CTRL_GPU_ATTACH_IDS, 132, 0, board_attach },
	{ NV_CTRL_GPU_DETACH_IDS, 128, 0, board_attach },
	{ 0x0000021b, 12, 0, board_pci_info },
	{ 0x00000279, 12, 0, board_known },		/* QUERY_DRAIN_STATE */
	{ 0x00000289, 4, 0, board_known },		/* ASYNC_ATTACH_ID */
	{ 0x00000d01, 12, 0, board_address_space },	/* CLIENT_GET_ADDR_SPACE_TYPE */
	{ NV_CTRL_GPU_GET_CLASSLIST, 16, 0, board_classes },
	{ 0x00800288, 4, 0, board_zero },	/* QUERY_SW_STATE_PERSISTENCE */
	{ 0x00800289, 4, 0, board_zero },	/* GET_VIRTUALIZATION_MODE */
	{ 0x00800289, 8, V(555, 0, 0), board_zero },
	{ NV_CTRL_GPU_GET_CLASSLIST_V2, 468, 0, board_classes },
	{ NV_CTRL_GPU_GET_CLASSLIST_V2, 644, V(525, 0, 0), board_classes },
	{ NV_CTRL_GPU_GET_CLASSLIST_V2, 700, V(550, 0, 0), board_classes },
	{ NV_CTRL_GPU_GET_CLASSLIST_V2, 404, V(555, 0, 0), board_classes },
	{ NV_CTRL_GPU_GET_CLASSLIST_V2, 804, V(580, 0, 0), board_classes },
	{ NV_CTRL_GPU_GET_INFO, 16, 0, board_gpu_info },
	{ 0x20800102, 500, 0, board_gpu_info },
	{ 0x20800102, 508, V(530, 0, 0), board_gpu_info },
	{ 0x20800102, 516, V(535, 0, 0), board_gpu_info },
	{ 0x20800102, 524, V(545, 0, 0), board_gpu_info },
	{ 0x20800102, 532, V(575, 0, 0), board_gpu_info },
	{ 0x20800102, 564, V(580, 0, 0), board_gpu_info },
	{ NV_CTRL_GPU_GET_NAME_STRING, 132, 0, board_name },
	{ NV_CTRL_GPU_GET_NAME_STRING, 68, V(595, 0, 0), board_name },
	{ 0x20800131, 4, 0, board_zero },	/* QUERY_COMPUTE_MODE_RULES */
	{ NV_CTRL_GPU_QUERY_ECC_STATUS, 904, V(515, 0, 0), sim_state_ecc },
	{ NV_CTRL_GPU_QUERY_ECC_STATUS, 984, V(520, 0, 0), sim_state_ecc },
	{ NV_CTRL_GPU_QUERY_ECC_STATUS, 1024, V(545, 0, 0), sim_state_ecc },
	{ NV_CTRL_GPU_QUERY_ECC_STATUS, 1224, V(555, 0, 0), sim_state_ecc },
	{ NV_CTRL_GPU_QUERY_ECC_STATUS, 1264, V(560, 0, 0), sim_state_ecc },
	{ NV_CTRL_GPU_QUERY_ECC_STATUS, 1464, V(565, 0, 0), sim_state_ecc },
	{ NV_CTRL_GPU_QUERY_ECC_STATUS, 1664, V(590, 0, 0), sim_state_ecc },
	{ 0x20800133, 8, 0, board_zero },	/* QUERY_ECC_CONFIGURATION */
	{ NV_CTRL_GPU_GET_GID_INFO, 268, 0, board_uuid },
	{ 0x2080016d, 12, 0, board_sessions },
	{ 0x2080017b, 12, 0, board_sessions },
	{ 0x20800406, 264, 0, board_clocks },
	{ 0x20800802, 16, 0, board_bios_info },
	{ NV_CTRL_FB_GET_INFO, 16, 0, board_fb_info },
	{ 0x20801303, 332, 0, board_fb_info },
	{ 0x20801303, 380, V(450, 0, 0), board_fb_info },
	{ 0x20801303, 412, V(460, 0, 0), board_fb_info },
	{ 0x20801303, 436, V(510, 0, 0), board_fb_info },
	{ 0x20801303, 444, V(545, 0, 0), board_fb_info },
	{ 0x20801303, 460, V(560, 0, 0), board_fb_info },
	{ 0x20801303, 1028, V(580, 0, 0), board_fb_info },
	{ NV_CTRL_FB_GET_REMAPPED_ROWS, 6152, V(450, 0, 0), sim_state_rows },
	{ 0x20801701, 16, 0, board_arch },
	{ 0x20801801, 16, 0, board_pci_ids },
	{ NV_CTRL_BUS_GET_INFO, 16, 0, board_bus_info },
	{ NV_CTRL_BUS_GET_PEX_COUNTERS, 76, 0, sim_state_replays },
	{ NV_CTRL_BUS_GET_PEX_UTIL_COUNTERS, 32, 0, sim_state_traffic },
	{ NV_CTRL_PERF_GET_CURRENT_PSTATE, 4, V(545, 0, 0), sim_state_pstate },
	{ NV_CTRL_NVLINK_GET_CAPS, 16, V(515, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_GET_CAPS, 32, V(570, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_GET_CAPS, 48, V(580, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_GET_COUNTERS, 8464, V(515, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_GET_COUNTERS, 16912, V(570, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_GET_COUNTERS, 16928, V(580, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_READ_TP_COUNTERS, 1040, V(515, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_READ_TP_COUNTERS, 2064, V(570, 0, 0), sim_state_nvlink },
	{ NV_CTRL_NVLINK_READ_TP_COUNTERS, 2080, V(580, 0, 0), sim_state_nvlink },
	{ 0x20803601, 72, 0, board_gsp },
	{ NV_CTRL_THERMAL_SYSTEM_EXECUTE_V2, 1432, V(525, 0, 0), sim_state_thermal },
	{ NV_CTRL_PERF_GET_CURRENT_PSTATE_OLD, 4, V(525, 0, 0), sim_state_pstate },
	{ NV_CTRL_PMGR_GET_POWER, 16916, V(580, 0, 0), sim_state_energy },
	{ NV_CTRL_PMGR_GET_POWER, 0, V(590, 0, 0), board_zero },	/* not known */
	{ 0x208f1105, 8, 0, board_zero },	/* GPU_VERIFY_INFOROM */
};

u32 sim_board_control(struct sim *sim, struct sim_call *call)
{
	const struct board_control *found = 0;
	u32 i;

	for (i = 0; i < COUNT(board_controls); i++)
		if (board_controls[i].cmd == call->cmd &&
		    sim_at_least(sim, board_controls[i].since))
			found = &board_controls[i];
	if (!found)
		return NV_ERR_NOT_SUPPORTED;
	if (found->size != call->size)
		return NV_ERR_INVALID_PARAM_STRUCT;
	if (call->cmd >> 16 == NV20_SUBDEVICE_0 && !call->gpu)
		return NV_ERR_INVALID_OBJECT_HANDLE;
	return found->answer(sim, call);
}

static const struct sim_embedded board_pointers[] = {
	{ NV_CTRL_GPU_GET_CLASSLIST, 16, .ptr = 8, .count = 0, .elem = 4, .out_only = 1 },
	{ NV_CTRL_GPU_GET_INFO, 16, .ptr = 8, .count = 0, .elem = 8 },
	{ 0x20800802, 16, .ptr = 8, .count = 0, .elem = 8 },
	{ NV_CTRL_FB_GET_INFO, 16, .ptr = 8, .count = 0, .elem = 8 },
	{ NV_CTRL_BUS_GET_INFO, 16, .ptr = 8, .count = 0, .elem = 8 },
};

const struct sim_embedded *sim_board_embedded(const struct sim *sim, u32 cmd)
{
	u32 i;

	for (i = 0; i < COUNT(board_pointers); i++)
		if (board_pointers[i].cmd == cmd)
			return &board_pointers[i];
	return 0;
}
