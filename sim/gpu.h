/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated board: what board.c and escapes.c both say about a GPU.
 */
#ifndef MPU_SIM_GPU_H
#define MPU_SIM_GPU_H

#include "sim/sim.h"

#define BOARD_VENDOR	0x10de

/*
 * struct board - the GPU a driver of some age is given
 *
 * libnvidia-ml works only on an architecture it knows, and only if the class
 * list names that architecture's compute class.
 *
 * @since:	first driver version that gets this board
 * @arch:	architecture in NV2080_CTRL_CMD_MC_GET_ARCH_INFO
 * @compute:	its compute class; graphics and DMA classes go with it
 * @device:	PCI device number
 * @mig:	NV2080_CTRL_GPU_INFO_GPU_SMC_MODE_*: it is never on
 * @mib:	memory; 390 calls more than 128 GiB an unknown error
 */
struct board {
	u32 since;
	u32 arch;
	u32 compute;
	u32 device;
	u32 mig;
	u32 mib;
	const char *name;
};

const struct board *board_of(const struct sim *sim);

/** board_gpu() - the GPU with this gpuId, or NULL */
const struct sim_gpu *board_gpu(const struct sim *sim, u32 id);

/** board_text() - copy a string, at most @room bytes with its end */
void board_text(void *to, const char *from, u32 room);

static inline void board_put16(void *buf, u32 off, u32 value)
{
	((u8 *)buf)[off] = value;
	((u8 *)buf)[off + 1] = value >> 8;
}

/* gpuIds are bus << 8, as RM makes them for domain 0, slot 0. */
static inline u32 board_bus(const struct sim_gpu *gpu)
{
	return gpu->id >> 8;
}

#endif /* MPU_SIM_GPU_H */
