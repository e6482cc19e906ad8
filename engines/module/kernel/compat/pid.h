/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process that a struct pid is the number of: on a list of its own since 4.19
 * (kernel commit 6883f81aac6f). Kbuild asks the headers.
 */
#ifndef MPU_COMPAT_PID_H
#define MPU_COMPAT_PID_H

#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

/* Returns NULL where @pid is no process, perhaps a thread, or is gone. RCU held. */
static inline struct task_struct *mpu_pid_process(struct pid *pid)
{
#ifdef MPU_PIDTYPE_TGID
	/* pid_task() without the call: for each PID of every list, too */
	struct hlist_node *first = rcu_dereference_raw(hlist_first_rcu(&pid->tasks[PIDTYPE_TGID]));

	return first ? hlist_entry(first, struct task_struct, pid_links[PIDTYPE_TGID]) : NULL;
#else
	struct task_struct *task = pid_task(pid, PIDTYPE_PID);

	return task && thread_group_leader(task) ? task : NULL;
#endif
}

/* Asks the same without a call: once per PID of every list. RCU held. */
static inline bool mpu_pid_is_process(struct pid *pid)
{
#ifdef MPU_PIDTYPE_TGID
	return !hlist_empty(&pid->tasks[PIDTYPE_TGID]);
#else
	return mpu_pid_process(pid);
#endif
}

#endif /* MPU_COMPAT_PID_H */
