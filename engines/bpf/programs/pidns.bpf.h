/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Translates PIDs between the initial namespace and a caller's, where the kernel itself
 * does (find_pid_ns(), pid_nr_ns()): a table of ours could be late, full, or hold a number
 * that was reused. Programs run under rcu_read_lock(), which keeps nodes of the tree and
 * struct pid alive. A read that fails, as CO-RE did not know, has a number not be found.
 */
#ifndef MPU_BPF_PIDNS_H
#define MPU_BPF_PIDNS_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "core/env.h"
#include "kernel.bpf.h"

/* A read of eight costs little more than of one. */
#define SLOTS_READ	8

/**
 * struct pid_tree - the IDR of one namespace, as one call sees it
 * @leaf:	the node met last, 0 if it has none; numbers of one container are
 *		often neighbours
 */
struct pid_tree {
	u64 node;		/* the top node, 0 if there is none */
	u32 shift;		/* the shift of that node */
	u32 part;		/* numbers that @leaf holds, divided by its slots */
	u64 leaf;
	u64 first;		/* the first of the numbers in @slot */
	u64 slot[SLOTS_READ];	/* some of @leaf's, in one read */
};

/* MAX_PID_NS_LEVEL, include/linux/pid_namespace.h, and the power of two above. */
#define LEVELS		33
#define LEVELS_MASK	63

/* Room for a struct pid with all its numbers. */
#define PID_ROOM	2048

/* clang 19 would move the offset into the load or store, where libbpf does not change it. */
#define MEMBER_AT(type, member)	\
	mpu_fixed(bpf_core_field_offset(((type *)0)->member))

/* task_pid(current), as an address; without a read where we get the task itself (5.11). */
static __always_inline u64 caller_pid(void)
{
	struct task_struct *task;

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf))
		return (u64)bpf_get_current_task_btf()->thread_pid;
	task = (void *)bpf_get_current_task();
	return (u64)BPF_CORE_READ(task, thread_pid);
}

static __always_inline bool caller_outside(void)
{
	struct task_struct *task;

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf))
		return bpf_get_current_task_btf()->thread_pid->level;
	task = (void *)bpf_get_current_task();
	return BPF_CORE_READ(task, thread_pid, level);
}

/* XA_CHUNK_SIZE and XA_CHUNK_SHIFT */
#define NODE_SLOTS	(bpf_core_field_size(((struct xa_node *)0)->slots) / 8)
#define NODE_STEP	(NODE_SLOTS == 16 ? 4 : 6)

/* xa_is_node(): internal entries end in 10, small ones are no nodes. */
static __always_inline bool is_node(u64 entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

static __always_inline void pid_tree_open(struct pid_tree *tree, u64 ns)
{
	struct pid_namespace *from = (void *)ns;
	u64 head = (u64)BPF_CORE_READ(from, idr.idr_rt.xa_head);
	struct xa_node *node = (void *)(head - 2);

	tree->node = 0;
	tree->leaf = 0;
	tree->part = ~0u;
	tree->first = ~0ull;
	if (!is_node(head))
		return;		/* a tree of number 0 alone: no process */
	tree->node = (u64)node;
	tree->shift = BPF_CORE_READ(node, shift);
}

static __always_inline u64 node_slot(u64 node, u32 at)
{
	u64 slot = 0;

	bpf_core_read(&slot, sizeof(slot), &((struct xa_node *)node)->slots[at & (NODE_SLOTS - 1)]);
	return slot;
}

/* A function of its own for the verifier, who looks into it once. Return: 0: no node has it. */
__attribute__((__noinline__)) u64 pid_leaf(u64 node, u32 shift, u32 nr)
{
	int i;

	if (!node || shift > 30 || nr >> shift >= NODE_SLOTS)
		return 0;
	for (i = 0; i < 8 && shift; i++) {
		u64 slot = node_slot(node, nr >> (shift & 31));

		if (!is_node(slot))
			return 0;
		node = slot - 2;
		shift -= NODE_STEP;
	}
	return shift ? 0 : node;
}

static __always_inline void pid_read_slots(struct pid_tree *tree, u32 nr)
{
	u32 part = nr / NODE_SLOTS;
	u32 at = nr & (NODE_SLOTS - 1) & ~(SLOTS_READ - 1);
	struct xa_node *leaf;

	if (part != tree->part) {
		tree->leaf = pid_leaf(tree->node, tree->shift, nr);
		tree->part = part;
	}
	leaf = (void *)tree->leaf;
	/* A node that cannot be read is zeroed: bpf_probe_read_kernel(). */
	bpf_core_read(tree->slot, sizeof(tree->slot), &leaf->slots[at]);
	tree->first = nr & ~(SLOTS_READ - 1);
}

/* find_pid_ns(): the struct pid of a number, 0 if there is none. */
static __always_inline u64 pid_find(struct pid_tree *tree, u32 nr)
{
	u64 slot;

	if ((nr & ~(SLOTS_READ - 1)) != tree->first)
		pid_read_slots(tree, nr);
	slot = tree->slot[mpu_fixed(nr) & (SLOTS_READ - 1)];
	return slot & 3 ? 0 : slot;
}

/* A read of all costs less than of three members. Numbers down to @level may not be there. */
static __always_inline int pid_read(u8 *copy, u64 pid, u32 level)
{
	u64 len = MEMBER_AT(struct pid, numbers) +
		  ((level & LEVELS_MASK) + 1) * sizeof(struct upid);

	return bpf_probe_read_kernel(copy, mpu_fixed(len) & (PID_ROOM - 1), (void *)pid);
}

/* Does a struct pid belong to a process, not to a thread alone? */
static __always_inline bool pid_is_process(const u8 *copy)
{
	return *(u64 *)(copy + MEMBER_AT(struct pid, tasks) + PIDTYPE_TGID * sizeof(u64));
}

/* Returns 0 if the process is gone. A function of its own: calls share 512 bytes of stack. */
__attribute__((__noinline__)) u64 pid_process(u64 node)
{
	struct task_struct *task = (void *)node - MEMBER_AT(struct task_struct, pid_links);

	return node ? (u64)BPF_CORE_READ(task, signal, pids[PIDTYPE_TGID]) : 0;
}

/* Returns the task as pid_process() wants it. */
static __always_inline u64 pid_task(const u8 *copy)
{
	return *(u64 *)(copy + MEMBER_AT(struct pid, tasks));
}

/* Returns ns since the machine started. A function of its own, as pid_process(). */
__attribute__((__noinline__)) u64 task_start_time(u64 node)
{
	struct task_struct *task = (void *)node - MEMBER_AT(struct task_struct, pid_links);

	return node ? BPF_CORE_READ(task, start_boottime) : ~0ull;
}

/*
 * Copies the struct pid of a process: @pid, or if that is a thread's alone, that
 * of its process, if @threads. Return: false if the process is gone.
 */
static __always_inline bool pid_read_process(u8 *copy, u64 pid, u32 level, bool threads)
{
	if (!pid || pid_read(copy, pid, level))
		return false;
	if (pid_is_process(copy))
		return true;
	if (!threads)
		return false;
	pid = pid_process(pid_task(copy));
	return pid && !pid_read(copy, pid, level);
}

/* pid_nr_ns(), pid_nr() for level 0 */
static __always_inline u32 pid_number(const u8 *copy, u64 ns, u32 level)
{
	const struct upid *upid = (void *)(copy +
		MEMBER_AT(struct pid, numbers) +
		(level & LEVELS_MASK) * sizeof(*upid));
	u32 own = *(u32 *)(copy + MEMBER_AT(struct pid, level));

	if (own < level || (level && *(u64 *)((u8 *)upid + 8) != ns))
		return 0;
	return *(u32 *)upid;
}

#endif /* MPU_BPF_PIDNS_H */
