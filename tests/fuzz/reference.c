// SPDX-License-Identifier: GPL-2.0-only
/*
 * The naive reference of the fuzz target: see reference.h.
 */
#include <stdlib.h>
#include <string.h>

#include "reference.h"

/*
 * The PID that design.md has the driver asked about instead: above every PID of Linux.
 */
#define NOBODY 0x7fffffffu

void ref_put(u8 *at, u32 off, u64 v, unsigned int bytes)
{
	unsigned int i;

	for (i = 0; i < bytes; i++)
		at[off + i] = v >> (8 * i);
}

static u32 get(const u8 *at, u32 off)
{
	return at[off] | at[off + 1] << 8 | at[off + 2] << 16 | (u32)at[off + 3] << 24;
}

static u64 get64(const u8 *at, u32 off)
{
	return get(at, off) | (u64)get(at, off + 4) << 32;
}

/* Finds every process of @ns and of the namespaces inside it. */
static unsigned int list_proc(const struct fixture *fixture, unsigned int ns, struct ref_proc *out)
{
	bool below[FIXTURE_NAMESPACES] = { false };
	unsigned int i, n = 0;

	/* Parents come before their children. */
	for (i = 0; i < fixture->namespaces; i++)
		below[i] = i == ns || (i && below[fixture->parent[i]]);
	for (i = 0; i < fixture->count; i++) {
		const struct process *p = &fixture->processes[i];

		if (!below[p->ns])
			continue;
		out[n].local = p->number[fixture->depth[ns]];
		out[n].began = p->began;
		out[n++].global = p->number[0];
	}
	return n;
}

/*
 * Number of elements: the least that the count, the table and the bytes allow.
 */
static u32 elements(const struct mpu_row *row, const u8 *params, u64 size)
{
	u64 said = row->count == MPU_NO_OFFSET ? ~0ull : get(params, row->count);
	u64 n = 0;

	while (n < said && n < row->cap && row->base + (n + 1) * row->stride <= size)
		n++;
	return n;
}

void ref_ask(const struct mpu_row *row, const struct fixture *fixture, unsigned int ns,
	     const u8 *params, u8 *out, struct ref_tally *tally)
{
	struct ref_proc procs[FIXTURE_PROCESSES];
	unsigned int j, count = list_proc(fixture, ns, procs);
	u32 i, n = elements(row, params, row->size);

	memcpy(out, params, row->size);
	for (i = 0; i < n; i++) {
		u32 off = row->base + i * row->stride + row->pid;
		u32 asked = get(params, off);
		u32 driver = NOBODY;

		if (asked == 0)
			continue;
		for (j = 0; j < count; j++)
			if (procs[j].local == asked)
				driver = procs[j].global;
		tally->seen++;
		tally->hidden += driver == NOBODY;
		ref_put(out, off, driver, 4);
	}
}

bool ref_restore(const struct mpu_row *row, const struct fixture *fixture,
		 unsigned int ns, const u8 *params, u8 *out)
{
	struct ref_proc procs[FIXTURE_PROCESSES];
	unsigned int j, count = list_proc(fixture, ns, procs);
	u32 i, n = elements(row, params, row->size), at = row->base + row->pid;
	bool own = n == 0 || row->time == MPU_NO_OFFSET;
	u64 when = own ? 0 : get64(out, row->base + row->time);

	for (j = 0; j < count && !own; j++)
		own = procs[j].local == get(params, at) &&
		      procs[j].global == get(out, at) && procs[j].began <= when;
	if (!own)
		memset(out + at + row->blank_off, 0, row->blank_len);
	for (i = 0; i < n; i++, at += row->stride)
		memcpy(out + at, params + at, 4);
	return own;
}

/*
 * Marks the place of a stranger, until it is known which process stands in for
 * it.
 */
#define STRANGER 0xfffffffeu

/*
 * Strangers in a column of samples become the process that has the newest, the last of
 * several; @list holds the elements already rewritten.
 */
static void substitute(const struct mpu_row *row, u8 *list, u32 n)
{
	u32 i, f;

	for (f = 0; f < row->fields; f++) {
		u32 off = row->pid + f * row->step, who = row->none;
		u64 newest = 0;

		for (i = 0; i < n; i++) {
			u8 *at = list + i * row->stride;
			u64 when = get64(at, row->time);
			u32 pid = get(at, off);

			if (!pid || pid == row->none || pid == STRANGER || when < newest)
				continue;
			newest = when;
			who = pid;
		}
		for (i = 0; i < n; i++)
			if (get(list + i * row->stride, off) == STRANGER)
				ref_put(list + i * row->stride, off, who, 4);
	}
}

/* Rewrites one element; false: it does not belong into the caller's list. */
static bool element(const struct mpu_row *row, u8 *at, const struct ref_proc *procs,
		    unsigned int count, struct ref_tally *tally)
{
	bool keep = true;
	u32 f;

	for (f = 0; f < row->fields; f++) {
		u32 off = row->pid + f * row->step, pid = get(at, off);
		unsigned int j;

		if (row->pointer != MPU_NO_OFFSET)
			ref_put(at, off + row->pointer, 0, 8);
		if (pid == 0 || pid == row->none) {
			keep = false;
			continue;
		}
		tally->seen++;
		for (j = 0; j < count && procs[j].global != pid; j++)
			;
		if (j < count) {
			ref_put(at, off, procs[j].local, 4);
			continue;
		}
		tally->hidden++;
		keep = false;
		if (row->drop)
			continue;
		memset(at + off + row->blank_off, 0, row->blank_len);
		ref_put(at, off, row->time == MPU_NO_OFFSET ? row->none : STRANGER, 4);
	}
	return keep || !row->drop;
}

void ref_answer(const struct mpu_row *row, const struct fixture *fixture, unsigned int ns,
		const u8 *params, const u8 *array, u32 array_size, struct ref_answer *out,
		struct ref_tally *tally)
{
	struct ref_proc procs[FIXTURE_PROCESSES];
	unsigned int count = list_proc(fixture, ns, procs);
	u32 i, n = elements(row, params, array_size), kept = 0;
	u8 *list = calloc(n + 1, row->stride), *next = list;

	out->params = malloc(row->size);
	out->array = array == params ? out->params : malloc(array_size + 1);
	if (!list || !out->params || !out->array)
		abort();
	memcpy(out->params, params, row->size);
	if (array != params)
		memcpy(out->array, array, array_size);
	/*
	 * Bytes at the end of a user buffer that are no whole element are
	 * zeroed.
	 */
	for (i = row->base; row->ptr != MPU_NO_OFFSET && i < array_size; i++) {
		u64 element = (i - row->base) / row->stride;

		if (element >= row->cap || row->base + (element + 1) * row->stride > array_size)
			out->array[i] = 0;
	}
	for (i = 0; i < n; i++) {
		memcpy(next, array + row->base + i * row->stride, row->stride);
		if (!element(row, next, procs, count, tally))
			continue;
		next += row->stride;
		kept++;
	}
	memset(next, 0, (size_t)(n - kept) * row->stride);
	if (row->time != MPU_NO_OFFSET)
		substitute(row, list, kept);
	if (n)
		memcpy(out->array + row->base, list, (size_t)n * row->stride);
	if (kept != n && row->count != MPU_NO_OFFSET)
		ref_put(out->params, row->count, kept, 4);
	free(list);
}

void ref_free(struct ref_answer *out)
{
	if (out->array != out->params)
		free(out->array);
	free(out->params);
}
