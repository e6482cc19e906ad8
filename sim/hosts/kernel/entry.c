// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvsim.ko: the simulated RM behind the character devices of the NVIDIA
 * driver. This is nv.c's part: device nodes, and the way of an ioctl into RM.
 *
 * Entry functions carry the driver's names, 545.23.06 and later; nvsim-old.ko
 * is the same source with those of 535 and earlier (nv-frontend.c).
 */
#include <linux/cdev.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "sim/hosts/kernel/os.h"

#define NV_MINORS 256

static char *flavour = "open";
module_param(flavour, charp, 0444);
MODULE_PARM_DESC(flavour, "open or proprietary");

static char *version = "";
module_param(version, charp, 0444);
MODULE_PARM_DESC(version, "driver version to play: 580.142, if proprietary 550.163.01");

static char *says = "";
module_param(says, charp, 0444);
MODULE_PARM_DESC(says, "version to name when asked, if not the one that is played");

static uint gpus = 1;
module_param(gpus, uint, 0444);
MODULE_PARM_DESC(gpus, "number of GPUs, 1 to 8");

static bool accounting;
module_param(accounting, bool, 0444);
MODULE_PARM_DESC(accounting, "accounting mode at start");

static uint polling;
module_param(polling, uint, 0444);
MODULE_PARM_DESC(polling, "RMDebugRusdPolling: what the shared page has; 0 what is asked for, 1 nothing, 2 all");

static bool arm64;
module_param(arm64, bool, 0444);
MODULE_PARM_DESC(arm64, "do as a driver that is compiled for arm64, whatever this is");

struct sim *nvsim;

static void *nv_pages;		/* shared, one for each GPU */
static struct cdev nv_cdev;

static int nvidia_open(struct inode *inode, struct file *file)
{
	u32 minor = iminor(inode);
	struct sim_file *nvfp;

	if (minor != NV_MINOR_CTL && minor >= nvsim->config.gpus)
		return -ENODEV;
	nvfp = kzalloc(sizeof(*nvfp), GFP_KERNEL);
	if (!nvfp)
		return -ENOMEM;
	sim_open(nvsim, nvfp, minor);
	file->private_data = nvfp;
	return 0;
}

static int nvidia_close(struct inode *inode, struct file *file)
{
	sim_close(nvsim, file->private_data);
	kfree(file->private_data);
	return 0;
}

void *os_page(u32 gpu)
{
	return nv_pages + gpu * PAGE_SIZE;
}

/* Maps the page of a GPU: all of its clients share it. */
static int __maybe_unused nvidia_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct sim_file *nvfp = file->private_data;

	if (!nvfp->page || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	sim_page_write(nvsim, &nvsim->gpu[nvfp->page - 1]);
	return remap_vmalloc_range(vma, nv_pages, nvfp->page - 1);
}

/* nvidia_ioctl(): number and size of the command decide, nothing else. */
static int do_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	u32 nr = _IOC_NR(cmd);
	u32 size = _IOC_SIZE(cmd);
	struct nv_xfer xfer;
	void *copy;
	int err;

	if (nr == NV_ESC_XFER) {
		if (size != sizeof(xfer))
			return -EINVAL;
		if (copy_from_user(&xfer, user, sizeof(xfer)))
			return -EFAULT;
		nr = xfer.nr;
		size = xfer.size;
		user = (void __user *)(unsigned long)xfer.ptr;
		if (size > NV_XFER_MAX)
			return -EINVAL;
	}
	copy = kmalloc(size, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	if (copy_from_user(copy, user, size)) {
		err = -EFAULT;
		goto free;
	}
	err = sim_escape(nvsim, file->private_data, nr, copy, size);
	if (err != -EFAULT && copy_to_user(user, copy, size))
		err = -EFAULT;
free:
	kfree(copy);
	return err;
}

#ifdef NVSIM_OLD_ENTRY

int nvidia_frontend_ioctl(struct inode *inode, struct file *file,
			  unsigned int cmd, unsigned long arg);
long nvidia_frontend_unlocked_ioctl(struct file *file, unsigned int cmd, unsigned long arg);
long nvidia_frontend_compat_ioctl(struct file *file, unsigned int cmd, unsigned long arg);
int nvidia_frontend_close(struct inode *inode, struct file *file);

int nvidia_frontend_close(struct inode *inode, struct file *file)
{
	return nvidia_close(inode, file);
}

int nvidia_frontend_ioctl(struct inode *inode, struct file *file,
			  unsigned int cmd, unsigned long arg)
{
	return do_ioctl(file, cmd, arg);
}

long nvidia_frontend_unlocked_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return nvidia_frontend_ioctl(file_inode(file), file, cmd, arg);
}

long nvidia_frontend_compat_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return nvidia_frontend_ioctl(file_inode(file), file, cmd, arg);
}

static struct file_operations nv_frontend_fops = {
	.owner = THIS_MODULE,
	.open = nvidia_open,
	.release = nvidia_frontend_close,
	.unlocked_ioctl = nvidia_frontend_unlocked_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl = nvidia_frontend_compat_ioctl,
#endif
};

#define NV_FOPS (&nv_frontend_fops)

#else

static long nvidia_unlocked_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return do_ioctl(file, cmd, arg);
}

static struct file_operations nvidia_fops = {
	.owner = THIS_MODULE,
	.open = nvidia_open,
	.release = nvidia_close,
	.mmap = nvidia_mmap,
	.unlocked_ioctl = nvidia_unlocked_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl = nvidia_unlocked_ioctl,
#endif
};

#define NV_FOPS (&nvidia_fops)

#endif /* NVSIM_OLD_ENTRY */

bool os_give_page(int fd, u32 page)
{
	struct file *file = fget(fd);
	bool is_ours = file && file->f_op == NV_FOPS;

	if (is_ours)
		((struct sim_file *)file->private_data)->page = page;
	if (file)
		fput(file);
	return is_ours;
}

static int version_show(struct seq_file *seq, void *unused)
{
	const char *format = nvsim->config.flavour == SIM_OPEN ?
				     "NVRM version: NVIDIA UNIX Open Kernel Module for %s" :
				     "NVRM version: NVIDIA UNIX %s Kernel Module";

	seq_printf(seq, format, init_utsname()->machine);
	seq_printf(seq, "  %s  (simulated by MPU)\n", nvsim->config.version_text);
	seq_puts(seq, "GCC version:  none\n");
	return 0;
}

/* Return: 0 or -EINVAL, after one line that says what is wrong. */
static int read_params(struct sim_config *config)
{
	if (!strcmp(flavour, "proprietary")) {
		config->flavour = SIM_PROPRIETARY;
	} else if (strcmp(flavour, "open")) {
		pr_err("nvsim: flavour=%s: use open or proprietary\n", flavour);
		return -EINVAL;
	}
	if (!*version)
		version = config->flavour == SIM_OPEN ? "580.142" : "550.163.01";
	if (!sim_parse_version(config, version)) {
		pr_err("nvsim: version=%s: use a version such as 550.163.01\n", version);
		return -EINVAL;
	}
	if (config->flavour == SIM_OPEN && config->version < MPU_DRIVER(515, 43, 4)) {
		pr_err("nvsim: version=%s: only flavour=proprietary existed before 515.43.04\n",
		       version);
		return -EINVAL;
	}
	if (*says && strscpy(config->version_text, says, sizeof(config->version_text)) < 0) {
		pr_err("nvsim: says=%s: too long\n", says);
		return -EINVAL;
	}
	if (!gpus || gpus > SIM_GPUS) {
		pr_err("nvsim: gpus=%u: use 1 to %u\n", gpus, SIM_GPUS);
		return -EINVAL;
	}
	config->gpus = gpus;
	config->accounting = accounting;
	config->polling = polling;
	config->arm64 = arm64;
	return 0;
}

/*
 * Sets attributes that sysfs has of the real module as long as that is there: the
 * driver's version, and the taint of a licence that is not free. Ours has them by its
 * parameters.
 */
static void set_module_attributes(const struct sim_config *config)
{
#ifdef MODULE
	char *text = kstrdup(config->version_text, GFP_KERNEL);

	if (config->flavour == SIM_PROPRIETARY)
		THIS_MODULE->taints |= BIT(TAINT_PROPRIETARY_MODULE);
	if (!text)
		return;
	kfree(THIS_MODULE->version);
	THIS_MODULE->version = text;
#endif
}

#ifdef proc_create_single	/* 4.18 */
static bool create_version(void)
{
	return proc_create_single("driver/nvidia/version", 0444, NULL, version_show);
}
#else
static int version_open(struct inode *inode, struct file *file)
{
	return single_open(file, version_show, NULL);
}

static const struct file_operations version_fops = {
	.owner = THIS_MODULE,
	.open = version_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static bool create_version(void)
{
	return proc_create("driver/nvidia/version", 0444, NULL, &version_fops);
}
#endif

static int __init nvsim_init(void)
{
	struct sim_config config = { 0 };
	int err = read_params(&config);

	if (err)
		return err;
	nvsim = vzalloc(sizeof(*nvsim));
	nv_pages = vmalloc_user(SIM_GPUS * PAGE_SIZE);
	err = -ENOMEM;
	if (!nvsim || !nv_pages)
		goto free_sim;
	sim_init(nvsim, &config);
	set_module_attributes(&config);

	if (!proc_mkdir("driver/nvidia", NULL))
		goto free_sim;
	if (!create_version())
		goto remove_proc;
	err = register_chrdev_region(MKDEV(NV_MAJOR, 0), NV_MINORS, "nvidia");
	if (err)
		goto remove_proc;
	cdev_init(&nv_cdev, NV_FOPS);
	err = cdev_add(&nv_cdev, MKDEV(NV_MAJOR, 0), NV_MINORS);
	if (err)
		goto unregister;
	return 0;

unregister:
	unregister_chrdev_region(MKDEV(NV_MAJOR, 0), NV_MINORS);
remove_proc:
	remove_proc_subtree("driver/nvidia", NULL);
free_sim:
	vfree(nv_pages);
	vfree(nvsim);
	return err;
}

static void __exit nvsim_exit(void)
{
	cdev_del(&nv_cdev);
	unregister_chrdev_region(MKDEV(NV_MAJOR, 0), NV_MINORS);
	remove_proc_subtree("driver/nvidia", NULL);
	vfree(nv_pages);
	vfree(nvsim);
}

module_init(nvsim_init);
module_exit(nvsim_exit);

MODULE_DESCRIPTION("Simulated NVIDIA resource manager, for tests of MPU");
MODULE_LICENSE("GPL");
MODULE_VERSION("0");
