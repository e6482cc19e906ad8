// SPDX-License-Identifier: GPL-2.0-only
/*
 * rm_ioctl(), watched: see probe.h.
 */
#include <linux/string.h>

#include "call.h"
#include "hook.h"
#include "probe.h"
#include "core/nvrm.h"

struct kprobe mpu_watch_probe;

/* NV_STATUS rm_ioctl(sp, nv, nvfp, NvU32 nr, void *data, NvU32 size) */
static int mpu_on_rm_ioctl(struct kprobe *probe, struct pt_regs *regs)
{
	const void *data = (void *)regs_get_kernel_argument(regs, 4);
	u32 nr = regs_get_kernel_argument(regs, 3);
	u32 size = regs_get_kernel_argument(regs, 5);

	if (nr == NV_ESC_RM_CONTROL && size == sizeof(struct nv_control))
		mpu_call_identify(data);
	return 0;
}

void mpu_watch_begin(const char *module)
{
	unsigned long addr = mpu_symbol(module, "rm_ioctl");

	memset(&mpu_watch_probe, 0, sizeof(mpu_watch_probe));
	if (!addr)
		return;
	mpu_watch_probe.addr = (kprobe_opcode_t *)addr;
	mpu_watch_probe.pre_handler = mpu_on_rm_ioctl;
	if (register_kprobe(&mpu_watch_probe))
		mpu_watch_probe.addr = NULL;
}

void mpu_watch_end(void)
{
	if (mpu_watch_probe.addr)
		unregister_kprobe(&mpu_watch_probe);
	mpu_watch_probe.addr = NULL;
}
