// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters: a folder in sysfs for each control of the table.
 */
#include <linux/atomic.h>
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "pidns.h"
#include "stats.h"

#include "core/row.h"
#include "core/controls.h"

/* The counters of this engine: a file for each. */
static const enum mpu_counter mpu_counted[] = {
	MPU_TRANSLATED, MPU_REFUSED, MPU_FAULT, MPU_NO_MEMORY, MPU_SEEN,
	MPU_HIDDEN, MPU_ODD_SIZE,
};

static struct mpu_control_stats {
	struct kobject *dir;
	atomic64_t counters[MPU_COUNTERS];
} mpu_controls[MPU_CONTROLS];

static struct kobject *mpu_controls_dir;

void mpu_stats_count(u32 control, enum mpu_counter outcome, u32 seen,
		     u32 hidden)
{
	struct mpu_control_stats *stats = &mpu_controls[control];

	atomic64_inc(&stats->counters[outcome]);
	atomic64_add(seen, &stats->counters[MPU_SEEN]);
	atomic64_add(hidden, &stats->counters[MPU_HIDDEN]);
}

void mpu_stats_odd(u32 control)
{
	atomic64_inc(&mpu_controls[control].counters[MPU_ODD_SIZE]);
}

static struct kobj_attribute mpu_counter_attrs[MPU_COUNTERS];

static ssize_t mpu_counter_show(struct kobject *dir,
				struct kobj_attribute *attr, char *buf)
{
	size_t which = attr - mpu_counter_attrs;
	size_t i;

	/* How much was hidden from a container is not for it to know. */
	if (mpu_pidns_outside())
		return -EACCES;
	for (i = 0; i < MPU_CONTROLS; i++)
		if (mpu_controls[i].dir == dir)
			return sprintf(buf, "%lld\n",
				       (long long)atomic64_read(
				       &mpu_controls[i].counters[which]));
	return -ENOENT;
}

static int mpu_control_dir(struct mpu_control_stats *stats, const char *name)
{
	size_t i;
	int err;

	stats->dir = kobject_create_and_add(name, mpu_controls_dir);
	if (!stats->dir)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(mpu_counted); i++) {
		err = sysfs_create_file(stats->dir,
					&mpu_counter_attrs[mpu_counted[i]].attr);
		if (err)
			return err;
	}
	return 0;
}

void mpu_stats_exit(void)
{
	size_t i;

	for (i = 0; i < MPU_CONTROLS; i++)
		kobject_put(mpu_controls[i].dir);
	kobject_put(mpu_controls_dir);
}

int mpu_stats_init(struct kobject *parent)
{
	int err;
	size_t i;

	for (i = 0; i < MPU_COUNTERS; i++) {
		struct kobj_attribute *attr = &mpu_counter_attrs[i];

		sysfs_attr_init(&attr->attr);
		attr->attr.name = mpu_counter_names[i];
		attr->attr.mode = 0444;
		attr->show = mpu_counter_show;
	}
	mpu_controls_dir = kobject_create_and_add("controls", parent);
	if (!mpu_controls_dir)
		return -ENOMEM;
	for (i = 0; i < MPU_CONTROLS; i++) {
		err = mpu_control_dir(&mpu_controls[i], mpu_control_names[i]);
		if (err)
			goto err_exit;
	}
	return 0;

err_exit:
	mpu_stats_exit();
	return err;
}
