// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hostile and unlucky arguments: counts, sizes, memory that is not there,
 * calls that fail, controls that only look like those of the table.
 */
#include <sys/mman.h>

#include "core/table.h"
#include "sim/interface.h"
#include "tests/conformance/suite.h"

static struct question q, host;

static void begin(u32 row)
{
	q = (struct question){ .row = row };
}

static bool same_as_host(struct scenario *s)
{
	return question_ask(s->a, &q) &&
	       question_ask_host(s->host, s->a, &q, &host) &&
	       answer_hides_strangers(s->a, &q) &&
	       answer_is_right(s->a, &q, &host);
}

IN_SMALL("edges: absurd counts", NEVER, 0)
{
	static const u32 counts[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff,
				      0x08000000, 0x05555556, 0x10000 };
	u32 row, i;

	for_each_row(row) {
		if (mpu_rows[row].count == MPU_NO_OFFSET || !row_answered(s->host, row))
			continue;
		if (row_is_unread(s->host, row))
			continue;
		for (i = 0; i < sizeof(counts) / sizeof(counts[0]) + 2; i++) {
			begin(row);
			question_name_two(s, s->a, &q);
			q.lie = true;
			q.said = i < 8 ? counts[i] : mpu_rows[row].cap + (i - 8) * 2 - 1;
			if (q.said == mpu_rows[row].cap + 1u && mpu_rows[row].ptr != MPU_NO_OFFSET)
				continue;	/* our array is not that long */
			if (q.said == 1 && mpu_rows[row].dir == MPU_IN)
				q.count = 1;
			if (!same_as_host(s))
				return;
		}
	}
}

/* A full question: as many as the row has room for, not one of them changed. */
IN_SMALL("edges: full question", R2_UP, 0)
{
	u32 row, i;

	for_each_row(row) {
		if (mpu_rows[row].dir != MPU_IN || mpu_rows[row].cap == 1 ||
		    !row_answered(s->host, row))
			continue;
		begin(row);
		q.count = mpu_rows[row].cap;
		for (i = 0; i < q.count; i++)
			q.pids[i] = i % 3 ? 1 : s->d->pid;
		if (!same_as_host(s))
			return;
	}
}

IN_SMALL("edges: absurd sizes", R0_UP, 0)
{
	u32 row, i;

	for_each_row(row) {
		u32 size = mpu_rows[row].size;
		const u32 sizes[] = { 1, 4, size - 4, size - 1, size + 1,
				      size + 4, 1 << 20, (1 << 20) + 1,
				      0x80000000 + size, 0xffffffff };

		if (!row_answered(s->host, row))
			continue;
		for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			begin(row);
			question_name_two(s, s->a, &q);
			q.size = sizes[i];
			if (!question_ask(s->a, &q) || !question_ask_host(s->host, s->a, &q, &host))
				return;
			/*
			 * Engines refuse it before the driver sees it, unless
			 * it is one that RM refuses whatever control it is.
			 */
			if (engine_on(ON_ANY) && q.ret == (int)mpu_status_unknown(&mpu_rows[row]))
				host.ret = q.ret;
			check(q.ret && q.ret == host.ret,
			      "0x%x with %u bytes: 0x%x, on the host 0x%x",
			      mpu_rows[row].cmd, sizes[i], q.ret, host.ret);
			if (!question_is_unchanged(s->a, &q))
				return;
		}
	}
}

/* A control that fails after it was carried out: nothing may be different. */
IN_SMALL("edges: calls that fail", R0_UP, 0)
{
	u32 row;

	for_each_answered_row(row, s->host) {
		begin(row);
		question_name_two(s, s->a, &q);
		q.fail = NV_ERR_INSUFFICIENT_RESOURCES;
		if (!question_ask(s->a, &q))
			return;
		check(q.ret == NV_ERR_INSUFFICIENT_RESOURCES,
		      "0x%x ended with 0x%x", mpu_rows[row].cmd, q.ret);
		if (!question_is_unchanged(s->a, &q))
			return;
		if (mpu_rows[row].ptr != MPU_NO_OFFSET)
			check(q.array[0] == FILL, "0x%x failed and wrote", mpu_rows[row].cmd);
	}
}

static void at_edge(u32 row, u32 place, struct scenario *s)
{
	begin(row);
	question_name_two(s, s->a, &q);
	q.place = place;
	if (!question_ask(s->a, &q) || !question_ask_host(s->host, s->a, &q, &host) ||
	    !answer_hides_strangers(s->a, &q))
		return;
	/* Engine bpf refuses in its own way what it has to read and cannot. */
	if (engine_on(ON_BPF) && q.ret && (mpu_rows[row].dir == MPU_IN ||
					   mpu_rows[row].ptr != MPU_NO_OFFSET))
		host.ret = q.ret;
	check(q.ret == host.ret, "0x%x, place %u: 0x%x, on the host 0x%x",
	      mpu_rows[row].cmd, place, q.ret, host.ret);
	check(!q.ret == (place < PLACE_TORN), "0x%x, place %u: 0x%x",
	      mpu_rows[row].cmd, place, q.ret);
	if (!q.ret)
		answer_is_right(s->a, &q, &host);
}

static void at_edges(u32 from, u32 to)
{
	struct scenario s;
	u32 row, place;

	if (!scenario_open_small(&s))
		return;
	for_each_row(row) {
		if (!row_answered(s.host, row) || mpu_rows[row].cmd == 0x607)
			continue;
		for (place = from; place <= to && !case_failed(); place++)
			at_edge(row, place, &s);
	}
}

/* The end of a page, torn params. */
ALONE("edges: memory that is not there", NEVER, 0)
{
	at_edges(PLACE_ODD, PLACE_TORN);
}

ALONE("edges: memory that cannot be written", NEVER, 0)
{
	at_edges(PLACE_READ_ONLY, PLACE_READ_ONLY);
}

/* Arguments of echo(), which an actor runs: every byte must come back inverted. */
struct echo {
	u32 cmd;
	u32 size;
	u8 bytes[MPU_PARAMS_MAX];
};

static int echo(void *arg)
{
	struct echo *e = arg;

	return rm_control(gpu_client(), 0, SIM_CTRL_ECHO, e->bytes, e->size);
}

IN_SMALL("edges: other controls of the same size", R0_UP, 0)
{
	static struct echo e;
	unsigned int i;
	u32 row, off;

	for_each_row(row) {
		e.size = mpu_rows[row].size;
		/* Params that look as much as they can like an answer of that control. */
		memset(e.bytes, 0, sizeof(e.bytes));
		if (mpu_rows[row].count != MPU_NO_OFFSET)
			mpu_put32(e.bytes, mpu_rows[row].count, 1);
		for (off = mpu_rows[row].base, i = 0; off + 4 <= e.size &&
		     off != mpu_rows[row].count; off += 4, i++)
			mpu_put32(e.bytes, off, ~(u32)fixture_actor(
				  1 + i % (fixture_size() - 1))->pid);
		memcpy(q.sent, e.bytes, e.size);
		check(!actor_do(s->a, echo, &e, sizeof(e)), "echo failed");
		for (off = 0; off < e.size; off++)
			check((e.bytes[off] ^ q.sent[off]) == 0xff,
			      "byte %u of %u was changed", off, e.size);
	}
}

static int copy_as(void *way)
{
	return rm_control(gpu_client(), 0, SIM_CTRL_COPY, way, sizeof(u32));
}

/*
 * A driver of a later time may do so. What mpu.ko cannot see whole is refused, and by notify a list
 * that its count denies; engine bpf clears what is behind the count. @lie: the caller has put a
 * count there itself, @said.
 */
static void copied_as(struct scenario *s, u32 way, u32 row, bool lie, u32 said)
{
	u32 whole = SIM_COPY_WHOLE;

	q = (struct question){ .row = row, .count = 1, .pids = { 1 }, .lie = lie, .said = said };
	check(!actor_do(s->host, copy_as, &way, sizeof(way)), "way %u", way);
	question_ask(s->a, &q);
	check(!actor_do(s->host, copy_as, &whole, sizeof(whole)), "whole");
	answer_hides_strangers(s->a, &q);
	check(q.ret || !engine_on(ON_MODULE), "0x%x, copied in way %u, is answered",
	      mpu_rows[row].cmd, way);
}

IN_SMALL("edges: params that are copied in another way", NEVER, 0)
{
	const struct mpu_row *r;
	u32 way, row, i;

	for (way = SIM_COPY_PART; way < SIM_COPIES; way++) {
		for_each_row(row) {
			r = &mpu_rows[row];
			if (case_failed() || !row_names_process(s->host, row))
				continue;
			copied_as(s, way, row, false, 0);
			for (i = 0; i < 3 && r->drop && r->ptr == MPU_NO_OFFSET; i++)
				copied_as(s, way, row, true, i < 2 ? i : r->cap);
		}
	}
}

/* Questions about numbers of nobody, and of processes that are not visible. */
IN_SMALL("edges: unknown numbers", R2_UP, 0)
{
	u32 row, i;

	for_each_row(row) {
		const struct mpu_row *r = &mpu_rows[row];

		if (r->dir != MPU_IN || r->cap == 1 || !row_answered(s->host, row))
			continue;
		begin(row);
		q.pids[q.count++] = s->d->pid;
		q.pids[q.count++] = s->host->pid;
		q.pids[q.count++] = s->a->pid;	/* its own, but global */
		q.pids[q.count++] = 4999;
		q.pids[q.count++] = 0x7fffffff;
		q.pids[q.count++] = 0xffffffff;
		q.pids[q.count++] = 0;
		q.pids[q.count++] = 1;		/* itself, last */
		if (!question_ask(s->a, &q))
			return;
		check(!q.ret, "0x%x: status 0x%x", r->cmd, q.ret);
		for (i = 0; i < q.count; i++) {
			u32 off = row_pid_offset(r, i, 0);
			u32 result = mpu_get32(q.params, off + 8);
			u64 bytes = mpu_get64(q.params, off + 24);

			check(mpu_get32(q.params, off) == q.pids[i], "asked about %u, %u came back",
			      q.pids[i], mpu_get32(q.params, off));
			check(result == (q.pids[i] ? 0 : NV_ERR_INVALID_ARGUMENT),
			      "%u has result 0x%x", q.pids[i], result);
			check(bytes == (q.pids[i] == 1 ? (u64)s->a->mib << 20 : 0),
			      "%u has %llu bytes", q.pids[i], (unsigned long long)bytes);
		}
	}
}

/* A buffer for a few samples, V1: the engine must not write behind it. */
static int few_samples(void *arg)
{
	struct question *few = arg;
	const struct mpu_row *row = &mpu_rows[few->row];
	u32 bytes = few->count * row->stride;

	memset(few->array, FILL, sizeof(few->array));
	question_compose(few, few->params, few->array);
	mpu_put32(few->params, 4, bytes);
	few->ret = rm_control(gpu_client(), gpu_object(row->cmd), row->cmd, few->params, row->size);
	return 0;
}

IN_SMALL("edges: short user buffers", NEVER, 0)
{
	u32 row, n, f, off, lived = 0;

	for_each_row(row) {
		const struct mpu_row *r = &mpu_rows[row];

		if (r->ptr == MPU_NO_OFFSET || r->drop || !row_answered(s->host, row))
			continue;
		for (n = 1; n < 5; n++) {
			begin(row);
			q.count = n;
			if (actor_do(s->a, few_samples, &q, sizeof(q)) || q.ret)
				continue;
			lived++;
			if (!answer_hides_strangers(s->a, &q))
				return;
			for (off = 0; off < n; off++)
				for (f = 0; f < r->fields; f++)
					check(question_pid(&q, off, f) == 1 ||
					      question_pid(&q, off, f) ==
					      r->none, "sample %u of %u is of %u",
					      off, n, question_pid(&q, off, f));
			for (off = n * r->stride; off < sizeof(q.array); off++)
				check(q.array[off] == FILL, "byte %u behind %u samples", off, n);
		}
	}
	if (!lived && !case_failed())
		case_skip("this driver has no control with such a buffer");
}

/*
 * Layouts that only the size of the user buffer tells apart: the caller claims
 * the size of another driver's.
 */
IN_SMALL("edges: size of another driver's buffer", NEVER, 0)
{
	u32 row, lived = 0;

	for_each_row(row) {
		if (!row_is_shared(row) || row_answered(s->host, row))
			continue;
		begin(row);
		if (!question_ask(s->a, &q))
			return;
		lived += !q.ret;
		if (!answer_hides_strangers(s->a, &q))
			return;
	}
	if (!lived && !case_failed())
		case_skip("this driver has no control with two layouts");
}
