// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvsim-stranger.ko: a module that has a function by the name of the driver's entry, as one
 * that wraps the driver may have, and nothing else of it.
 */
#include <linux/fs.h>
#include <linux/module.h>

static long nvidia_unlocked_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return -ENOTTY;
}

static const struct file_operations operations __used = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = nvidia_unlocked_ioctl,
};

static int __init stranger_init(void)
{
	return 0;
}
module_init(stranger_init);

static void __exit stranger_exit(void)
{
}
module_exit(stranger_exit);

MODULE_DESCRIPTION("A module with a function of the NVIDIA driver's name");
MODULE_LICENSE("GPL");
