// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/mpu: the state of the engine in a few words, and the counters.
 */
#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "internal.h"
#include "pidns.h"

static ssize_t driver_show(struct kobject *dir, struct kobj_attribute *attr, char *buf)
{
	return mpu_driver_name(buf);
}

static ssize_t hook_show(struct kobject *dir, struct kobj_attribute *attr, char *buf)
{
	return sprintf(buf, "%s\n", mpu_driver_hook());
}

static ssize_t arguments_show(struct kobject *dir, struct kobj_attribute *attr, char *buf)
{
	return sprintf(buf, "%s\n", mpu_driver_arguments());
}

static ssize_t calls_show(struct kobject *dir, struct kobj_attribute *attr, char *buf)
{
	struct mpu_inside inside;

	if (mpu_pidns_outside())
		return -EACCES;
	inside = mpu_calls_inside();
	return inside.n ? sprintf(buf, "%u %d %lu\n", inside.n, inside.oldest, inside.seconds) :
			  sprintf(buf, "0\n");
}

static struct kobj_attribute driver_attr = __ATTR_RO(driver);
static struct kobj_attribute hook_attr = __ATTR_RO(hook);
static struct kobj_attribute arguments_attr = __ATTR_RO(arguments);
static struct kobj_attribute calls_attr = __ATTR_RO(calls);

static const struct attribute *attrs[] = {
	&driver_attr.attr,
	&hook_attr.attr,
	&arguments_attr.attr,
	&calls_attr.attr,
	NULL,
};

static struct kobject *folder;

int mpu_sysfs_init(void)
{
	int err;

	folder = kobject_create_and_add("mpu", kernel_kobj);
	if (!folder)
		return -ENOMEM;
	err = sysfs_create_files(folder, attrs);
	if (!err)
		err = mpu_stats_init(folder);
	if (err)
		kobject_put(folder);
	return err;
}

void mpu_sysfs_exit(void)
{
	mpu_stats_exit();
	kobject_put(folder);
}
