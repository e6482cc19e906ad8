/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Written by abi/gen.awk from abi/controls.tsv: edit that, then `make generate`. */
#ifndef MPU_CORE_CONTROLS_H
#define MPU_CORE_CONTROLS_H

#include "row.h"

#define MPU_NEWEST 615	/* branch of the newest driver the rows were compared with */
#define MPU_ROWS 22
#define MPU_ASK_MAX 200	/* elements of the largest question */
#define MPU_LIST_MAX 4000	/* elements of the longest answer */
#define MPU_PLACES_MAX 100	/* elements of the longest that keeps them all */
#define MPU_FIELDS_MAX 6	/* PIDs of one element */
#define MPU_PARAMS_MAX 55888	/* bytes of the largest params */

#define MPU_EACH_INTERFACE(X) X(0x000006) X(0x00000b) X(0x008002) X(0x208001) X(0x208020) X(0x2080a0) X(0x90cc01)

/* Indices of mpu_control_names[]. */
enum mpu_control {
	MPU_NV0000_CTRL_CMD_NVD_GET_RCERR_RPT,
	MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO,
	MPU_NV0000_CTRL_CMD_GPUACCT_GET_ACCOUNTING_PIDS,
	MPU_NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO_V2,
	MPU_NV0080_CTRL_CMD_GPU_GET_PIDS,
	MPU_NV0080_CTRL_CMD_GPU_GET_PID_INFO,
	MPU_NV2080_CTRL_GPU_GET_NVENC_SW_SESSION_INFO,
	MPU_NV2080_CTRL_GPU_GET_NVFBC_SW_SESSION_INFO,
	MPU_NV2080_CTRL_CMD_GPU_GET_PIDS,
	MPU_NV2080_CTRL_CMD_GPU_GET_PID_INFO,
	MPU_NV2080_CTRL_GPU_GET_NVENC_SW_SESSION_INFO_V2,
	MPU_NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES,
	MPU_NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2,
	MPU_NV90CC_CTRL_CMD_HWPM_GET_RESERVATION_INFO,
	MPU_CONTROLS
};

/* Sorted by cmd, size, stride. */
static const struct mpu_row mpu_rows[MPU_ROWS] __attribute__((__unused__)) = {
	{
		.cmd = 0x00000607, .size = 2436, .control = 0,
		.dir = MPU_OUT, .own = 1, .drop = 0, .fields = 1, .step = 0,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 0, .stride = 2436, .cap = 1, .pid = 32,
		.blank_off = 0, .blank_len = 4, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 515, .none = 0,
	},
	{
		.cmd = 0x00000b03, .size = 48, .control = 1,
		.dir = MPU_IN, .own = 0, .drop = 0, .fields = 1, .step = 0,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 0, .stride = 48, .cap = 1, .pid = 4,
		.blank_off = 8, .blank_len = 36, .pointer = MPU_NO_OFFSET,
		.time = 32, .ended = 1, .native = 0, .since = 390, .none = 0,
	},
	{
		.cmd = 0x00000b04, .size = 16012, .control = 2,
		.dir = MPU_OUT, .own = 0, .drop = 1, .fields = 1, .step = 0,
		.count = 16008, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 8, .stride = 4, .cap = 4000, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 1, .native = 0, .since = 390, .none = 0,
	},
	{
		.cmd = 0x00000b06, .size = 64, .control = 3,
		.dir = MPU_IN, .own = 0, .drop = 0, .fields = 1, .step = 0,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 0, .stride = 64, .cap = 1, .pid = 4,
		.blank_off = 8, .blank_len = 52, .pointer = MPU_NO_OFFSET,
		.time = 32, .ended = 1, .native = 0, .since = 610, .none = 0,
	},
	{
		.cmd = 0x00800202, .size = 3812, .control = 4,
		.dir = MPU_OUT, .own = 0, .drop = 1, .fields = 1, .step = 0,
		.count = 8, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 12, .stride = 4, .cap = 950, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 390, .none = 0,
	},
	{
		.cmd = 0x00800203, .size = 8008, .control = 5,
		.dir = MPU_IN, .own = 0, .drop = 0, .fields = 1, .step = 0,
		.count = 0, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 8, .stride = 40, .cap = 200, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 390, .none = 0,
	},
	{
		.cmd = 0x2080016e, .size = 16, .control = 6,
		.dir = MPU_OUT, .own = 0, .drop = 1, .fields = 1, .step = 0,
		.count = 0, .ptr = 8, .bytes = MPU_NO_OFFSET,
		.base = 0, .stride = 32, .cap = 512, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 515, .none = 0,
	},
	{
		.cmd = 0x2080017c, .size = 13316, .control = 7,
		.dir = MPU_OUT, .own = 0, .drop = 1, .fields = 1, .step = 0,
		.count = 0, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 4, .stride = 52, .cap = 256, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 515, .none = 0,
	},
	{
		.cmd = 0x2080018d, .size = 3812, .control = 8,
		.dir = MPU_OUT, .own = 0, .drop = 1, .fields = 1, .step = 0,
		.count = 8, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 12, .stride = 4, .cap = 950, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 1, .since = 450, .none = 0,
	},
	{
		.cmd = 0x2080018e, .size = 8008, .control = 9,
		.dir = MPU_IN, .own = 0, .drop = 0, .fields = 1, .step = 0,
		.count = 0, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 8, .stride = 40, .cap = 200, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 1, .since = 0, .none = 0,
	},
	{
		.cmd = 0x2080018e, .size = 9608, .control = 9,
		.dir = MPU_IN, .own = 0, .drop = 0, .fields = 1, .step = 0,
		.count = 0, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 8, .stride = 48, .cap = 200, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 1, .since = 450, .none = 0,
	},
	{
		.cmd = 0x2080018e, .size = 14408, .control = 9,
		.dir = MPU_IN, .own = 0, .drop = 0, .fields = 1, .step = 0,
		.count = 0, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 8, .stride = 72, .cap = 200, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 1, .since = 515, .none = 0,
	},
	{
		.cmd = 0x208001a9, .size = 16388, .control = 10,
		.dir = MPU_OUT, .own = 0, .drop = 1, .fields = 1, .step = 0,
		.count = 0, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 4, .stride = 32, .cap = 512, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 525, .none = 0,
	},
	{
		.cmd = 0x208001af, .size = 16388, .control = 10,
		.dir = MPU_OUT, .own = 0, .drop = 1, .fields = 1, .step = 0,
		.count = 0, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 4, .stride = 32, .cap = 512, .pid = 0,
		.blank_off = 0, .blank_len = 0, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 530, .none = 0,
	},
	{
		.cmd = 0x20802083, .size = 24, .control = 11,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 4, .step = 116,
		.count = MPU_NO_OFFSET, .ptr = 16, .bytes = 4,
		.base = 0, .stride = 472, .cap = 100, .pid = 16,
		.blank_off = -8, .blank_len = 116, .pointer = MPU_NO_OFFSET,
		.time = 0, .ended = 0, .native = 0, .since = 390, .none = 0xffffffff,
	},
	{
		.cmd = 0x20802096, .size = 34000, .control = 12,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 4, .step = 116,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 16, .stride = 472, .cap = 72, .pid = 16,
		.blank_off = -8, .blank_len = 116, .pointer = MPU_NO_OFFSET,
		.time = 0, .ended = 0, .native = 0, .since = 515, .none = 0xffffffff,
	},
	{
		.cmd = 0x20802096, .size = 47216, .control = 12,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 4, .step = 116,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 16, .stride = 472, .cap = 100, .pid = 16,
		.blank_off = -8, .blank_len = 116, .pointer = MPU_NO_OFFSET,
		.time = 0, .ended = 0, .native = 0, .since = 515, .none = 0xffffffff,
	},
	{
		.cmd = 0x20802096, .size = 50704, .control = 12,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 6, .step = 116,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 16, .stride = 704, .cap = 72, .pid = 16,
		.blank_off = -8, .blank_len = 116, .pointer = MPU_NO_OFFSET,
		.time = 0, .ended = 0, .native = 0, .since = 550, .none = 0xffffffff,
	},
	{
		.cmd = 0x20802096, .size = 55888, .control = 12,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 6, .step = 128,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 16, .stride = 776, .cap = 72, .pid = 16,
		.blank_off = -8, .blank_len = 128, .pointer = 112,
		.time = 0, .ended = 0, .native = 0, .since = 570, .none = 0xffffffff,
	},
	{
		.cmd = 0x2080a083, .size = 24, .control = 11,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 4, .step = 116,
		.count = MPU_NO_OFFSET, .ptr = 16, .bytes = 4,
		.base = 0, .stride = 472, .cap = 100, .pid = 16,
		.blank_off = -8, .blank_len = 116, .pointer = MPU_NO_OFFSET,
		.time = 0, .ended = 0, .native = 0, .since = 515, .none = 0xffffffff,
	},
	{
		.cmd = 0x2080a083, .size = 24, .control = 11,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 6, .step = 116,
		.count = MPU_NO_OFFSET, .ptr = 16, .bytes = 4,
		.base = 0, .stride = 704, .cap = 72, .pid = 16,
		.blank_off = -8, .blank_len = 116, .pointer = MPU_NO_OFFSET,
		.time = 0, .ended = 0, .native = 0, .since = 550, .none = 0xffffffff,
	},
	{
		.cmd = 0x90cc0103, .size = 12, .control = 13,
		.dir = MPU_OUT, .own = 0, .drop = 0, .fields = 1, .step = 0,
		.count = MPU_NO_OFFSET, .ptr = MPU_NO_OFFSET, .bytes = MPU_NO_OFFSET,
		.base = 0, .stride = 12, .cap = 1, .pid = 4,
		.blank_off = -4, .blank_len = 12, .pointer = MPU_NO_OFFSET,
		.time = MPU_NO_OFFSET, .ended = 0, .native = 0, .since = 515, .none = 0,
	},
};

#ifndef __bpf__
static const char *const mpu_control_names[MPU_CONTROLS]
	__attribute__((__unused__)) = {
	"NV0000_CTRL_CMD_NVD_GET_RCERR_RPT",
	"NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO",
	"NV0000_CTRL_CMD_GPUACCT_GET_ACCOUNTING_PIDS",
	"NV0000_CTRL_CMD_GPUACCT_GET_PROC_ACCOUNTING_INFO_V2",
	"NV0080_CTRL_CMD_GPU_GET_PIDS",
	"NV0080_CTRL_CMD_GPU_GET_PID_INFO",
	"NV2080_CTRL_GPU_GET_NVENC_SW_SESSION_INFO",
	"NV2080_CTRL_GPU_GET_NVFBC_SW_SESSION_INFO",
	"NV2080_CTRL_CMD_GPU_GET_PIDS",
	"NV2080_CTRL_CMD_GPU_GET_PID_INFO",
	"NV2080_CTRL_GPU_GET_NVENC_SW_SESSION_INFO_V2",
	"NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES",
	"NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2",
	"NV90CC_CTRL_CMD_HWPM_GET_RESERVATION_INFO",
};
#endif

#endif /* MPU_CORE_CONTROLS_H */
