// SPDX-License-Identifier: GPL-2.0-only
/*
 * The simulated GPUs: what they are, whatever a client makes of them.
 */
#include "sim/gpu.h"

#define V MPU_DRIVER

static const struct sim_board boards[] = {
	{ 0,            0x140, 0xc3c0, 0x1db1, 0, 16384, "Simulated V100" },
	{ V(450, 0, 0), 0x170, 0xc6c0, 0x20b0, 2, 40960, "Simulated A100" },
	{ V(525, 0, 0), 0x180, 0xcbc0, 0x2330, 2, 81920, "Simulated H100" },
};

const struct sim_board *sim_board_of(const struct sim *sim)
{
	u32 i = sizeof(boards) / sizeof(boards[0]);

	while (--i && !sim_at_least(sim, boards[i].since))
		;
	return &boards[i];
}

void sim_gpus_init(struct sim *sim)
{
	u32 i;

	for (i = 0; i < SIM_GPUS; i++)
		sim->gpu[i] = (struct sim_gpu){
			.index = i,
			.id = (i + 1) << 8,
			.fb_bytes = (u64)sim_board_of(sim)->mib << 20,
			.accounting = sim->config.accounting,
			.hwpm_client = SIM_NONE,
		};
}

struct sim_gpu *sim_gpu_find(struct sim *sim, u32 id)
{
	u32 i;

	for (i = 0; i < sim->config.gpus; i++)
		if (sim->gpu[i].id == id)
			return &sim->gpu[i];
	return 0;
}

/*
 * Refused: the display class (0x73), as by GPUs without a display, and before 590 the
 * shared page, so that clients ask by controls.
 */
bool sim_gpu_has_class(const struct sim *sim, u32 class)
{
	u32 compute = sim_board_of(sim)->compute;

	switch (class) {
	case NV01_DEVICE_0:
	case NV20_SUBDEVICE_0:
	case NV01_MEMORY_LOCAL_USER:
	case MPS_COMPUTE:
	case GF100_PROFILER:
	case NVENC_SW_SESSION:
	case NVFBC_SW_SESSION:
	/* nvidia-smi allocates these, and they hold nothing here. */
	case 0x2081:		/* NV2081_BINAPI */
	case 0x208f:		/* NV20_SUBDEVICE_DIAG */
	case 0x90e7:		/* GF100_SUBDEVICE_INFOROM */
	case 0xa083:		/* NVA083_GRID_DISPLAYLESS */
	case 0xc639:		/* AMPERE_SMC_CONFIG_SESSION */
	case 0xc640:		/* AMPERE_SMC_MONITOR_SESSION */
		return true;
	case RM_USER_SHARED_DATA:
		return sim_at_least(sim, V(545, 23, 6));
	}
	return sim_is_channel(class) || class == compute || class == ((compute & 0xff00) | 0x97);
}
