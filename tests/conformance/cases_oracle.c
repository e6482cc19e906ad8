// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what a driver tells, in words that do not depend on when and where it was
 * asked: so that the simulated driver can be compared with the real one, line by line.
 * Nothing is judged here.
 *
 *	answer CONTROL SIZE SEER MANNER STATUS COUNT NAME...
 *
 * A number is called by who it belongs to: "a" if that is its global number,
 * "a~" if it is the one that the seer has for it.
 */
#include "tests/conformance/suite.h"

static struct question q;

static const char *name_of(const struct scenario *s, const struct actor *actor)
{
	const struct {
		const struct actor *actor;
		const char *name;
	} names[] = {
		{ s->host, "host" }, { s->mounts, "mounts" }, { s->a, "a" },
		{ s->a2, "a2" }, { s->idle, "idle" }, { s->guest, "guest" },
		{ s->b, "b" }, { s->c, "c" }, { s->d, "d" }, { s->d2, "d2" },
		{ s->rootless, "rootless" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].actor == actor)
			return names[i].name;
	return "?";
}

static void print_number(const struct scenario *s, const struct actor *seer, u32 number)
{
	for_each_actor(actor) {
		if ((u32)actor->pid == number) {
			printf(" %s", name_of(s, actor));
			return;
		}
		if (truth_local(seer, actor->pid) == number) {
			printf(" %s~", name_of(s, actor));
			return;
		}
	}
	if (!number || number == 0xffffffff || number == 99999999)
		printf(" %d", (int)number);
	else
		printf(" somebody");
}

/* Numbers in a row are named once. */
static void print_numbers(const struct scenario *s, const struct actor *seer)
{
	const struct mpu_row *row = &mpu_rows[q.row];
	u32 n = question_count(&q), i, f, number, last = 0;

	if (row->dir == MPU_IN)
		n = q.count;
	for (i = 0; i < n; i++)
		for (f = 0; f < row->fields; f++) {
			number = question_pid(&q, i, f);
			if (row->drop || row->dir == MPU_IN || !i || number != last)
				print_number(s, seer, number);
			last = number;
		}
}

/* GET_PID_INFO: how each entry ended, and whose memory it has. */
static void print_memory(const struct scenario *s)
{
	const struct mpu_row *row = &mpu_rows[q.row];
	u32 i;

	if (row->dir != MPU_IN || row->cap == 1)
		return;
	for (i = 0; i < q.count; i++) {
		u32 off = row_pid_offset(row, i, 0);
		u64 bytes = mpu_get64(q.params, off + 24);
		const char *whose = bytes ? "somebody" : "nobody";

		for_each_actor(x)
			if (bytes && bytes == (u64)x->mib << 20)
				whose = name_of(s, x);
		printf(" | 0x%x %s", mpu_get32(q.params, off + 8), whose);
	}
}

static void tell(const struct scenario *s, struct actor *seer, const char *manner)
{
	const struct mpu_row *row = &mpu_rows[q.row];
	u32 there = row->size - (q.place == PLACE_TORN ? 4 : 0);
	bool changed;

	if (!question_ask(seer, &q))
		return;
	changed = memcmp(q.params, q.sent, there);
	printf("answer 0x%08x %u %s %s 0x%x", row->cmd, row->size, name_of(s, seer), manner, q.ret);
	if (q.ret) {
		printf("%s\n", changed ? " and changed" : "");
		return;
	}
	if (row->count != MPU_NO_OFFSET)
		printf(" %u", mpu_get32(q.params, row->count));
	print_numbers(s, seer);
	print_memory(s);
	putchar('\n');
}

static void begin(u32 row)
{
	q = (struct question){ .row = row };
}

static void about(const struct actor *seer)
{
	const struct mpu_row *row = &mpu_rows[q.row];

	question_name_all(seer, &q, row->cap > 1 ? row->cap - 2 : 0);
	if (row->cap > 1)
		q.pids[q.count++] = 0;
	q.pids[q.count++] = row->cap > 1 ? 99999999 : truth_local(seer, seer->pid);
}

static void tell_row(const struct scenario *s, struct actor *seer, u32 row)
{
	static const u32 counts[] = { 0, 1, 0x7fffffff, 0xffffffff };
	const struct mpu_row *r = &mpu_rows[row];
	char manner[32];
	bool answered;
	u32 i;

	begin(row);
	if (r->dir == MPU_IN)
		about(seer);
	tell(s, seer, "plainly");
	answered = !q.ret;
	if (seer != s->a)
		return;
	for (i = 0; i < 4 && r->count != MPU_NO_OFFSET; i++) {
		begin(row);
		q.lie = true;
		q.said = counts[i];
		snprintf(manner, sizeof(manner), "count-0x%x", counts[i]);
		tell(s, seer, manner);
	}
	begin(row);
	q.lie = r->count != MPU_NO_OFFSET;
	q.said = r->cap + 1;
	if (q.lie && r->ptr == MPU_NO_OFFSET)
		tell(s, seer, "count-too-many");
	/* Only what is answered otherwise: of two faults drivers find one or the other. */
	for (i = PLACE_TORN; i < PLACES && answered; i++) {
		begin(row);
		if (r->dir == MPU_IN)
			q.pids[q.count++] = 1;
		q.place = i;
		tell(s, seer, i == PLACE_TORN ? "torn" : "read-only");
	}
	begin(row);
	q.size = r->size - 4;
	tell(s, seer, "too-small");
	begin(row);
	q.size = r->size + 4;
	tell(s, seer, "too-large");
}

static void tell_rows(const struct scenario *s)
{
	u32 row;

	/* Samples take turns in an order of their own: all that matters is who shows. */
	for_each_row(row)
		for_each_worker(seer, s)
			if (seer == s->a || mpu_rows[row].drop || mpu_rows[row].fields == 1)
				tell_row(s, seer, row);
}

/* --- questions that no row says how to ask --- */

/* The object that a control is asked of. */
enum target { CLIENT, DEVICE, SUBDEVICE, NOBODY };

static const struct odd {
	const char *name;
	u32 target;
	u32 cmd;
	u32 size;
	u32 words[4];		/* the first of the params */
} odds[] = {
	{ "a class nobody has", SUBDEVICE, 0x2080018d, 3812, { 0, 0x1234 } },
	{ "class 0", SUBDEVICE, 0x2080018d, 3812, { 0, 0 } },
	{ "the class of devices", SUBDEVICE, 0x2080018d, 3812, { 0, 0x80 } },
	{ "MPS clients", SUBDEVICE, 0x2080018d, 3812, { 0, 0x900e } },
	{ "vGPU guests", SUBDEVICE, 0x2080018d, 3812, { 1, 0x2080 } },
	{ "another kind of ID", SUBDEVICE, 0x2080018d, 3812, { 2, 0x2080 } },
	{ "the list, of a device", DEVICE, 0x2080018d, 3812, { 0, 0x2080 } },
	{ "the list, of the client", CLIENT, 0x2080018d, 3812, { 0, 0x2080 } },
	{ "the list, of nobody", NOBODY, 0x2080018d, 3812, { 0, 0x2080 } },
	{ "the list, no params", SUBDEVICE, 0x2080018d, 0, { 0 } },
	{ "memory of no process", SUBDEVICE, 0x2080018e, 14408, { 0 } },
	{ "something else than memory", SUBDEVICE, 0x2080018e, 14408,
	  { 1, 0, 1, 1 } },
	{ "memory, of a device", DEVICE, 0x2080018e, 14408, { 1, 0, 1, 0 } },
	{ "encoder sessions, no table", SUBDEVICE, 0x2080016e, 16, { 0 } },
	{ "encoder sessions, room but no table", SUBDEVICE, 0x2080016e, 16,
	  { 512 } },
	{ "encoder sessions V2, no room", SUBDEVICE, 0x208001af, 16388, { 0 } },
	{ "capture sessions", SUBDEVICE, 0x2080017c, 13316, { 0 } },
	{ "accounted processes of no GPU", CLIENT, 0xb04, 16012, { 0x777 } },
	{ "accounted processes, of a subdevice", SUBDEVICE, 0xb04, 16012,
	  { 0 } },
	{ "a record of no GPU", CLIENT, 0xb03, 48, { 0x777, 1 } },
	{ "an error, default owner", CLIENT, 0x607, 2436, { 0 } },
	{ "samples, no room", SUBDEVICE, 0x20802096, 50704, { 2, 0 } },
	{ "samples, another kind", SUBDEVICE, 0x20802096, 50704, { 1, 50688 } },
	{ "a control nobody has", SUBDEVICE, 0x208001ff, 16, { 0 } },
	{ "a control of another class", CLIENT, 0x2080018e, 14408, { 1, 0, 1, 0 } },
	{ "a control of no class", CLIENT, 0x12340001, 16, { 0 } },
};

struct odd_question {
	u32 i;
	int ret;
	u32 changed;
};

static int ask_odd(void *arg)
{
	static u8 params[MPU_PARAMS_MAX], sent[MPU_PARAMS_MAX];
	struct odd_question *o = arg;
	const struct odd *odd = &odds[o->i];
	u32 object = 0;

	memset(params, 0, sizeof(params));
	memcpy(params, odd->words, sizeof(odd->words));
	memcpy(sent, params, sizeof(sent));
	if (odd->target == DEVICE || odd->target == SUBDEVICE)
		object = gpu_object(odd->target == DEVICE ? 0x00800000 : 0x20800000);
	if (odd->target == NOBODY)
		object = 0x777;
	o->ret = rm_control(gpu_client(), object, odd->cmd, odd->size ? params : NULL, odd->size);
	o->changed = memcmp(params, sent, sizeof(sent)) != 0;
	return 0;
}

static void tell_odds(const struct scenario *s)
{
	struct odd_question o = { 0 };

	for (o.i = 0; o.i < sizeof(odds) / sizeof(odds[0]); o.i++) {
		if (actor_do(s->a, ask_odd, &o, sizeof(o)))
			continue;
		printf("answer %s: 0x%x%s\n", odds[o.i].name, o.ret, o.changed ? ", changed" : "");
	}
}

ALONE("oracle: what everybody is told", MAYBE, 0)
{
	struct scenario s;

	if (!options.tell) {
		case_skip("--tell");
		return;
	}
	if (!scenario_open(&s))
		return;
	tell_rows(&s);
	tell_odds(&s);
}
