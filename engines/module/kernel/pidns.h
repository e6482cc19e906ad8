/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view of a caller in the kernel: PIDs between the initial namespace and the caller's.
 */
#ifndef MPU_PIDNS_H
#define MPU_PIDNS_H

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>
#ifdef MPU_XARRAY
#include <linux/xarray.h>
#endif

#include "compat/pid.h"

/*
 * Is the current task outside the initial namespace? Judged by the level of its PID, not by
 * comparing numbers: in a container the local number may equal the global one.
 */
static inline bool mpu_pidns_outside(void)
{
	return task_pid(current)->level != 0;
}

/* The namespace the current task sees; stays as long as the task does. */
static inline struct pid_namespace *mpu_pidns_current(void)
{
	return ns_of_pid(task_pid(current));
}

/*
 * Place where the last number of the initial namespace stood, since those of a list are often
 * neighbours: a node of its table, and which numbers it holds. Good while RCU is held.
 */
struct mpu_pidns_leaf {
	struct xa_node *node;
	u32 part;
};

/* pid_nr_ns() without the call: once per PID of every list. RCU held. */
static inline u32 mpu_pidns_nr(const struct pid *pid, const struct pid_namespace *ns)
{
	if (pid->level < ns->level || pid->numbers[ns->level].ns != ns)
		return 0;
	return pid->numbers[ns->level].nr;
}

#ifdef MPU_XARRAY
/* Returns the node where @nr stands, NULL: there is none, or the table is being rebuilt. */
struct xa_node *mpu_pidns_find_leaf(u32 nr);

/*
 * Does as find_pid_ns(nr, &init_pid_ns), which walks from the top for each number, and
 * has the last word where the table is being rebuilt. A node that leaves the table is
 * empty, and stays where it is under RCU: then a process that has just begun is not found.
 */
static inline struct pid *mpu_pidns_find(u32 nr, struct mpu_pidns_leaf *leaf)
{
	void *entry;

	if (!leaf->node || nr >> XA_CHUNK_SHIFT != leaf->part) {
		leaf->node = mpu_pidns_find_leaf(nr);
		leaf->part = nr >> XA_CHUNK_SHIFT;
		if (!leaf->node)
			return find_pid_ns(nr, &init_pid_ns);
	}
	entry = rcu_dereference_raw(leaf->node->slots[nr & XA_CHUNK_MASK]);
	return xa_is_internal(entry) ? find_pid_ns(nr, &init_pid_ns) : entry;
}
#else	/* up to 4.19: a radix tree */
static inline struct pid *mpu_pidns_find(u32 nr, struct mpu_pidns_leaf *leaf)
{
	(void)leaf;
	return find_pid_ns(nr, &init_pid_ns);
}
#endif

/*
 * Returns NULL unless @global is a process's. RCU held; @leaf: zeroed when it was taken.
 *
 * RM keeps processes by their tgid (osGetCurrentProcess()), and its look-ups of
 * namespaces say tgids, too (mpu_pidns_tgid()). A thread of that number has it by
 * chance: it was that of a process which has ended, and of which there is a record.
 */
static inline struct pid *mpu_pidns_process(u32 global, struct mpu_pidns_leaf *leaf)
{
	struct pid *pid = mpu_pidns_find(global, leaf);

	return pid && mpu_pid_is_process(pid) ? pid : NULL;
}

u32 mpu_pidns_global(struct pid_namespace *ns, u32 local);
u64 mpu_pidns_began(struct pid_namespace *ns);
u64 mpu_task_began(const struct task_struct *task);
bool mpu_pidns_lived(struct pid_namespace *ns, u32 local, u32 global, u64 when);
u32 mpu_pidns_tgid(struct pid_namespace *ns, struct pid *pid);

#endif /* MPU_PIDNS_H */
