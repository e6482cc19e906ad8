/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a GPU is: temperature, power, clocks, its link, its errors.
 *
 * There are two sources. The page that a driver from 545 on shares with all clients of a
 * GPU (class 0x00de, cl00de.h), which its firmware fills with what any of them has asked
 * for: open drivers, and proprietary ones with firmware or, from 565 on, a GPU of GA102 or
 * newer. And controls whose params are in public headers. All else is not known:
 * there are other controls that say it, in layouts that NVIDIA keeps to itself.
 */
#ifndef MPU_NVIDIA_STATE_H
#define MPU_NVIDIA_STATE_H

#include "core/page.h"
#include "nvidia/rm.h"

/* Values that are known of a GPU. */
enum gpu_value {
	GPU_TEMPERATURE,		/* degrees Celsius */
	GPU_MEMORY_TEMPERATURE,
	GPU_POWER,			/* mW, the driver's average where it has one */
	GPU_POWER_LIMIT,		/* mW, the one that is enforced */
	GPU_FAN,			/* turns a minute, the first that turns */
	GPU_SM_CLOCK,			/* MHz */
	GPU_MEMORY_CLOCK,
	GPU_PSTATE,			/* 0 is P0, the fastest */
	GPU_THROTTLE,			/* set of enum gpu_throttle */
	GPU_PCIE_GENERATION,		/* as the link is now */
	GPU_PCIE_WIDTH,
	GPU_PCIE_GENERATION_MAX,	/* of the GPU's side */
	GPU_PCIE_WIDTH_MAX,
	GPU_PCIE_SENT,			/* bytes a second */
	GPU_PCIE_RECEIVED,
	GPU_ECC,			/* 1: on */
	GPU_ECC_CORRECTED,		/* errors ever, of all memories */
	GPU_ECC_UNCORRECTED,
	GPU_ROWS_CORRECTABLE,		/* rows replaced after such errors */
	GPU_ROWS_UNCORRECTABLE,
	GPU_ROWS_PENDING,		/* 1: the next reset replaces some */
	GPU_ROWS_FAILED,		/* 1: no row was left to replace one */
	GPU_RETIRED_PAGES,		/* before there were rows: up to Turing */
	GPU_MIG,			/* 1: on */
	GPU_MPS_CLIENTS,		/* processes that use it by an MPS server */
	GPU_XID,			/* these two host/xid.h knows */
	GPU_XID_TIME,			/* seconds since 1970 */
	GPU_VALUES,
};

/* Why clocks are lower than they could be: RUSD_CLK_THROTTLE_REASON_*. */
enum gpu_throttle {
	GPU_THROTTLE_IDLE, GPU_THROTTLE_APPLICATION_CLOCKS, GPU_THROTTLE_SW_POWER_CAP,
	GPU_THROTTLE_HW_SLOWDOWN, GPU_THROTTLE_SYNC_BOOST, GPU_THROTTLE_SW_THERMAL,
	GPU_THROTTLE_HW_THERMAL, GPU_THROTTLE_HW_POWER_BRAKE, GPU_THROTTLE_DISPLAY_CLOCKS,
	GPU_THROTTLE_BOARD_LIMIT, GPU_THROTTLE_RELIABILITY, GPU_THROTTLES,
};

/* Their names, as nvidia-smi's query calls them: "sw_power_cap" ... */
extern const char *const gpu_throttle_names[GPU_THROTTLES];

/**
 * struct gpu_state - how a GPU is
 * @known:	set of enum gpu_value (1 << value)
 * @value:	those of them
 */
struct gpu_state {
	u32 known;
	u64 value[GPU_VALUES];
};

static inline bool gpu_state_has(const struct gpu_state *state, enum gpu_value value)
{
	return state->known >> value & 1;
}

static inline void gpu_state_take(struct gpu_state *state, enum gpu_value value, u64 n)
{
	state->known |= 1u << value;
	state->value[value] = n;
}

/**
 * gpu_state_read_page() - take what is in the page
 * @page:	its bytes, which may change meanwhile
 * @before:	the times of its parts, before it was asked for: a part that still has that
 *		is old, and says nothing
 *
 * Return: is all there that a GPU has as a rule?
 */
bool gpu_state_read_page(struct gpu_state *state, const struct mpu_page_layout *layout,
			 const u8 *page, const u64 before[MPU_PAGE_PARTS]);

/**
 * struct gpu_question - what is under way about an attached GPU
 *
 * The fields are the library's own.
 */
struct gpu_question {
	const struct rm_gpu *gpu;
	const struct mpu_page_layout *layout;
	const u8 *page;
	int fd;
	u32 branch, object;
	u64 before[MPU_PAGE_PARTS];
};

/** gpu_state_ask() - ask for the state of an attached GPU; gpu_state_end() is due */
void gpu_state_ask(struct rm *rm, const struct rm_gpu *gpu, u32 branch,
		   struct gpu_question *question);

/**
 * gpu_state_wait() - receive what was asked for, of @n GPUs
 *
 * The firmware writes once in 100 ms, of a GPU for desktops once in 500 ms: that long it
 * takes, and a driver without the page 20 ms.
 */
void gpu_state_wait(struct rm *rm, struct gpu_question *question,
		    struct gpu_state *state, u32 n);

/** gpu_state_end() - nobody waits for it any more */
void gpu_state_end(struct rm *rm, struct gpu_question *question);

#endif /* MPU_NVIDIA_STATE_H */
