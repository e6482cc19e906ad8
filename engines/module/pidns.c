// SPDX-License-Identifier: GPL-2.0-only
/*
 * PIDs between the initial namespace and a caller's, by struct pid: a number
 * that was reused, or whose process is gone, never names a bystander.
 */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "pidns.h"

bool mpu_pidns_outside(void)
{
	return task_pid(current)->level != 0;
}

struct pid_namespace *mpu_pidns_current(void)
{
	return ns_of_pid(task_pid(current));
}

u32 mpu_pidns_local(struct pid_namespace *ns, u32 global)
{
	struct task_struct *task;
	u32 nr = 0;

	rcu_read_lock();
	/* A thread's number, too: R1-R3 drivers know clients by TID. */
	task = pid_task(find_pid_ns(global, &init_pid_ns), PIDTYPE_PID);
	if (task)
		nr = task_tgid_nr_ns(task, ns);
	rcu_read_unlock();
	return nr;
}

u32 mpu_pidns_global(struct pid_namespace *ns, u32 local)
{
	struct task_struct *task;
	u32 nr = 0;

	rcu_read_lock();
	task = pid_task(find_pid_ns(local, ns), PIDTYPE_TGID);
	if (task)
		nr = task_tgid_nr_ns(task, &init_pid_ns);
	rcu_read_unlock();
	return nr;
}

u32 mpu_pidns_tgid(struct pid_namespace *ns, struct pid *pid)
{
	struct task_struct *task;
	u32 nr = 0;

	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_PID);
	if (task && task_tgid_nr_ns(task, ns))
		nr = task_tgid_nr_ns(task, &init_pid_ns);
	rcu_read_unlock();
	return nr;
}
