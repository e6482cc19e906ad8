// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine and mpu.ko, one after the other, on the same scenario: everybody asks
 * everything, and is given the same bytes by both.
 */
#include "tests/conformance/suite.h"

#define RCERR_RPT	0x607

/* The ways to ask a control. */
enum manner {
	AS_USUAL,
	BY_CLASS,		/* GET_PIDS: of one class of objects */
	ABOUT_ONE,		/* claims to have room for one */
	ABSURD,			/* claims to have room for 2^31 */
	REFUSED,		/* RM carries it out, and fails */
	BY_XFER,
	MANNERS,
};

static struct saved {
	int ret;
	u32 size;
	u8 *bytes;
} *saved;

static struct question q;

static u32 array_bytes(const struct mpu_row *row)
{
	return row->ptr == MPU_NO_OFFSET ? 0 : (u32)row->cap * row->stride;
}

static void compose(const struct actor *seer, u32 row, enum manner manner, u32 class)
{
	memset(&q, 0, sizeof(q));
	q.row = row;
	q.class = manner == BY_CLASS ? class : 0;
	q.path = manner == BY_XFER ? ENTRY_XFER : ENTRY_PLAIN;
	q.fail = manner == REFUSED ? NV_ERR_INSUFFICIENT_RESOURCES : 0;
	q.lie = mpu_rows[row].count != MPU_NO_OFFSET && (manner == ABOUT_ONE || manner == ABSURD);
	q.said = manner == ABOUT_ONE ? 1 : 0x80000000;
	if (mpu_rows[row].dir != MPU_IN)
		return;
	question_name_all(seer, &q, mpu_rows[row].cap - 1);
	if (!q.count)		/* room for one */
		q.pids[q.count++] = truth_local(seer, seer->pid);
}

/* Clear what is behind a list: mpu.ko leaves what was there, engine bpf zeros. */
static void forget_the_rest(const struct mpu_row *row)
{
	u8 *array = (u8 *)question_array(&q);
	u32 i, from = row->base + question_count(&q) * row->stride;

	if (!row->drop || q.ret)
		return;
	for (i = from; i < row->base + (u32)row->cap * row->stride; i++)
		if (array[i] == FILL)
			array[i] = 0;
}

static bool ask_row(struct actor *seer, u32 row, enum manner manner, u32 class)
{
	compose(seer, row, manner, class);
	if (!question_ask(seer, &q))
		return false;
	question_forget_moment(&q);
	forget_the_rest(&mpu_rows[row]);
	return true;
}

static void save(struct saved *to)
{
	const struct mpu_row *row = &mpu_rows[q.row];

	to->ret = q.ret;
	to->size = row->size + array_bytes(row);
	to->bytes = malloc(to->size);
	memcpy(to->bytes, q.params, row->size);
	memcpy(to->bytes + row->size, q.array, array_bytes(row));
}

static bool same_as(const struct saved *other, const struct actor *seer, enum manner manner)
{
	const struct mpu_row *row = &mpu_rows[q.row];
	struct saved now;
	u32 i = 0;

	save(&now);
	if (now.ret == other->ret)
		while (i < now.size && now.bytes[i] == other->bytes[i])
			i++;
	free(now.bytes);
	check_or(false, now.ret == other->ret,
		 "0x%x to %d, manner %d: status 0x%x, with mpu.ko 0x%x",
		 row->cmd, seer->pid, manner, other->ret, now.ret);
	check_or(false, i == now.size,
		 "0x%x to %d, manner %d: byte %u of %u is 0x%x, with mpu.ko 0x%x",
		 row->cmd, seer->pid, manner, i, now.size, other->bytes[i],
		 i < row->size ? q.params[i] : q.array[i - row->size]);
	return true;
}

/* The driver has a record of a stranger, whose number is a container's now. */
static bool number_again(struct scenario *s)
{
	struct actor *x = actor_new(s->d, SAME_NAMESPACE, (const pid_t[]){ 640, 10700 }, 2);

	if (!x || !scenario_start_work(x, NULL))
		return false;
	actor_kill(x);
	return actor_new(s->a, SAME_NAMESPACE, (const pid_t[]){ 650, 10700 }, 2);
}

/*
 * Drivers of R3-early and later tell nobody in a namespace which numbers the ended had;
 * with mpu.ko they do, and one of them is a process's of the caller's own here.
 */
static bool knows_less(u32 row)
{
	return options.regime >= MPU_R3_EARLY && mpu_rows[row].ended && mpu_rows[row].drop;
}

/* @first: save the answers; else compare with them. */
static bool ask_all(struct scenario *s, bool first)
{
	struct saved *next = saved;
	unsigned int asked = 0;
	u32 row, manner;

	for_each_actor(seer) {
		if (!seer->pid || !seer->mib)
			continue;
		for_each_row(row) {
			/*
			 * Nor the last errors of channels, whose numbers go on
			 * from one engine to the next.
			 */
			if (knows_less(row) || !row_answered(s->host, row) ||
			    mpu_rows[row].cmd == RCERR_RPT)
				continue;
			for (manner = 0; manner < MANNERS; manner++, next++) {
				if (manner == ABSURD && row_is_unread(s->host, row))
					continue;
				if (!ask_row(seer, row, manner, s->class))
					return false;
				if (first)
					save(next);
				else if (!same_as(next, seer, manner))
					return false;
				asked++;
			}
		}
	}
	if (!first)
		printf("note %u answers are the same\n", asked);
	return true;
}

ALONE("differential: the same bytes as from mpu.ko", MAYBE, ON_BPF)
{
	static struct saved room[ACTORS * MPU_ROWS * MANNERS];
	struct scenario s;
	size_t i;
	int ret;

	if (!options.reference) {
		case_skip("no mpu.ko to compare with: --reference");
		return;
	}
	saved = room;
	/*
	 * mpu.ko last: who starts engine bpf asks the driver, too, and the
	 * driver may keep a record of that process.
	 */
	if (scenario_open(&s) && number_again(&s) && ask_all(&s, true) && engine_must_stop()) {
		ret = host_load_module(options.reference, NULL);
		check(!ret, "mpu.ko does not load: %s", strerror(-ret));
		ask_all(&s, false);
		ret = host_unload_module("mpu");
		check(!ret, "mpu.ko does not unload: %s", strerror(-ret));
		engine_must_start();
	}
	for (i = 0; i < ACTORS * MPU_ROWS * MANNERS; i++)
		free(room[i].bytes);
}
