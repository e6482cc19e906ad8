// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures that a client computes from an answer: what it prints about a process
 * in a container is what it prints about it on the host.
 *
 * Utilisation as NVML has it: of the samples since some time, the sum of those
 * that name a process, over the number of those that name any. Each engine is a
 * column of its own.
 */
#include "sim/interface.h"
#include "tests/conformance/suite.h"

/* The number of samples that a client looks back; and that they go back. */
static const u32 windows[] = { 4, 10, 30, 0 };

/* A process's part of a column. */
struct figure {
	u32 sum;
	u32 of;		/* samples that name a process */
	u32 own;	/* samples that name this process */
};

static u32 pattern;
static u32 locals[ACTORS];	/* the seer's name of each actor, 0: nothing */

/* The time a client names that wants @window samples, as this answer has it. */
static u64 since(const struct question *q, u32 window)
{
	u64 newest = 0;
	u32 i;

	for (i = 0; i < mpu_rows[q->row].cap; i++)
		if (question_time(q, i) > newest)
			newest = question_time(q, i);
	return window ? newest - window * SIM_SAMPLE_NS : 0;
}

static struct figure figure_of(const struct question *q, u32 f, u64 from, u32 pid)
{
	const struct mpu_row *row = &mpu_rows[q->row];
	struct figure figure = { 0, 0, 0 };
	u32 i, who;

	for (i = 0; i < row->cap; i++) {
		who = question_pid(q, i, f);
		if (who == row->none || question_time(q, i) <= from)
			continue;
		figure.of++;
		if (who != pid)
			continue;
		figure.own++;
		figure.sum += mpu_get32(question_array(q), row_pid_offset(row, i, f) +
					row->blank_off);
	}
	return figure;
}

/*
 * Compares one column since one time, of everybody whom @seer can see. If the host
 * names none of them, a client finds one at most here, and that idle.
 */
static bool same_column(const struct actor *seer, const struct question *q,
			const struct question *host, u32 f, u32 window)
{
	u64 from = since(q, window), from_there = since(host, window);
	u32 named = 0, idle = 0, all = 0, of = 0, local;
	struct figure here, there;

	for_each_actor(x) {
		local = locals[x->slot];
		if (!local)
			continue;
		there = figure_of(host, f, from_there, x->pid);
		here = figure_of(q, f, from, local);
		of = here.of;
		all += here.own;
		named += there.own > 0;
		idle += here.own && !there.own;
		check_or(false, here.sum == there.sum,
			 "%d, pattern %u, engine %u: %u has %u, not %u",
			 seer->pid, pattern, f, local, here.sum, there.sum);
		check_or(false, !there.own || of == there.of,
			 "%d, pattern %u, engine %u: %u has %u of %u samples, not of %u",
			 seer->pid, pattern, f, local, here.own, of, there.of);
	}
	check_or(false, all == of, "%d, pattern %u, engine %u: %u samples name others", seer->pid,
		 pattern, f, of - all);
	check_or(false, idle <= !named, "%d, pattern %u, engine %u: %u more than on the host",
		 seer->pid, pattern, f, idle);
	check_or(false, window || named || !of,
		 "%d, pattern %u, engine %u: somebody, and nobody on the host",
		 seer->pid, pattern, f);
	return true;
}

static bool same_figures(struct scenario *s, struct actor *seer, u32 row)
{
	static struct question q, host;
	u32 f, w;

	for_each_actor(x)
		locals[x->slot] = truth_local(seer, x->pid);
	q = (struct question){ .row = row };
	if (!question_ask(seer, &q) || !question_ask_host(s->host, seer, &q, &host) ||
	    !answer_hides_strangers(seer, &q))
		return false;
	check_or(false, !q.ret && !host.ret, "status 0x%x, on the host 0x%x", q.ret, host.ret);
	for (f = 0; f < mpu_rows[row].fields; f++)
		for (w = 0; w < sizeof(windows) / sizeof(*windows); w++)
			if (!same_column(seer, &q, &host, f, windows[w]))
				return false;
	return true;
}

IN_WHOLE("figures: utilisation as NVML has it", NEVER, 0)
{
	u32 row, lived = 0;

	for_each_row(row) {
		if (mpu_rows[row].dir != MPU_OUT || mpu_rows[row].time == MPU_NO_OFFSET ||
		    !row_answered(s->host, row))
			continue;
		lived++;
		for (pattern = 0; pattern < SIM_PATTERNS; pattern++) {
			check(!actor_do(s->host, gpu_pattern, &pattern, sizeof(pattern)),
			      "the driver takes no pattern");
			for_each_worker(seer, s)
				if (!same_figures(s, seer, row))
					return;
		}
	}
	check(lived, "this driver has no samples");
}
