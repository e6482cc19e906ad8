// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions asked by actors, and the comparison of answers: see suite.h.
 */
#include "tests/conformance/suite.h"

/* A number no process has, above what Linux gives. */
#define NOBODY 0x7ffffff0u

#define differ(...) \
	do { \
		case_fail(__VA_ARGS__); \
		return false; \
	} while (0)

bool question_ask(struct actor *seer, struct question *q)
{
	int ret = actor_do(seer, gpu_ask, q, sizeof(*q));

	check_or(false, !ret, "actor %d cannot ask control 0x%x: %d", seer->pid,
		 mpu_rows[q->row].cmd, ret);
	check_or(false, !q->spoilt, "control 0x%x wrote beside its params", mpu_rows[q->row].cmd);
	return true;
}

/* The process that @seer calls @local; NOBODY if there is none. */
static u32 truth_global(const struct actor *seer, u32 local)
{
	if (!local)
		return 0;
	for_each_actor(x)
		if (x->pid && truth_local(seer, x->pid) == local)
			return x->pid;
	return NOBODY;
}

bool question_ask_host(struct actor *host, const struct actor *seer,
		       const struct question *q, struct question *answer)
{
	u32 i;

	*answer = *q;
	for (i = 0; i < q->count; i++)
		answer->pids[i] = truth_global(seer, q->pids[i]);
	return question_ask(host, answer);
}

/* --- comparing --- */

/* An answer names the same few processes over and over: /proc is asked once. */
static struct {
	u32 number, local;
} known[64];
static unsigned int knows;

static u32 local_of(const struct actor *seer, u32 number)
{
	unsigned int i;

	if (truth_on_host(seer))
		return number;	/* whatever it is: the host is not touched */
	for (i = 0; i < knows; i++)
		if (known[i].number == number)
			return known[i].local;
	if (knows == 64)
		knows = 0;
	known[knows].number = number;
	known[knows].local = truth_local(seer, number);
	return known[knows++].local;
}

bool question_is_unchanged(const struct actor *seer, const struct question *q)
{
	const struct mpu_row *row = &mpu_rows[q->row];

	if (memcmp(q->params, q->sent, row->size))
		differ("0x%x from %d: failed with 0x%x and changed the params",
		       row->cmd, seer->pid, q->ret);
	return true;
}

/* @size bytes, all @value? */
static bool all(const u8 *p, u32 size, u8 value)
{
	while (size && p[size - 1] == value)
		size--;
	return !size;
}

/*
 * The host is told of a process that has ended. If it was one that @seer knew,
 * mpu.ko still knows its number, which is no living process's: cases_accounting.c
 * has which it must be.
 */
static bool tells_ended(const struct actor *seer, const struct question *q, u32 i)
{
	return mpu_rows[q->row].ended && engine_on(ON_MODULE) &&
	       i < question_count(q) &&
	       truth_global(seer, question_pid(q, i, 0)) == NOBODY;
}

static bool compare_list(const struct actor *seer, const struct question *q,
			 const struct question *host)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	const u8 *got = question_array(q), *all_of_it = question_array(host);
	u32 n = question_count(host), kept = 0, i;
	u8 want[256];

	for (i = 0; i < n; i++) {
		u32 pid = question_pid(host, i, 0);
		u32 local = local_of(seer, pid);
		const u8 *at = got + row->base + kept * row->stride;

		if (!local) {
			kept += tells_ended(seer, q, kept);
			continue;
		}
		memcpy(want, all_of_it + row->base + i * row->stride, row->stride);
		mpu_put32(want, row->pid, local);
		if (mpu_get32(at, row->pid) != local)
			differ("0x%x from %d: entry %u is %u, not %u (global %u)", row->cmd,
			       seer->pid, kept, mpu_get32(at, row->pid), local, pid);
		if (memcmp(at, want, row->stride))
			differ("0x%x from %d: entry %u of process %u differs",
			       row->cmd, seer->pid, kept, local);
		kept++;
	}
	if (question_count(q) != kept)
		differ("0x%x from %d: count %u, not %u", row->cmd, seer->pid,
		       question_count(q), kept);
	for (i = kept; i < n; i++) {
		const u8 *at = got + row->base + i * row->stride;

		if (!all(at, row->stride, 0) && !all(at, row->stride, FILL))
			differ("0x%x from %d: something is left behind the list",
			       row->cmd, seer->pid);
	}
	/*
	 * A driver that lists a process more than once (docs/abi.md) has written
	 * there, and engine bpf has cleared it.
	 */
	for (i = row->base + n * row->stride; i < row->base + (u32)row->cap * row->stride; i++)
		if (got[i] != all_of_it[i] && (got[i] || !engine_on(ON_BPF)))
			differ("0x%x from %d: byte %u of the array differs",
			       row->cmd, seer->pid, i);
	return true;
}

/*
 * Returns the process that the places of strangers name in column @f of samples: of
 * those that @seer can see the one with the newest.
 */
static u32 substitute(const struct actor *seer, const struct question *host, u32 f)
{
	const struct mpu_row *row = &mpu_rows[host->row];
	u32 i, pid, who = row->none;
	u64 when, newest = 0;

	for (i = 0; row->time != MPU_NO_OFFSET && i < row->cap; i++) {
		pid = question_pid(host, i, f);
		when = question_time(host, i);
		if (!pid || pid == row->none || when < newest || !local_of(seer, pid))
			continue;
		newest = when;
		who = local_of(seer, pid);
	}
	return who;
}

/* Make of a host's field what @seer may see: its own number, or @other of strangers. */
static void expect_field(const struct actor *seer, const struct mpu_row *row,
			 u8 *want, u32 off, u32 other)
{
	u32 pid = mpu_get32(want, off), local;

	if (row->pointer != MPU_NO_OFFSET && !truth_on_host(seer))
		mpu_put64(want, off + row->pointer, 0);
	if (!pid || pid == row->none)
		return;
	local = local_of(seer, pid);
	if (!local)
		memset(want + off + row->blank_off, 0, row->blank_len);
	mpu_put32(want, off, local ? local : other);
}

static bool compare_samples(const struct actor *seer, const struct question *q,
			    const struct question *host)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	const u8 *got = question_array(q);
	u32 i, f, size = row->base + (u32)row->cap * row->stride;
	u32 other[MPU_FIELDS_MAX];
	u8 *want = malloc(size);
	bool same;

	memcpy(want, question_array(host), size);
	for (f = 0; f < row->fields; f++)
		other[f] = substitute(seer, host, f);
	for (i = 0; i < row->cap; i++) {
		for (f = 0; f < row->fields; f++) {
			u32 off = row_pid_offset(row, i, f);

			expect_field(seer, row, want, off, other[f]);
			if (mpu_get32(got, off) != mpu_get32(want, off)) {
				case_fail("0x%x from %d: sample %u engine %u is of %u, not %u",
					  row->cmd, seer->pid, i, f, mpu_get32(got, off),
					  mpu_get32(want, off));
				free(want);
				return false;
			}
		}
		if (row->time != MPU_NO_OFFSET)
			mpu_put64(want, row->base + i * row->stride + row->time,
				  question_time(q, i));
	}
	for (i = 0; i < size && got[i] == want[i]; i++)
		;
	same = i == size;
	free(want);
	if (!same)
		differ("0x%x from %d: byte %u differs (%u in a sample)",
		       row->cmd, seer->pid, i, (i - row->base) % row->stride);
	return true;
}

static bool compare_question(const struct actor *seer, const struct question *q,
			     const struct question *host)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u8 want[MPU_PARAMS_MAX];
	u32 i;

	memcpy(want, host->params, row->size);
	for (i = 0; i < q->count; i++) {
		if (question_pid(q, i, 0) != q->pids[i])
			differ("0x%x from %d: asked about %u, %u came back", row->cmd, seer->pid,
			       q->pids[i], question_pid(q, i, 0));
		mpu_put32(want, row_pid_offset(row, i, 0), q->pids[i]);
	}
	for (i = 0; i < row->size && q->params[i] == want[i]; i++)
		;
	if (i < row->size)
		differ("0x%x from %d: about %u, byte %u differs: %02x, not %02x", row->cmd,
		       seer->pid, i < row->base ? 0 : q->pids[(i - row->base) / row->stride],
		       (i - row->base) % row->stride, q->params[i], want[i]);
	return true;
}

/* Params apart from array and count. */
static bool compare_rest(const struct actor *seer, const struct question *q,
			 const struct question *host)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 from = row->base, to = row->base + (u32)row->cap * row->stride, i;

	if (row->ptr != MPU_NO_OFFSET) {
		from = row->ptr;	/* each caller has its own array */
		to = row->ptr + 8;
	}
	for (i = 0; i < row->size; i++)
		if ((i < from || i >= to) && i - row->count >= 4 && q->params[i] != host->params[i])
			differ("0x%x from %d: byte %u of the params differs",
			       row->cmd, seer->pid, i);
	return true;
}

/*
 * Did the call fail for @seer as it does on the host? Where a driver does not find
 * the table it is to fill, it gives the params back all the same, the pointer
 * zeroed.
 */
static bool compare_failed(const struct actor *seer, const struct question *q,
			   const struct question *host)
{
	u32 size = mpu_rows[q->row].size;

	if (!memcmp(host->params, host->sent, size))
		return question_is_unchanged(seer, q);
	/* Engines bpf and notify refuse such a call without asking the driver. */
	if (engine_on(ON_BPF | ON_NOTIFY) && !memcmp(q->params, q->sent, size))
		return question_is_unchanged(seer, q);
	if (memcmp(q->params, host->params, size))
		differ("0x%x from %d: failed with 0x%x, and other params",
		       mpu_rows[q->row].cmd, seer->pid, q->ret);
	return true;
}

bool answer_is_right(const struct actor *seer, const struct question *q,
		     const struct question *host)
{
	const struct mpu_row *row = &mpu_rows[q->row];

	knows = 0;
	if (q->ret != host->ret)
		differ("0x%x from %d: status 0x%x, not 0x%x", row->cmd,
		       seer->pid, q->ret, host->ret);
	if (q->ret)
		return compare_failed(seer, q, host);
	if (row->dir == MPU_IN)
		return compare_question(seer, q, host);
	if (!compare_rest(seer, q, host))
		return false;
	return row->drop ? compare_list(seer, q, host) : compare_samples(seer, q, host);
}

bool answer_is_the_hosts(struct actor *host, const struct actor *seer, const struct question *q)
{
	static struct question answer;

	return answer_hides_strangers(seer, q) && question_ask_host(host, seer, q, &answer) &&
	       answer_is_right(seer, q, &answer);
}

void question_forget_moment(struct question *q)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	u32 i;

	if (row->ptr != MPU_NO_OFFSET)
		mpu_put64(q->params, row->ptr, 0);
	if (row->drop || row->dir == MPU_IN || row->fields == 1)
		return;
	for (i = 0; i < row->cap; i++)
		mpu_put64((u8 *)question_array(q), row->base + i * row->stride, 0);
}

/* --- strangers --- */

/* Does @value name an actor that @seer must not know under this number? */
static bool is_strange(const struct actor *seer, u32 value)
{
	bool strange = false;

	if (value < 10000)
		return false;	/* host_set_next_pid() keeps global ones above */
	for_each_actor(x) {
		if (!x->pid)
			continue;
		if (truth_local(seer, x->pid) == value)
			return false;
		strange |= (u32)x->pid == value;
	}
	return strange;
}

bool answer_hides_strangers(const struct actor *seer, const struct question *q)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	const u8 *array = question_array(q);
	u32 off, value, size = row->ptr == MPU_NO_OFFSET ? row->size : (u32)row->cap * row->stride;

	if (row->dir == MPU_IN || truth_on_host(seer))
		return true;	/* there, what came back is what was asked */
	for (off = 0; off + 4 <= size; off += 4) {
		value = mpu_get32(array, off);
		for_each_actor(x)
			if (value == (u32)x->pid && is_strange(seer, value))
				differ("0x%x to %d: global number %u at byte %u",
				       row->cmd, seer->pid, value, off);
	}
	return true;
}
