// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvsim-patch.ko: a live patch of one of the driver's functions that mpu.ko hooks.
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/uaccess.h>

static u32 os_memcpy_to_user_new(void __user *to, const void *from, u32 n)
{
	return copy_to_user(to, from, n) ? 0x1e : 0;	/* NV_ERR_INVALID_ADDRESS */
}

static struct klp_func funcs[] = {
	{ .old_name = "os_memcpy_to_user", .new_func = os_memcpy_to_user_new },
	{ },
};

static struct klp_object objects[] = {
	{ .name = "nvsim", .funcs = funcs },
	{ },
};

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init patch_init(void)
{
	return klp_enable_patch(&patch);
}
module_init(patch_init);

static void __exit patch_exit(void)
{
}
module_exit(patch_exit);

MODULE_DESCRIPTION("A live patch of the simulated driver");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
