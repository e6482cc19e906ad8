/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A translated call: its question turned in the caller's memory before the
 * driver reads it, its answer after the driver wrote it.
 *
 * What the verifier makes of it: loops call a function of their own for each
 * element (looked into once, not 4000 times), and what it would otherwise
 * follow for every possible value stands in a slot, in memory.
 */
#ifndef MPU_BPF_CALL_H
#define MPU_BPF_CALL_H

#include "pidns.bpf.h"
#include "state.h"

#include "core/core.h"
#include "core/nvrm.h"
#include "core/regimes.h"

/* PID controls in flight at a time, and questions among them. */
#define CALLS		8192
#define QUESTIONS	1024

/* Processes known to the driver by a thread. */
#define THREADS		4096

/* Numbers already in a list: several times its longest of native ones. */
#define LISTED		2048
#define LISTED_TRIES	32

/**
 * struct mpu_view - what the caller sees, and whose numbers the driver speaks
 * @ns:		its PID namespace
 * @level:	of that
 * @speech:	enum mpu_speech, for this control
 * @once:	a number is given once only, as the list has each process once
 * @again:	how often it was not, for that reason
 * @slot:	index of the slot that this is in
 * @stamp:	marks what is valid in @listed: number of this call
 * @pid:	the struct pid looked at
 * @host:	PIDs of the initial namespace
 * @own:	PIDs of its own
 * @listed:	hash table of the numbers given, @stamp in the upper half
 */
struct mpu_view {
	u64 ns;
	u32 level;
	u32 speech;
	u32 once;
	u32 again;
	u32 slot;
	u32 stamp;
	struct pid_tree host;
	struct pid_tree own;
	u8 pid[PID_ROOM + PID_ROOM];
	u64 listed[LISTED];
};

/**
 * struct call - a PID control in flight, by the thread that makes it
 * @arg:	the ioctl's third argument
 * @block:	address of the argument block
 * @params:	and of the params
 * @row:	index of the layout; MPU_ROWS: the block could not be read yet
 * @nr:		number of the ioctl
 * @asked:	numbers turned in the params
 * @refused:	the question could not be turned: RM was given a size that it
 *		refuses
 * @hook:	where it began
 */
struct call {
	u64 arg;
	u64 block;
	u64 params;
	u32 row;
	u32 nr;
	u32 asked;
	u32 refused;
	u64 hook;
};

/**
 * struct slot - room to work in; a program has it to itself while it runs
 * @head:	params whose array is in a user buffer
 * @array:	params with the array inside, or that user buffer
 * @call:	that begins
 *
 * Both are long enough for any offset of the rule: env.h, MPU_REACH.
 */
struct slot {
	u8 head[64];
	u8 array[MPU_REACH + MPU_RUN];
	struct mpu_view view;
	struct mpu_tally tally;
	struct mpu_pass pass;
	u32 row;
	u32 saved[MPU_ASK_MAX];
	struct call call;
};

struct question {
	u32 saved[MPU_ASK_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* set before loading: see slot_now() */
	__type(key, u32);
	__type(value, struct slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CALLS);
	__type(key, u64);
	__type(value, struct call);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, QUESTIONS);
	__type(key, u64);
	__type(value, struct question);
} questions SEC(".maps");

/*
 * Processes whose client the driver knows by a thread (R2, R3), and which: their
 * own number finds nothing there. Learned from lists, which come first.
 */
struct process {
	u64 ns;
	u64 local;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, THREADS);
	__type(key, struct process);
	__type(value, u32);
} threads SEC(".maps");

struct bpf_state state;
static const u8 nothing[MPU_RUN];

/*
 * Probes run with preemption off. fentry and fexit do not, but neither runs
 * twice at a time on one CPU: they have a slot each.
 */
const volatile u32 slots_per_cpu = 1;

static __always_inline u32 slot_now(bool leaving)
{
	u32 each = slots_per_cpu;

	return bpf_get_smp_processor_id() * each + (each > 1 && leaving);
}

static void mpu_zero(void *buf, u32 off, u32 len)
{
	u32 i;

	for (i = 0; i < MPU_REACH / MPU_RUN && len >= MPU_RUN; i++) {
		bpf_probe_read_kernel(buf + mpu_offset(off), MPU_RUN, nothing);
		off += MPU_RUN;
		len -= MPU_RUN;
	}
	bpf_probe_read_kernel(buf + mpu_offset(off),
			      mpu_fixed(len) & (MPU_RUN - 1), nothing);
}

/* No element is as long as MPU_RUN. */
static void mpu_move(void *buf, u32 to, u32 from, u32 len)
{
	if (len == 4)
		mpu_put32(buf, to, mpu_get32(buf, from));
	else
		bpf_probe_read_kernel(buf + mpu_offset(to),
				      mpu_fixed(len) & (MPU_RUN - 1),
				      buf + mpu_offset(from));
}

/*
 * To the caller's memory, which must be present: programs cannot wait for it.
 * The driver has just been there. Never a length of 0 in the verifier's eyes,
 * and none above @room, a power of two.
 */
static __always_inline long put_user(u64 to, const void *from, u64 len,
				     u64 room)
{
	if (!len)
		return 0;
	len = mpu_fixed(len - 1) & (room - 1);
	return bpf_probe_write_user((void *)to, from, mpu_fixed(len) + 1);
}

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

/* The driver calls a process by @number. If by its own, too, that goes first. */
static __always_inline void learn_thread(struct mpu_view *view, u32 number,
					 u32 local, bool again)
{
	struct process process = { .ns = view->ns, .local = local };

	if (number == local)
		bpf_map_delete_elem(&threads, &process);
	else if (!again)
		bpf_map_update_elem(&threads, &process, &number, BPF_ANY);
}

/* Number by which a driver of local numbers knows a process, itself or 0. */
static __always_inline u32 known_number(struct mpu_view *view, u32 local)
{
	struct process process = { .ns = view->ns, .local = local };
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

	if (!pid || pid_read(view->pid, pid, 0) || !pid_is_process(view->pid))
		return 0;
	if (view->speech == MPU_SPEAKS_GLOBAL)
		return pid_number(view->pid, 0, 0);
	return known_number(view, local);
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
	view->again = 0;
	view->slot = at;
	view->stamp++;
	pid_tree_of(&view->own, view->ns);
	pid_tree_of(&view->host, (u64)BPF_CORE_READ(pid, numbers[0].ns));
	slot->tally.seen = 0;
	slot->tally.hidden = 0;
	slot->row = mpu_row_index(row);
}

static __always_inline void count(u64 control, enum bpf_counter which, u32 n)
{
	control = mpu_fixed(control);
	if (n && control < MPU_CONTROLS)
		__sync_fetch_and_add(&state.counter[mpu_fixed(control)][which], n);
}

__attribute__((__noinline__)) int ask_element(u32 at, u32 i)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	const struct mpu_row *row;
	u64 to = mpu_fixed(i);
	u32 own;

	if (!slot)
		return 0;
	row = mpu_row_at(slot->row);
	if (!row)
		return 0;
	own = mpu_ask_element(row, slot->array, i, &slot->view, &slot->tally);
	if (to < MPU_ASK_MAX)
		slot->saved[mpu_fixed(to)] = own;
	return 0;
}

/*
 * Turn the question. Return: how many numbers; -1: they could not be read or
 * not be written.
 */
static __always_inline int call_ask(u32 at, struct slot *slot,
				    const struct mpu_row *row, u64 params)
{
	u64 len, base = row->base & (MPU_RUN - 1);
	u32 i, n;

	if (row->count != MPU_NO_OFFSET &&
	    bpf_probe_read_user(slot->array + mpu_offset(row->count), 4,
				(void *)(params + row->count)))
		return -1;
	n = mpu_count(row, slot->array, row->size);
	len = n * row->stride & (MPU_REACH - 1);
	len = mpu_fixed(len);
	base = mpu_fixed(base);
	if (bpf_probe_read_user(slot->array + base, len,
				(void *)(params + base)))
		return -1;
	for (i = 0; i < MPU_ASK_MAX && i < n; i++)
		ask_element(at, i);
	if (put_user(params + base, slot->array + base, len, MPU_REACH))
		return -1;
	return n;
}

static __always_inline void call_restore(u64 key, const struct mpu_row *row,
					 const struct call *call)
{
	struct question *question = bpf_map_lookup_elem(&questions, &key);
	u32 i;

	if (!question)
		return;
	for (i = 0; i < MPU_ASK_MAX && i < call->asked; i++)
		bpf_probe_write_user((void *)(call->params +
					      mpu_pid_offset(row, i)),
				     &question->saved[i], 4);
	bpf_map_delete_elem(&questions, &key);
}

__attribute__((__noinline__)) int answer_element(u32 at, u32 i)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &at);
	const struct mpu_row *row;

	if (!slot)
		return 0;
	row = mpu_row_at(slot->row);
	if (row)
		mpu_answer_element(row, slot->array, i, &slot->pass,
				   &slot->view, &slot->tally);
	return 0;
}

/* A loop in a loop: the verifier follows 64 steps of each, not their product. */
#define SOME	64

__attribute__((__noinline__)) int answer_some(u32 at, u32 from, u32 n)
{
	u32 i;

	for (i = 0; i < SOME && from + i < n; i++)
		answer_element(at, from + i);
	return 0;
}

/* The array stands in the slot, its count in @params there. */
static __always_inline void answer_array(u32 at, struct slot *slot,
					 const struct mpu_row *row,
					 void *params, u32 size)
{
	u32 i, n;

	mpu_answer_begin(row, params, slot->array, size, &slot->pass);
	n = slot->pass.n;
	for (i = 0; i < (MPU_LIST_MAX + SOME - 1) / SOME && i * SOME < n; i++)
		answer_some(at, i * SOME, n);
	mpu_answer_end(row, params, slot->array, &slot->pass);
}

static __always_inline int write_count(struct slot *slot,
				       const struct mpu_row *row,
				       const void *params, u64 to)
{
	u32 n;

	if (row->count == MPU_NO_OFFSET || slot->pass.kept == slot->pass.n)
		return 0;
	n = mpu_get32(params, row->count);
	return bpf_probe_write_user((void *)(to + row->count), &n, 4);
}

/* The array is inside the params: only what it holds is read and written. */
static __always_inline int answer_params(u32 at, struct slot *slot,
					 const struct mpu_row *row, u64 params)
{
	u64 len, base = row->base & (MPU_RUN - 1);

	if (row->count != MPU_NO_OFFSET &&
	    bpf_probe_read_user(slot->array + mpu_offset(row->count), 4,
				(void *)(params + row->count)))
		return -1;
	len = mpu_count(row, slot->array, row->size) * row->stride &
	      (MPU_REACH - 1);
	len = mpu_fixed(len);
	base = mpu_fixed(base);
	if (bpf_probe_read_user(slot->array + base, len,
				(void *)(params + base)))
		return -1;
	answer_array(at, slot, row, slot->array, row->size);
	if (put_user(params + base, slot->array + base, len, MPU_REACH))
		return -1;
	return write_count(slot, row, slot->array, params);
}

/* RM takes no larger params either (RMAPI_PARAM_COPY_MAX_PARAMS_SIZE). */
#define CLEARED_MAX	(1u << 20)

/* What no known layout reaches. @from: bytes that were looked at. */
__attribute__((__noinline__)) int clear_rest(u64 user, u32 from, u32 size)
{
	u32 i;

	for (i = 0; i < CLEARED_MAX / MPU_RUN; i++) {
		u32 at = from + i * MPU_RUN;

		if (at >= size)
			break;
		if (put_user(user + at, nothing,
			     size - at < MPU_RUN ? size - at : MPU_RUN,
			     MPU_RUN))
			return -1;
	}
	return 0;
}

/* The array is in a buffer of the caller's that the params point to. */
static __always_inline int answer_buffer(u32 at, struct slot *slot,
					 const struct mpu_row *row, u64 params)
{
	u64 user, len = mpu_fixed(row->size) & (sizeof(slot->head) - 1);
	u32 bytes;

	if (bpf_probe_read_user(slot->head, len, (void *)params))
		return -1;
	user = mpu_get64(slot->head, row->ptr);
	if (!user)
		return 0;
	if (row->bytes != MPU_NO_OFFSET)
		bytes = mpu_get32(slot->head, row->bytes);
	else
		bytes = mpu_get32(slot->head, row->count) * row->stride;
	row = mpu_row_buffer(row, state.branch);
	if (!row)
		return clear_rest(user, 0, bytes);
	len = bytes < MPU_REACH ? bytes : MPU_REACH - 1;
	len = mpu_fixed(len) & (MPU_REACH - 1);
	if (bpf_probe_read_user(slot->array, len, (void *)user))
		return -1;
	slot->row = mpu_row_index(row);
	answer_array(at, slot, row, slot->head, len);
	if (put_user(user, slot->array, len, MPU_REACH) ||
	    clear_rest(user, len, bytes))
		return -1;
	return write_count(slot, row, slot->head, params);
}

#endif /* MPU_BPF_CALL_H */
