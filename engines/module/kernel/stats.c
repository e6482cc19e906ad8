// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters: a group of files in sysfs for each control of the table.
 */
#include <linux/atomic.h>
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "internal.h"
#include "pidns.h"

#include "core/row.h"
#include "core/controls.h"

/* A file for each. */
static const enum mpu_counter counted[] = {
	MPU_TRANSLATED, MPU_REFUSED, MPU_FAULT, MPU_NO_MEMORY, MPU_SEEN,
	MPU_HIDDEN, MPU_ODD_SIZE, MPU_IMPOSSIBLE,
};

static atomic64_t counters[MPU_CONTROLS][MPU_COUNTERS];

void mpu_stats_count(u32 control, enum mpu_counter outcome, u32 seen, u32 hidden)
{
	atomic64_inc(&counters[control][outcome]);
	atomic64_add(seen, &counters[control][MPU_SEEN]);
	atomic64_add(hidden, &counters[control][MPU_HIDDEN]);
}

void mpu_stats_count_odd(u32 control)
{
	atomic64_inc(&counters[control][MPU_ODD_SIZE]);
}

#define FILES ARRAY_SIZE(counted)

static struct kobject *folder;
static struct kobj_attribute attrs[MPU_CONTROLS][FILES];
static struct attribute *files[MPU_CONTROLS][FILES + 1];
static struct attribute_group groups[MPU_CONTROLS];
static const struct attribute_group *group_list[MPU_CONTROLS + 1];

static ssize_t show_counter(struct kobject *dir, struct kobj_attribute *attr, char *buf)
{
	size_t at = attr - &attrs[0][0];

	/* A container is not to know how much was hidden from it. */
	if (mpu_pidns_outside())
		return -EACCES;
	return sprintf(buf, "%lld\n", (long long)atomic64_read(
		       &counters[at / FILES][counted[at % FILES]]));
}

static void make_group(size_t control)
{
	size_t i;

	for (i = 0; i < FILES; i++) {
		struct kobj_attribute *attr = &attrs[control][i];

		sysfs_attr_init(&attr->attr);
		attr->attr.name = mpu_counter_names[counted[i]];
		attr->attr.mode = 0444;
		attr->show = show_counter;
		files[control][i] = &attr->attr;
	}
	groups[control].name = mpu_control_names[control];
	groups[control].attrs = files[control];
	group_list[control] = &groups[control];
}

/* The files go with the folder. */
void mpu_stats_exit(void)
{
	kobject_put(folder);
}

int mpu_stats_init(struct kobject *parent)
{
	size_t i;
	int err;

	for (i = 0; i < MPU_CONTROLS; i++)
		make_group(i);
	folder = kobject_create_and_add("controls", parent);
	if (!folder)
		return -ENOMEM;
	err = sysfs_create_groups(folder, group_list);
	if (err)
		kobject_put(folder);
	return err;
}
