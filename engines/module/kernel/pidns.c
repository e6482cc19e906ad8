// SPDX-License-Identifier: GPL-2.0-only
/*
 * PIDs between the initial namespace and a caller's, by struct pid: a number
 * that was reused, or whose process is gone, never names a bystander.
 */
#include <linux/ktime.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "pidns.h"
#include "compat/task.h"

/* NULL: gone. RCU held. It may be a thread's: drivers of R1 to R3 know a client by that. */
static struct pid *process_of(struct pid *pid)
{
	struct task_struct *task;

	if (!pid || mpu_pid_is_process(pid))
		return pid;
	task = pid_task(pid, PIDTYPE_PID);
	return task ? task_tgid(task) : NULL;
}

#ifdef MPU_XARRAY
struct xa_node *mpu_pidns_find_leaf(u32 nr)
{
	void *entry = rcu_dereference_raw(init_pid_ns.idr.idr_rt.xa_head);
	struct xa_node *node = xa_is_node(entry) ? xa_to_node(entry) : NULL;

	if (!node || nr >> node->shift > XA_CHUNK_MASK)
		return NULL;
	while (node->shift) {
		entry = rcu_dereference_raw(node->slots[(nr >> node->shift) & XA_CHUNK_MASK]);
		if (!xa_is_node(entry))
			return NULL;
		node = xa_to_node(entry);
	}
	return node;
}
#endif

/* Returns the tgid in the initial namespace, 0 unless @local is a process in @ns. */
u32 mpu_pidns_global(struct pid_namespace *ns, u32 local)
{
	struct pid *pid;
	u32 nr = 0;

	rcu_read_lock();
	pid = find_pid_ns(local, ns);
	if (pid && mpu_pid_is_process(pid))
		nr = pid_nr(pid);
	rcu_read_unlock();
	return nr;
}

/* Returns 0 once it has ended. Two at the same place did not begin together. RCU held. */
u64 mpu_pidns_began(struct pid_namespace *ns)
{
	struct pid *pid = find_pid_ns(1, ns);
	struct task_struct *init = pid ? mpu_pid_process(pid) : NULL;

	return init ? mpu_task_boottime(init) : 0;
}

/* Returns us since the epoch, by the clock of now, as RM's ktime_get_real_ts64() cut to us. */
u64 mpu_task_began(const struct task_struct *task)
{
	ktime_t real = ktime_mono_to_any(0, TK_OFFS_REAL);
	ktime_t boot = ktime_mono_to_any(0, TK_OFFS_BOOT);

	return ktime_to_us(ktime_add_ns(ktime_sub(real, boot), mpu_task_boottime(task)));
}

/*
 * Is @local of @ns a process, known to the initial namespace as @global, and no younger than
 * @when? If the host's clock was set since, times from before are taken for what they would
 * be called now.
 */
bool mpu_pidns_lived(struct pid_namespace *ns, u32 local, u32 global, u64 when)
{
	struct task_struct *task;
	bool lived = false;
	struct pid *pid;

	rcu_read_lock();
	pid = find_pid_ns(local, ns);
	task = pid ? mpu_pid_process(pid) : NULL;
	if (task && pid_nr(pid) == global)
		lived = mpu_task_began(task) <= when;
	rcu_read_unlock();
	return lived;
}

/* Returns the global tgid of the live process that @pid is part of, 0 if @ns sees none. */
u32 mpu_pidns_tgid(struct pid_namespace *ns, struct pid *pid)
{
	u32 nr = 0;

	rcu_read_lock();
	pid = process_of(pid);
	if (pid && mpu_pidns_nr(pid, ns))
		nr = pid_nr(pid);
	rcu_read_unlock();
	return nr;
}
