/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated GPUs: which board a driver of some age is given, and its facts.
 */
#ifndef MPU_SIM_GPU_H
#define MPU_SIM_GPU_H

#include "sim/sim.h"

#define SIM_PCI_VENDOR	0x10de

/**
 * struct sim_board - a GPU as it is sold
 *
 * libnvidia-ml works only on an architecture it knows, and only if the class
 * list names that architecture's compute class.
 *
 * @since:	first driver version that gets this board
 * @arch:	architecture in NV2080_CTRL_CMD_MC_GET_ARCH_INFO
 * @compute:	its compute class (0x..c0); graphics (0x..97), channel (0x..6f)
 *		and DMA classes go with it
 * @device:	PCI device number
 * @mig:	NV2080_CTRL_GPU_INFO_GPU_SMC_MODE_*: it is never on
 * @mib:	memory; 390 calls more than 128 GiB an unknown error
 */
struct sim_board {
	u32 since;
	u32 arch;
	u32 compute;
	u32 device;
	u32 mig;
	u32 mib;
	const char *name;
};

/** sim_board_of() - the board that all GPUs of this RM are */
const struct sim_board *sim_board_of(const struct sim *sim);

/** sim_gpus_init() - every GPU as it is before the first client */
void sim_gpus_init(struct sim *sim);

/** sim_gpu_find() - the GPU with this gpuId, or NULL */
struct sim_gpu *sim_gpu_find(struct sim *sim, u32 id);

/** sim_gpu_has_class() - may an object of this class be allocated on a GPU? */
bool sim_gpu_has_class(const struct sim *sim, u32 class);

/* Channels of any generation: the simulated RM knows only the family of classes. */
static inline bool sim_is_channel(u32 class)
{
	return (class & 0xff) == 0x6f;
}

/* gpuIds are bus << 8, as RM makes them for domain 0, slot 0. */
static inline u32 sim_gpu_bus(const struct sim_gpu *gpu)
{
	return gpu->id >> 8;
}

#endif /* MPU_SIM_GPU_H */
