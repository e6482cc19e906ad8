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

/* What mpu.ko counts: a file for each. */
static const enum mpu_counter counted[] = {
	MPU_TRANSLATED, MPU_REFUSED, MPU_FAULT, MPU_NO_MEMORY, MPU_SEEN,
	MPU_HIDDEN, MPU_ODD_SIZE,
};

static struct control_stats {
	struct kobject *dir;
	atomic64_t counters[MPU_COUNTERS];
} controls[MPU_CONTROLS];

static struct kobject *controls_dir;

void mpu_stats_count(u32 control, enum mpu_counter outcome, u32 seen,
		     u32 hidden)
{
	struct control_stats *stats = &controls[control];

	atomic64_inc(&stats->counters[outcome]);
	atomic64_add(seen, &stats->counters[MPU_SEEN]);
	atomic64_add(hidden, &stats->counters[MPU_HIDDEN]);
}

void mpu_stats_count_odd(u32 control)
{
	atomic64_inc(&controls[control].counters[MPU_ODD_SIZE]);
}

static struct kobj_attribute counter_attrs[MPU_COUNTERS];

static ssize_t show_counter(struct kobject *dir,
				struct kobj_attribute *attr, char *buf)
{
	size_t which = attr - counter_attrs;
	size_t i;

	/* How much was hidden from a container is not for it to know. */
	if (mpu_pidns_outside())
		return -EACCES;
	for (i = 0; i < MPU_CONTROLS; i++)
		if (controls[i].dir == dir)
			return sprintf(buf, "%lld\n",
				       (long long)atomic64_read(
				       &controls[i].counters[which]));
	return -ENOENT;
}

static int make_control_dir(struct control_stats *stats, const char *name)
{
	size_t i;
	int err;

	stats->dir = kobject_create_and_add(name, controls_dir);
	if (!stats->dir)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(counted); i++) {
		err = sysfs_create_file(stats->dir,
					&counter_attrs[counted[i]].attr);
		if (err)
			return err;
	}
	return 0;
}

void mpu_stats_exit(void)
{
	size_t i;

	for (i = 0; i < MPU_CONTROLS; i++)
		kobject_put(controls[i].dir);
	kobject_put(controls_dir);
}

int mpu_stats_init(struct kobject *parent)
{
	int err;
	size_t i;

	for (i = 0; i < MPU_COUNTERS; i++) {
		struct kobj_attribute *attr = &counter_attrs[i];

		sysfs_attr_init(&attr->attr);
		attr->attr.name = mpu_counter_names[i];
		attr->attr.mode = 0444;
		attr->show = show_counter;
	}
	controls_dir = kobject_create_and_add("controls", parent);
	if (!controls_dir)
		return -ENOMEM;
	for (i = 0; i < MPU_CONTROLS; i++) {
		err = make_control_dir(&controls[i], mpu_control_names[i]);
		if (err)
			goto err_exit;
	}
	return 0;

err_exit:
	mpu_stats_exit();
	return err;
}
