/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view of a caller: translates PIDs between the host and its PID namespace, for
 * drivers that use host PIDs, the caller's own, or a mix of both.
 */
#ifndef MPU_BPF_VIEW_H
#define MPU_BPF_VIEW_H

#include "memory.bpf.h"
#include "pidns.bpf.h"

#include "core/rule.h"
#include "core/regimes.h"

/* Processes known to the driver by a thread. */
#define THREADS		4096

/* Numbers that a list has given: room for several times as many as the longest has. */
#define GIVEN		2048
#define GIVEN_TRIES	32

struct mpu_view {
	u64 ns;			/* the caller's PID namespace, and its level */
	u32 level;
	u32 pid_space;		/* enum mpu_pid_space, for this control */
	u32 once;		/* each number is given once only: the list has each process once */
	u32 record;		/* the question is about the record of one process */
	u32 again;		/* numbers that were not given, since they had been */
	u32 stamp;		/* number of this call, which marks what is valid in @given */
	struct pid_tree host;
	struct pid_tree own;	/* PIDs of the caller's namespace */
	u8 pid[PID_ROOM + PID_ROOM];	/* copy of the struct pid looked at */
	u64 given[GIVEN];	/* hash table of the numbers given, @stamp in the upper half */
};

/*
 * Processes whose client the driver knows by a thread (R2, R3), and which: their
 * own number finds nothing there. Learned from lists, which come first.
 */
struct process {
	u64 ns;
	u64 global;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, THREADS);
	__type(key, struct process);
	__type(value, u32);
} threads SEC(".maps");

/* scratch.bpf.h says why it is asked for from here. */
static __always_inline struct mpu_view *scratch_view(void);

/* Was this number given before? Now it is. */
static __always_inline bool view_give(struct mpu_view *view, u32 number)
{
	u64 mark = (u64)view->stamp << 32 | number;
	u32 at = number * 0x9e3779b1u >> 16;
	u32 i;

	for (i = 0; i < GIVEN_TRIES; i++) {
		u64 *one = &view->given[(at + i) & (GIVEN - 1)];

		if (*one == mark)
			return true;
		if (*one >> 32 != view->stamp) {
			*one = mark;
			return false;
		}
	}
	return false;
}

/*
 * The process that is @number in @tree, or of which a thread is, if @threads. Return: 0: it
 * is not visible.
 */
static __always_inline u32 view_number(struct mpu_view *view,
				       struct pid_tree *tree, u32 number,
				       bool threads)
{
	if (!pid_read_process(view->pid, pid_find(tree, number), view->level, threads))
		return 0;
	return pid_number(view->pid, view->ns, view->level);
}

/* The process looked at last; its global number is not soon another's. */
static __always_inline struct process view_process(const struct mpu_view *view)
{
	return (struct process){
		.ns = view->ns, .global = pid_number(view->pid, 0, 0),
	};
}

/*
 * The driver knows the process looked at by @number: its own, @local, or that of
 * a thread. Where a list has both, its own counts.
 */
static __always_inline void learn_thread(struct mpu_view *view, u32 number, u32 local, bool again)
{
	struct process process = view_process(view);

	if (number == local)
		bpf_map_delete_elem(&threads, &process);
	else if (!again)
		bpf_map_update_elem(&threads, &process, &number, BPF_ANY);
}

static __always_inline u32 client_number(struct mpu_view *view, u32 local)
{
	struct process process = view_process(view);
	u32 *number = bpf_map_lookup_elem(&threads, &process);

	if (!number)
		return local;
	/* The thread may have ended, and its number may be another's. */
	return view_number(view, &view->own, *number, true) == local ? *number : local;
}

/*
 * Returns 0 if a list gave this local number before. A function of its own: the verifier
 * looks into it once, not for each field of an element.
 */
__attribute__((__noinline__)) u32 view_once(u32 number, u32 local)
{
	struct mpu_view *view = scratch_view();
	bool again;

	if (!view)
		return 0;
	again = view_give(view, local);
	learn_thread(view, number, local, again);
	view->again += again;
	return again ? 0 : local;
}

/*
 * Open drivers say local numbers of threads, too. Global ones are of processes: a
 * thread that has one has it by chance, from a process which has ended.
 */
static u32 mpu_view_local(struct mpu_view *view, u32 number, u64 left)
{
	bool global = view->pid_space == MPU_PIDS_GLOBAL ||
		      (view->pid_space == MPU_PIDS_MIXED && left);
	u32 local = view_number(view, global ? &view->host : &view->own, number, !global);

	return local && view->once ? view_once(number, local) : local;
}

/* Threads are not asked about: RM knows none, and the caller means none. */
static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	u64 pid = pid_find(&view->own, local);
	u32 global;

	if (!pid || pid_read(view->pid, pid, 0) || !pid_is_process(view->pid))
		return 0;
	global = pid_number(view->pid, 0, 0);
	if (view->pid_space == MPU_PIDS_GLOBAL)
		return global;
	/*
	 * lookupPid() looks for a client of that number, in the caller's
	 * namespace, and then takes the number for a global one. So a process
	 * without a client, or done with it, is found by its own.
	 */
	if (view->record && !pid_find(&view->own, global))
		return global;
	return client_number(view, local);
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global, u64 when)
{
	u64 pid = pid_find(&view->own, local), began;

	if (!pid || pid_read(view->pid, pid, 0) ||
	    !pid_is_process(view->pid) ||
	    pid_number(view->pid, 0, 0) != global)
		return false;
	began = task_start_time(pid_task(view->pid));
	return began != ~0ull && (began + state.epoch) / 1000 <= when;
}

static __always_inline void view_open(struct mpu_view *view, const struct mpu_row *row)
{
	struct pid *pid = (void *)caller_pid();
	struct upid upid = {};
	u32 level = BPF_CORE_READ(pid, level);

	bpf_core_read(&upid, sizeof(upid), &pid->numbers[level]);
	view->ns = (u64)upid.ns;
	view->level = level;
	view->pid_space = state.pid_space[row->control & (sizeof(state.pid_space) - 1)];
	view->once = row->drop && view->pid_space == MPU_PIDS_LOCAL;
	view->record = row->dir == MPU_IN && row->time != MPU_NO_OFFSET;
	view->again = 0;
	view->stamp++;
	pid_tree_open(&view->own, view->ns);
	pid_tree_open(&view->host, (u64)BPF_CORE_READ(pid, numbers[0].ns));
}

#endif /* MPU_BPF_VIEW_H */
