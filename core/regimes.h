/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Written by abi/regimes.awk from abi/regimes.tsv and abi/pid_space.tsv: edit
 * those, then `make generate`.
 */
#ifndef MPU_CORE_REGIMES_H
#define MPU_CORE_REGIMES_H

#include "controls.h"

/* The PID space of the numbers that a driver gives to a process in a PID namespace. */
enum mpu_pid_space {
	MPU_PIDS_GLOBAL,	/* the initial namespace's */
	MPU_PIDS_LOCAL,	/* the caller's */
	MPU_PIDS_MIXED,	/* global where a kernel address stands beside them */
	MPU_PID_SPACES
};

/* The ways in which drivers treat PID namespaces, in the order they came. */
enum mpu_regime {
	MPU_R0,
	MPU_R1,
	MPU_R2,
	MPU_R3_EARLY,
	MPU_R3,
	MPU_R4,
	MPU_REGIMES
};

#define MPU_DRIVER(a, b, c) ((a) * 1000000u + (b) * 1000u + (c))

/* First versions, of each flavour in ascending order. */
static const struct mpu_range {
	u32 since;	/* MPU_DRIVER() */
	u8 open;
	u8 regime;
} mpu_ranges[13] __attribute__((__unused__)) = {
	{ 515043004, 1, MPU_R0 },	/* 515.43.04 */
	{ 535043024, 1, MPU_R1 },	/* 535.43.24 */
	{ 535054003, 1, MPU_R0 },	/* 535.54.03 */
	{ 535113001, 1, MPU_R1 },	/* 535.113.01 */
	{ 565057001, 1, MPU_R2 },	/* 565.57.01 */
	{ 570086015, 1, MPU_R3_EARLY },	/* 570.86.15 */
	{ 570123011, 1, MPU_R3 },	/* 570.123.11 */
	{ 570124004, 1, MPU_R3_EARLY },	/* 570.124.04 */
	{ 570133020, 1, MPU_R3 },	/* 570.133.20 */
	{ 570148008, 1, MPU_R4 },	/* 570.148.08 */
	{ 575051002, 1, MPU_R3 },	/* 575.51.02 */
	{ 575057008, 1, MPU_R4 },	/* 575.57.08 */
	{ 390000000, 0, MPU_R0 },	/* 390 */
};

/* The regime of a driver of this flavour and version; MPU_REGIMES: it is not known. */
static __always_inline enum mpu_regime mpu_regime_of(bool open, u32 version)
{
	enum mpu_regime regime = MPU_REGIMES;
	u32 i;

	for (i = 0; i < 13; i++)
		if (mpu_ranges[i].open == open && mpu_ranges[i].since <= version)
			regime = mpu_ranges[i].regime;
	return regime;
}

/* enum mpu_pid_space, by regime and control: global where nothing is said. */
static const u8 mpu_regime_pid_space[MPU_REGIMES][MPU_CONTROLS]
	__attribute__((__unused__)) = {
	[MPU_R1] = {
		[MPU_NV0080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
	},
	[MPU_R2] = {
		[MPU_NV0080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV0080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
	},
	[MPU_R3_EARLY] = {
		[MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO_V2] = MPU_PIDS_LOCAL,
		[MPU_NV0000_CTRL_CMD_GPUACCT_GET_ACCOUNTING_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV0080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV0080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2] = MPU_PIDS_MIXED,
	},
	[MPU_R3] = {
		[MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO_V2] = MPU_PIDS_LOCAL,
		[MPU_NV0080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV0080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2] = MPU_PIDS_MIXED,
	},
	[MPU_R4] = {
		[MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO_V2] = MPU_PIDS_LOCAL,
		[MPU_NV0080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV0080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PIDS] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_GPU_GET_PID_INFO] = MPU_PIDS_LOCAL,
		[MPU_NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2] = MPU_PIDS_MIXED,
	},
};

#ifndef __bpf__
static const char *const mpu_pid_space_names[MPU_PID_SPACES]
	__attribute__((__unused__)) = {
	"global",
	"local",
	"mixed",
};

static const char *const mpu_regime_names[MPU_REGIMES]
	__attribute__((__unused__)) = {
	"R0",
	"R1",
	"R2",
	"R3-early",
	"R3",
	"R4",
};
#endif

#endif /* MPU_CORE_REGIMES_H */
