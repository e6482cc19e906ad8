// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: core/ against a reference that shares no code with it.
 *
 * The input bytes choose a fixture of processes in nested PID namespaces, whose
 * eyes it is seen with, a row (of the table, or made up) and what the driver
 * left in the buffers. core/ works in place; the reference takes the answer
 * apart into a list of elements, filters the list and writes a new buffer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rule.h"
#include "fixture.h"
#include "reference.h"

struct mpu_view {
	const struct fixture *fixture;
	unsigned int ns;
};

/*
 * The view, as an engine has it: the process by its global PID, then its PID in
 * the caller's namespace.
 */
static u32 mpu_view_local(struct mpu_view *view, u32 global, u64 left)
{
	const struct process *p = fixture_find(view->fixture, 0, global);

	(void)left;
	return p ? view->fixture->local[view->ns][p - view->fixture->processes] : 0;
}

static u32 mpu_view_global(struct mpu_view *view, u32 local)
{
	const struct process *p = fixture_find(view->fixture, view->ns, local);

	return p ? p->number[0] : 0;
}

static bool mpu_view_lived(struct mpu_view *view, u32 local, u32 global, u64 when)
{
	const struct process *p = fixture_find(view->fixture, view->ns, local);

	return p && p->number[0] == global && when >= p->began;
}

static void fail(const char *what, const struct mpu_row *row)
{
	fprintf(stderr, "%s differs: cmd 0x%x size %u\n", what, row->cmd, row->size);
	abort();
}

/* Bytes behind the PID are blanked, and the time stands among them. */
static void make_record(struct bytes *in, struct mpu_row *row)
{
	u32 before = take(in, 12), after = take(in, 12);

	row->cap = 1;
	row->blank_off = 4 + take(in, 8);
	row->blank_len = before + 8 + after;
	row->time = row->pid + row->blank_off + before;
	row->stride = row->pid + row->blank_off + row->blank_len + take(in, 8);
}

/*
 * A row nobody wrote: any shape that the generator of the table would let
 * pass. Each field's surroundings are its own, as in every real structure.
 */
static void make_row(struct bytes *in, struct mpu_row *row)
{
	u32 array, before, head = 16 + take(in, 32);

	memset(row, 0, sizeof(*row));
	row->dir = take(in, 4) ? MPU_OUT : MPU_IN;
	row->fields = row->dir == MPU_IN ? 1 : 1 + take(in, 6);
	row->step = 4 + take(in, 40);
	row->pid = take(in, 12);
	before = row->pid < row->step - 4 ? row->pid : row->step - 4;
	row->blank_off = -(s16)take(in, before + 1);
	row->blank_len = take(in, row->step + 1u);
	if (row->blank_off < 0 && row->blank_len > row->step)
		row->blank_len = row->step;
	row->pointer = MPU_NO_OFFSET;
	if (row->step >= 12 && take(in, 2))
		row->pointer = 4 + take(in, row->step - 11u);
	row->time = MPU_NO_OFFSET;
	if (row->dir == MPU_OUT && row->blank_len && take(in, 2)) {
		row->time = take(in, 4);
		row->pid += row->time + 8;
	}
	row->stride = row->pid + row->fields * row->step + take(in, 8);
	row->cap = 1 + take(in, 64);
	if (row->dir == MPU_IN && take(in, 2))
		make_record(in, row);
	row->drop = row->dir == MPU_OUT && row->time == MPU_NO_OFFSET && take(in, 2);
	row->none = take(in, 2) ? 0xffffffff : 0;
	row->count = take(in, 4) ? take(in, 5) : MPU_NO_OFFSET;
	array = (u32)row->cap * row->stride;
	row->ptr = MPU_NO_OFFSET;
	row->base = head;
	row->size = head + array + take(in, 9);
	if (row->dir == MPU_OUT && !take(in, 3)) {
		row->ptr = 8;
		row->size = head;
		row->base = 0;
	}
}

static u32 some_pid(struct bytes *in, const struct fixture *fixture, u32 none)
{
	const struct process *p;

	switch (take(in, 8)) {
	case 0:
		return 0;
	case 1:
		return none;
	case 2:
		return take32(in);
	case 3:
		return MPU_PID_NOBODY;
	case 4:	/* small numbers: some are local here, others elsewhere */
		return take(in, 64);
	default:
		p = &fixture->processes[take(in, fixture->count)];
		return p->number[take(in, 2) ? 0 : take(in, p->depth + 1u)];
	}
}

static void fill(struct bytes *in, const struct fixture *fixture,
		 const struct mpu_row *row, u8 *array, u32 size)
{
	u32 off, f;

	take_block(in, array, size);
	if (row->dir == MPU_IN && row->time != MPU_NO_OFFSET)
		ref_put(array, row->base + row->time, take(in, FIXTURE_TIME), 8);
	for (off = row->base; off + row->stride <= size; off += row->stride)
		for (f = 0; f < row->fields; f++)
			ref_put(array, off + row->pid + f * row->step,
				some_pid(in, fixture, row->none), 4);
}

static u32 some_count(struct bytes *in, const struct mpu_row *row)
{
	switch (take(in, 4)) {
	case 0:
		return take32(in);
	case 1:
		return row->cap + take(in, 3) - 1;
	default:
		return take(in, row->cap + 1u);
	}
}

/*
 * A copy of exactly @size bytes, @skew off alignment, ending where malloc's
 * block ends. *@owner is what to free.
 */
static u8 *copy(const u8 *from, u32 size, u32 skew, void **owner)
{
	u8 *p = malloc(size + skew);

	if (!p)
		abort();
	memcpy(p + skew, from, size);
	*owner = p;
	return p + skew;
}

#define KEEP 0xfffffffeu	/* the driver's answer is about who was asked for */

static void try_question(const struct mpu_row *row, const struct fixture *fixture,
			 struct mpu_view *view, const u8 *params, u32 skew, u32 found)
{
	struct mpu_tally tally = { 0, 0 };
	struct ref_tally want = { 0, 0 };
	u32 *saved = malloc(row->cap * sizeof(*saved));
	u8 *expected = malloc(row->size);
	void *owner;
	u8 *got = copy(params, row->size, skew, &owner);
	bool own;
	u32 n;

	if (!saved || !expected)
		abort();
	n = mpu_question_translate(row, got, saved, view, &tally);
	ref_ask(row, fixture, view->ns, params, expected, &want);
	if (memcmp(got, expected, row->size))
		fail("question", row);
	if (tally.seen != want.seen || tally.hidden != want.hidden)
		fail("tally of a question", row);
	/* RM says whose record it found, not always the one that was asked for. */
	if (row->time != MPU_NO_OFFSET && found != KEEP)
		ref_put(got, row->base + row->pid, found, 4);
	memcpy(expected, got, row->size);
	own = ref_restore(row, fixture, view->ns, params, expected);
	if (mpu_question_restore(row, got, saved, n, view, &tally) != own)
		fail("whose record it is", row);
	if (memcmp(got, expected, row->size))
		fail("restored question", row);
	free(owner);
	free(expected);
	free(saved);
}

static void try_answer(const struct mpu_row *row, const struct fixture *fixture,
		       struct mpu_view *view, const u8 *params,
		       const u8 *array, u32 array_size, u32 skew)
{
	struct mpu_tally tally = { 0, 0 };
	struct ref_tally want = { 0, 0 };
	struct ref_answer expected;
	void *params_owner, *array_owner = NULL;
	u8 *got, *got_array;

	got = got_array = copy(params, row->size, skew, &params_owner);
	if (array != params)
		got_array = copy(array, array_size, skew, &array_owner);
	mpu_answer_translate(row, got, got_array, array_size, view, &tally);
	ref_answer(row, fixture, view->ns, params, array, array_size, &expected, &want);
	if (memcmp(got, expected.params, row->size))
		fail("params of an answer", row);
	if (memcmp(got_array, expected.array, array_size))
		fail("array of an answer", row);
	if (tally.seen != want.seen || tally.hidden != want.hidden)
		fail("tally of an answer", row);
	ref_free(&expected);
	free(params_owner);
	free(array_owner);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct fixture fixture;
	struct bytes in = { data, size, 0 };
	struct mpu_view view = { &fixture, 0 };
	const struct mpu_row *row;
	struct mpu_row made;
	u32 skew, array_size;
	u8 *params, *array;

	fixture_build(&fixture, &in);
	view.ns = take(&in, fixture.namespaces);
	skew = take(&in, 8);
	if (take(&in, 2)) {
		row = &mpu_rows[take(&in, MPU_ROWS)];
		made = *mpu_row_sized(mpu_row_of(row->cmd), row->size);
		if (made.cmd != row->cmd || made.size != row->size)
			fail("lookup", row);
	} else {
		make_row(&in, &made);
		row = &made;
	}
	params = malloc(row->size);
	if (!params)
		abort();
	fill(&in, &fixture, row, params, row->ptr == MPU_NO_OFFSET ? row->size : 0);
	if (row->ptr != MPU_NO_OFFSET)
		take_block(&in, params, row->size);
	if (row->count != MPU_NO_OFFSET)
		ref_put(params, row->count, some_count(&in, row), 4);
	array = params;
	array_size = row->size;
	if (row->ptr != MPU_NO_OFFSET) {
		array_size = take(&in, row->base + (row->cap + 2u) * row->stride);
		array = malloc(array_size);
		if (!array && array_size)
			abort();
		fill(&in, &fixture, row, array, array_size);
	}
	if (row->dir == MPU_IN)
		try_question(row, &fixture, &view, params, skew, take(&in, 2) ? KEEP :
			     some_pid(&in, &fixture, row->none));
	else
		try_answer(row, &fixture, &view, params, array, array_size, skew);
	if (array != params)
		free(array);
	free(params);
	return 0;
}
