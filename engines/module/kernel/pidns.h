/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view of a caller in the kernel: PIDs between the initial namespace and
 * the caller's.
 */
#ifndef MPU_PIDNS_H
#define MPU_PIDNS_H

#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/types.h>

struct pid_namespace;

/**
 * mpu_pidns_outside() - is the current task outside the initial namespace?
 *
 * Judged by the level of its PID, not by comparing numbers: in a container
 * the local number may equal the global one.
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

/**
 * mpu_pidns_local() - global tgid -> number in a namespace
 * @ns:		namespace that is looked from
 * @global:	any number
 *
 * RM keeps processes by their tgid (osGetCurrentProcess()), and its look-ups of
 * namespaces say tgids, too (mpu_pidns_tgid()). A thread of that number has it by
 * chance: it was that of a process which has ended, and of which there is a record.
 *
 * Return: the tgid as @ns sees it, 0 unless @global is a process in @ns.
 */
u32 mpu_pidns_local(struct pid_namespace *ns, u32 global);

/**
 * mpu_pidns_global() - number in a namespace -> global tgid
 * @ns:		namespace that @local is from
 * @local:	any number
 *
 * Return: the tgid in the initial namespace, 0 unless @local is a process.
 */
u32 mpu_pidns_global(struct pid_namespace *ns, u32 local);

/*
 * When a namespace began, as the kernel has it, 0 once it has ended: it tells one from
 * another that lies in the same place. RCU held.
 */
u64 mpu_pidns_began(struct pid_namespace *ns);

/* When a task began, in microseconds since the epoch, by the clock of now. */
u64 mpu_task_began(const struct task_struct *task);

/**
 * mpu_pidns_lived() - was a process there at a time?
 * @ns:		namespace that @local is from
 * @local:	any number
 * @global:	what the process must be called in the initial namespace
 * @when:	microseconds since the epoch
 *
 * Return: is @local a process, known there as @global, and no younger? If the
 * host's clock was set since, times from before are taken for what they would
 * be called now.
 */
bool mpu_pidns_lived(struct pid_namespace *ns, u32 local, u32 global, u64 when);

/**
 * mpu_pidns_tgid() - struct pid -> global tgid, if it may be seen
 * @ns:		namespace that is looked from
 * @pid:	of a process or a thread
 *
 * Return: the tgid in the initial namespace of the live process that @pid is
 * part of, 0 if it is gone or @ns does not see it.
 */
u32 mpu_pidns_tgid(struct pid_namespace *ns, struct pid *pid);

#endif /* MPU_PIDNS_H */
