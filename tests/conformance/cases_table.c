// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every control of the table, asked from every namespace of the scenario.
 */
#include "tests/conformance/suite.h"

/* Ask about every actor, by its global number and by the one @seer has for it. */
static void ask_about_everybody(const struct actor *seer, struct question *q)
{
	q->count = 0;
	question_name_all(seer, q, MPU_ASK_MAX - 4);
	q->pids[q->count++] = 0;
	q->pids[q->count++] = 1;
	q->pids[q->count++] = 99999999;
	q->pids[q->count++] = 0xffffffff;
}

/*
 * The host is asked for lists before and after: a process that comes or goes between
 * two questions is no fault of the engine. Engine bpf itself asks a driver that has
 * just come, for a moment.
 */
static bool ask_and_compare(struct scenario *s, struct actor *seer, struct question *q)
{
	static struct question before, host;
	bool list = mpu_rows[q->row].dir == MPU_OUT;
	u32 tries = 100;

	do {
		if ((list && !question_ask_host(s->host, seer, q, &before)) ||
		    !question_ask(seer, q) || !question_ask_host(s->host, seer, q, &host))
			return false;
	} while (list && question_count(&before) != question_count(&host) && --tries);
	return answer_hides_strangers(seer, q) && answer_is_right(seer, q, &host);
}

/* A row with room for one question is asked once for each. */
static bool ask_one_by_one(struct scenario *s, struct actor *seer, struct question *q)
{
	struct question about = *q;
	u32 i;

	for (i = 0; i < about.count; i++) {
		q->count = 1;
		q->pids[0] = about.pids[i];
		if (!ask_and_compare(s, seer, q))
			return false;
	}
	return true;
}

static bool row_from(struct scenario *s, struct actor *seer, u32 row, u32 class)
{
	static struct question q;

	q = (struct question){ .row = row, .class = class };
	if (mpu_rows[row].dir == MPU_OUT)
		return ask_and_compare(s, seer, &q);
	ask_about_everybody(seer, &q);
	return mpu_rows[row].cap == 1 ? ask_one_by_one(s, seer, &q) : ask_and_compare(s, seer, &q);
}

/* Names of cases, native, a control, and its form in other drivers. */
#define CASES(X) \
	X("table: process list", R1_UP, 0x2080018d, 0x00800202) \
	X("table: process memory", R2_UP, 0x2080018e, 0x00800203) \
	X("table: utilisation samples", NEVER, 0x20802096, 0x20802083) \
	X("table: utilisation samples, V1", NEVER, 0x2080a083, 0x2080a083) \
	X("table: accounting list", R3_EARLY, 0xb04, 0xb04) \
	X("table: accounting record", NEVER, 0xb03, 0xb03) \
	X("table: accounting record, V2", NEVER, 0xb06, 0xb06) \
	X("table: encoder sessions, V1", NEVER, 0x2080016e, 0x2080016e) \
	X("table: encoder sessions, V2", NEVER, 0x208001af, 0x208001a9) \
	X("table: capture sessions", NEVER, 0x2080017c, 0x2080017c) \
	X("table: profiler reservation", NEVER, 0x90cc0103, 0x90cc0103)

#define CHANNEL_ERROR	0x607
#define OTHERS		0	/* controls that no other case is of */

/* Is a row with @of meant by a case of @cmd and @other_cmd? */
static bool is_meant(u32 of, u32 cmd, u32 other_cmd)
{
#define NUMBERS(name, native, cmd, other_cmd)	cmd, other_cmd,
	static const u32 have_case[] = { CASES(NUMBERS) CHANNEL_ERROR };
	u32 i;

	for (i = 0; cmd == OTHERS && i < sizeof(have_case) / sizeof(*have_case); i++)
		if (have_case[i] == of)
			return false;
	return cmd == OTHERS || of == cmd || of == other_cmd;
}

static void from_everywhere(struct scenario *s, u32 cmd, u32 other_cmd)
{
	u32 row, lived = 0;

	for_each_row(row) {
		if (!is_meant(mpu_rows[row].cmd, cmd, other_cmd) ||
		    !row_names_process(s->host, row))
			continue;
		row_report_covered(row);
		lived++;
		for_each_worker(seer, s)
			if (!row_from(s, seer, row, 0) ||
			    (cmd == 0x2080018d && !row_from(s, seer, row, s->class)))
				return;
	}
	if (!lived && !case_failed())
		case_skip("this driver has no such list");
}

#define ASKS(name, native, cmd, other_cmd) \
	IN_WHOLE(name, native, 0) { from_everywhere(s, cmd, other_cmd); }

CASES(ASKS)
ASKS("table: every other control", NEVER, OTHERS, OTHERS)

/* A report is about the caller itself, so there is nobody to compare with. */
IN_WHOLE("table: channel error report", NEVER, 0)
{
	static struct question q;
	u32 row = row_find(CHANNEL_ERROR, 0);

	if (case_failed())
		return;
	for_each_worker(seer, s) {
		q = (struct question){ .row = row };
		check(!actor_do(seer, gpu_channel_error, NULL, 0),
		      "the driver takes no channel error");
		if (!question_ask(seer, &q))
			return;
		check(!q.ret, "status 0x%x", q.ret);
		check(question_pid(&q, 0, 0) == truth_local(seer, seer->pid), "%u is told it is %u",
		      truth_local(seer, seer->pid), question_pid(&q, 0, 0));
		if (!answer_hides_strangers(seer, &q))
			return;
		row_report_covered(row);
		/* Everybody is told about errors of their own only. */
		check(question_ask(s->host, &q) &&
		      (q.ret || question_pid(&q, 0, 0) == (u32)s->host->pid),
		      "another process's report is answered");
	}
}

/* Memory that the process has which @seer calls @local. */
static u64 memory_of(const struct actor *seer, u32 local)
{
	u64 mib = 0;

	for_each_actor(x)
		if (local && truth_local(seer, x->pid) == local)
			mib = x->mib;
	return mib << 20;
}

/* Each process says how much it has; nothing is compared with the host. */
IN_WHOLE("table: process memory, amounts", R2_UP, 0)
{
	static struct question q;
	u64 told, want;
	u32 row, i;

	for_each_row(row) {
		if (mpu_rows[row].cmd != 0x2080018e && mpu_rows[row].cmd != 0x00800203)
			continue;
		for_each_worker(seer, s) {
			q = (struct question){ .row = row };
			ask_about_everybody(seer, &q);
			if (!question_ask(seer, &q))
				return;
			for (i = 0; i < q.count && !q.ret; i++) {
				told = mpu_get64(q.params, row_pid_offset(&mpu_rows[row], i, 0) + 24);
				want = memory_of(seer, q.pids[i]);
				check(told == want, "%d asks about %u: %llu bytes, not %llu", seer->pid,
				      q.pids[i], (unsigned long long)told, (unsigned long long)want);
			}
		}
	}
}
