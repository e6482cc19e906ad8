/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PIDs between the initial namespace and a caller's, looked up where the
 * kernel itself does (find_pid_ns(), pid_nr_ns()): a namespace's IDR is walked.
 * No table of ours that could be late, full, or hold a number that was reused.
 *
 * Programs run under rcu_read_lock(), which is what keeps nodes of the tree and
 * struct pid alive. What is read wrongly all the same (a kernel that moved
 * something CO-RE does not know of) is a failed read, and a number not found.
 */
#ifndef MPU_BPF_PIDNS_H
#define MPU_BPF_PIDNS_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "kernel.bpf.h"

/**
 * struct pid_tree - the IDR of one namespace, seen once per call
 * @node:	its top node, 0 if there is none
 * @shift:	of that node
 */
struct pid_tree {
	u64 node;
	u32 shift;
};

/* xa_is_node(): internal entries end in 10, small ones are no nodes. */
static __always_inline bool is_node(u64 entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

static __always_inline void pid_tree_of(struct pid_tree *tree, u64 ns)
{
	struct pid_namespace *from = (void *)ns;
	u64 head = (u64)BPF_CORE_READ(from, idr.idr_rt.xa_head);
	struct xa_node *node = (void *)(head - 2);

	tree->node = 0;
	if (!is_node(head))
		return;		/* a tree of number 0 alone: no process */
	tree->node = (u64)node;
	tree->shift = BPF_CORE_READ(node, shift);
}

/**
 * pid_find() - find_pid_ns(): the struct pid of a number, 0 if there is none
 *
 * A function of its own for the verifier, who looks into it once.
 */
__attribute__((__noinline__)) u64 pid_find(u64 node, u32 shift, u32 nr)
{
	const u32 slots = bpf_core_field_size(((struct xa_node *)0)->slots) / 8;
	const u32 step = slots == 16 ? 4 : 6;
	u64 slot = 0;
	int i;

	if (!node || shift > 30 || nr >> shift >= slots)
		return 0;
	for (i = 0; i < 8; i++) {
		u32 at = nr >> (shift & 31) & (slots - 1);

		if (bpf_core_read(&slot, sizeof(slot),
				  &((struct xa_node *)node)->slots[at]))
			return 0;
		if (!shift || !is_node(slot))
			break;
		node = slot - 2;
		shift -= step;
	}
	return shift || slot & 3 ? 0 : slot;
}

/* Is @pid a process's, not only a thread's? */
static __always_inline bool pid_is_process(u64 pid)
{
	return BPF_CORE_READ((struct pid *)pid, tasks[PIDTYPE_TGID].first);
}

/* The process that @pid belongs to, 0 if it is gone. */
static __always_inline u64 pid_process(u64 pid)
{
	struct task_struct *task;
	struct hlist_node *first;

	if (!pid || pid_is_process(pid))
		return pid;
	first = BPF_CORE_READ((struct pid *)pid, tasks[PIDTYPE_PID].first);
	if (!first)
		return 0;
	task = (void *)first -
	       bpf_core_field_offset(((struct task_struct *)0)->pid_links);
	return (u64)BPF_CORE_READ(task, signal, pids[PIDTYPE_TGID]);
}

/* pid_nr_ns() */
static __always_inline u32 pid_number(u64 from, u64 ns, u32 level)
{
	struct pid *pid = (void *)from;
	struct upid upid = {};
	u32 own = BPF_CORE_READ(pid, level);

	if (own < level)
		return 0;
	bpf_core_read(&upid, sizeof(upid), &pid->numbers[level]);
	return (u64)upid.ns == ns ? upid.nr : 0;
}

/**
 * pid_local() - number of a process in a namespace
 * @pid:	of it or one of its threads, from pid_find(); 0 is welcome
 *
 * Return: 0 if it is not seen there, or gone.
 */
__attribute__((__noinline__)) u32 pid_local(u64 pid, u64 ns, u32 level)
{
	pid = pid_process(pid);
	return pid ? pid_number(pid, ns, level) : 0;
}

/** pid_global() - number of a process in the initial namespace, 0 for threads */
__attribute__((__noinline__)) u32 pid_global(u64 pid)
{
	if (!pid || !pid_is_process(pid))
		return 0;
	return BPF_CORE_READ((struct pid *)pid, numbers[0].nr);
}

#endif /* MPU_BPF_PIDNS_H */
