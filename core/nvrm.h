/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The part of NVIDIA's ioctl boundary that is the same in every driver: its entry
 * functions, the escapes, the argument block of RM_CONTROL, RM's status words, and the
 * classes and controls of questions without PIDs. Names and numbers are those of
 * open-gpu-kernel-modules: nv.c, nv_escape.h, nvos.h, nvstatuscodes.h,
 * src/common/sdk/nvidia/inc/{class,ctrl}/.
 */
#ifndef MPU_CORE_NVRM_H
#define MPU_CORE_NVRM_H

#ifndef __ASSEMBLY__
#include "env.h"
#endif

#define NV_MAJOR		195
#define NV_MINOR_CTL		255

/* The functions that ioctl(2) calls: to 535 two, for 64- and 32-bit callers. */
#define NV_ENTRY		"nvidia_unlocked_ioctl"
#define NV_ENTRY_535		"nvidia_frontend_unlocked_ioctl"
#define NV_ENTRY_535_COMPAT	"nvidia_frontend_compat_ioctl"

/* Dispatch looks at _IOC_NR and _IOC_SIZE only (nv.c, nvidia_ioctl()). */
#define NV_ESC_RM_FREE		0x29
#define NV_ESC_RM_CONTROL	0x2a
#define NV_ESC_RM_ALLOC		0x2b
#define NV_ESC_RM_MAP_MEMORY	0x4e
#define NV_ESC_CARD_INFO	0xc8
#define NV_ESC_REGISTER_FD	0xc9
#define NV_ESC_CHECK_VERSION	0xd2
#define NV_ESC_XFER		0xd3

#define NV_OK				0x00
#define NV_ERR_GPU_IS_LOST		0x0f
#define NV_ERR_INSERT_DUPLICATE_NAME	0x19
#define NV_ERR_INSUFFICIENT_RESOURCES	0x1a
#define NV_ERR_INSUFFICIENT_PERMISSIONS	0x1b
#define NV_ERR_INVALID_ADDRESS		0x1e
#define NV_ERR_INVALID_ARGUMENT		0x1f
#define NV_ERR_INVALID_CLASS		0x22
#define NV_ERR_INVALID_CLIENT		0x23
#define NV_ERR_INVALID_COMMAND		0x24
#define NV_ERR_INVALID_DEVICE		0x26
#define NV_ERR_INVALID_LIMIT		0x2e
#define NV_ERR_INVALID_OBJECT		0x31
#define NV_ERR_INVALID_OBJECT_HANDLE	0x33
#define NV_ERR_INVALID_OBJECT_PARENT	0x36
#define NV_ERR_INVALID_PARAM_STRUCT	0x3a
#define NV_ERR_INVALID_POINTER		0x3d
#define NV_ERR_INVALID_STATE		0x40
#define NV_ERR_MISSING_TABLE_ENTRY	0x4a
#define NV_ERR_NO_MEMORY		0x51
#define NV_ERR_NOT_SUPPORTED		0x56
#define NV_ERR_OBJECT_NOT_FOUND		0x57
#define NV_ERR_RESET_REQUIRED		0x62
#define NV_ERR_STATE_IN_USE		0x63
#define NV_ERR_TIMEOUT			0x65

#define NV01_ROOT			0x0000
#define NV01_ROOT_NON_PRIV		0x0001
#define NV01_MEMORY_LOCAL_USER		0x0040
#define NV01_ROOT_CLIENT		0x0041
#define NV01_DEVICE_0			0x0080
#define RM_USER_SHARED_DATA		0x00de
#define NV20_SUBDEVICE_0		0x2080
#define AMPERE_SMC_PARTITION_REF	0xc637
#define AMPERE_SMC_EXEC_PARTITION_REF	0xc638

/* NVxxxx_CTRL_CMD_..., by the class that stands in the upper half of the number. */
#define NV_CTRL_GPU_GET_ID_INFO			0x00000202
#define NV_CTRL_GPU_GET_PROBED_IDS		0x00000214
#define NV_CTRL_GPU_ATTACH_IDS			0x00000215
#define NV_CTRL_GPU_DETACH_IDS			0x00000216
#define NV_CTRL_GPUACCT_SET_ACCOUNTING_STATE	0x00000b01
#define NV_CTRL_GPUACCT_GET_ACCOUNTING_STATE	0x00000b02
#define NV_CTRL_GPUACCT_GET_PROC_ACCOUNTING_INFO	0x00000b03
#define NV_CTRL_GPUACCT_GET_ACCOUNTING_PIDS	0x00000b04
#define NV_CTRL_GPU_GET_CLASSLIST		0x00800201
#define NV_CTRL_GPU_GET_CLASSLIST_V2		0x00800292
#define NV_CTRL_MEMACCT_SET_LIMITS		0x00003d0d
#define NV_CTRL_REQUEST_DATA_POLL		0x00de0001
#define NV_CTRL_GPU_GET_INFO			0x20800101
#define NV_CTRL_GPU_GET_NAME_STRING		0x20800110
#define NV_CTRL_GPU_QUERY_ECC_STATUS		0x2080012f
#define NV_CTRL_GPU_GET_GID_INFO		0x2080014a
#define NV_CTRL_GPU_GET_PIDS			0x2080018d
#define NV_CTRL_GPU_GET_PID_INFO		0x2080018e
#define NV_CTRL_GPU_RUSD_SET_FEATURES		0x208001eb
#define NV_CTRL_EVENT_SET_NOTIFICATION		0x20800301
#define NV_CTRL_FB_GET_INFO			0x20801301
#define NV_CTRL_FB_GET_OFFLINED_PAGES		0x20801322
#define NV_CTRL_FB_GET_REMAPPED_ROWS		0x20801344
#define NV_CTRL_BUS_GET_INFO			0x20801802
#define NV_CTRL_BUS_GET_PEX_COUNTERS		0x20801813
#define NV_CTRL_BUS_GET_PEX_UTIL_COUNTERS	0x20801819
#define NV_CTRL_PERF_GET_CURRENT_PSTATE		0x20802068
#define NV_CTRL_THERMAL_SYSTEM_EXECUTE_V2	0x20808513	/* ..._PHYSICAL */
#define NV_CTRL_PERF_GET_CURRENT_PSTATE_OLD	0x2080a068
#define NV_CTRL_NVLINK_GET_CAPS			0x20803001
#define NV_CTRL_NVLINK_GET_COUNTERS		0x20803004
#define NV_CTRL_NVLINK_READ_TP_COUNTERS		0x20803015
#define NV_CTRL_PMGR_GET_POWER			0x2080a613	/* in no public header */
#define NV_CTRL_EXEC_PARTITION_GET_UUID		0xc6380101

/* Bits that make a number of a control, or of a class, one that RM does not have. */
#define NV_CTRL_NONE		0x00007f00
#define NV_CLASS_NONE		0x00ff0000

/* NV_ABSOLUTE_MAX_IOCTL_SIZE: what the inner size of NV_ESC_XFER may be. */
#define NV_XFER_MAX		16384

#ifndef __ASSEMBLY__

/* NVOS54_PARAMETERS, the argument of NV_ESC_RM_CONTROL: 32 bytes. */
struct nv_control {
	u32 client;
	u32 object;
	u32 cmd;
	u32 flags;
	u64 params;
	u32 size;
	u32 status;
};

/* NVOS21_PARAMETERS, NVOS64_PARAMETERS: what the arguments of NV_ESC_RM_ALLOC begin with. */
struct nv_alloc_head {
	u32 client;
	u32 parent;
	u32 object;
	u32 class;
	u64 params;
};

/* nv_ioctl_xfer_t, the argument of NV_ESC_XFER: any escape, by pointer. */
struct nv_xfer {
	u32 nr;
	u32 size;
	u64 ptr;
};

#endif /* __ASSEMBLY__ */

#endif /* MPU_CORE_NVRM_H */
