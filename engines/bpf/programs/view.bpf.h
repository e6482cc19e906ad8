/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view of a caller: what numbers mean to it, when the driver speaks the
 * host's, the caller's own, or either.
 */
#ifndef MPU_BPF_VIEW_H
#define MPU_BPF_VIEW_H

#include "slot.bpf.h"

/* Was this number given before? */
static __always_inline bool listed(struct mpu_view *view, u32 number)
{
	u64 mark = (u64)view->stamp << 32 | number;
	u32 at = number * 0x9e3779b1u >> 16;
	u32 i;

	for (i = 0; i < LISTED_TRIES; i++) {
		u64 *one = &view->listed[(at + i) & (LISTED - 1)];

		if (*one == mark)
			return true;
		if (*one >> 32 != view->stamp) {
			*one = mark;
			return false;
		}
	}
	return false;
}

/* A number in the caller's namespace, of one there or in the initial one. */
static __always_inline u32 view_number(struct mpu_view *view,
				       struct pid_tree *tree, u32 number)
{
	if (!pid_read_process(view->pid, pid_find(tree, number), view->level))
		return 0;
	return pid_number(view->pid, view->ns, view->level);
}

/* The process looked at last, under a name that is not soon another's. */
static __always_inline struct process view_process(const struct mpu_view *view)
{
	return (struct process){
		.ns = view->ns, .global = pid_number(view->pid, 0, 0),
	};
}

/*
 * The driver calls the process looked at by @number. If by its own, too, that
 * goes first.
 */
static __always_inline void learn_thread(struct mpu_view *view, u32 number,
					 u32 local, bool again)
{
	struct process process = view_process(view);

	if (number == local)
		bpf_map_delete_elem(&threads, &process);
	else if (!again)
		bpf_map_update_elem(&threads, &process, &number, BPF_ANY);
}

/* Number by which the driver knows the process looked at, itself or not. */
static __always_inline u32 known_number(struct mpu_view *view, u32 local)
{
	struct process process = view_process(view);
	u32 *number = bpf_map_lookup_elem(&threads, &process);

	if (!number)
		return local;
	/* That thread may have ended, and its number may be another's. */
	return view_number(view, &view->own, *number) == local ? *number :
								 local;
}

/* In a list of local numbers: 0 if it was given before. A function: see above. */
__attribute__((__noinline__)) u32 view_once(u32 at, u32 number, u32 local)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	bool again;

	if (!slot)
		return 0;
	again = listed(&slot->view, local);
	learn_thread(&slot->view, number, local, again);
	slot->view.again += again;
	return again ? 0 : local;
}

static u32 mpu_view_local(struct mpu_view *view, u32 number, u64 left)
{
	bool global = view->speech == MPU_SPEAKS_GLOBAL ||
		      (view->speech == MPU_SPEAKS_MIXED && left);
	u32 local = view_number(view, global ? &view->host : &view->own,
				number);

	return local && view->once ? view_once(view->slot, number, local) :
				     local;
}

/* Threads are not asked about: RM knows none, and the caller means none. */
static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	u64 pid = pid_find(&view->own, local);
	u32 global;

	if (!pid || pid_read(view->pid, pid, 0) || !pid_is_process(view->pid))
		return 0;
	global = pid_number(view->pid, 0, 0);
	if (view->speech == MPU_SPEAKS_GLOBAL)
		return global;
	/*
	 * lookupPid() looks for a client of that number, in the caller's
	 * namespace, and then takes the number for a global one. So a process
	 * without a client, or done with it, is found by its own.
	 */
	if (view->record && !pid_find(&view->own, global))
		return global;
	return known_number(view, local);
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global,
			   u64 when)
{
	u64 pid = pid_find(&view->own, local), began;

	if (!pid || pid_read(view->pid, pid, 0) ||
	    !pid_is_process(view->pid) ||
	    pid_number(view->pid, 0, 0) != global)
		return false;
	began = task_began(pid_task(view->pid));
	return began != ~0ull && (began + state.epoch) / 1000 <= when;
}

/* The caller's view into @slot, for a row. */
static __always_inline void view_open(u32 at, struct slot *slot, u64 task_pid,
				      const struct mpu_row *row)
{
	struct mpu_view *view = &slot->view;
	struct pid *pid = (void *)task_pid;
	struct upid upid = {};
	u32 level = BPF_CORE_READ(pid, level);

	bpf_core_read(&upid, sizeof(upid), &pid->numbers[level]);
	view->ns = (u64)upid.ns;
	view->level = level;
	view->speech = state.speech[row->control & (sizeof(state.speech) - 1)];
	view->once = row->drop && view->speech == MPU_SPEAKS_LOCAL;
	view->record = row->dir == MPU_IN && row->time != MPU_NO_OFFSET;
	view->again = 0;
	view->slot = at;
	view->stamp++;
	pid_tree_of(&view->own, view->ns);
	pid_tree_of(&view->host, (u64)BPF_CORE_READ(pid, numbers[0].ns));
	slot->tally.seen = 0;
	slot->tally.hidden = 0;
	slot->row = mpu_row_index(row);
}

#endif /* MPU_BPF_VIEW_H */
