/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The few numbers of NVIDIA's ioctl boundary that are the same in every
 * driver: the escapes, the argument block of RM_CONTROL, RM status words.
 * Source: open-gpu-kernel-modules, nv_escape.h, nvos.h, nvstatuscodes.h.
 */
#ifndef MPU_CORE_NVRM_H
#define MPU_CORE_NVRM_H

#ifndef __ASSEMBLY__
#include "env.h"
#endif

#define NV_MAJOR		195
#define NV_MINOR_CTL		255

/* Dispatch looks at _IOC_NR and _IOC_SIZE only (nv.c, nvidia_ioctl()). */
#define NV_ESC_RM_FREE		0x29
#define NV_ESC_RM_CONTROL	0x2a
#define NV_ESC_RM_ALLOC		0x2b
#define NV_ESC_CARD_INFO	0xc8
#define NV_ESC_REGISTER_FD	0xc9
#define NV_ESC_CHECK_VERSION	0xd2
#define NV_ESC_XFER		0xd3

#define NV_OK				0x00
#define NV_ERR_INVALID_ADDRESS		0x1e
#define NV_ERR_INVALID_ARGUMENT		0x1f
#define NV_ERR_NO_MEMORY		0x51
#define NV_ERR_NOT_SUPPORTED		0x56
#define NV_ERR_OBJECT_NOT_FOUND		0x57

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

/* nv_ioctl_xfer_t, the argument of NV_ESC_XFER: any escape, by pointer. */
struct nv_xfer {
	u32 nr;
	u32 size;
	u64 ptr;
};

#endif /* __ASSEMBLY__ */

#endif /* MPU_CORE_NVRM_H */
