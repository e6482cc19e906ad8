/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random fixtures for the fuzz target: PID namespaces nested up to Linux's limit
 * of 32 levels, processes with a number in each namespace above them.
 */
#ifndef MPU_TESTS_FUZZ_FIXTURE_H
#define MPU_TESTS_FUZZ_FIXTURE_H

#include <stddef.h>
#include <string.h>

#include "core/env.h"

/* The input; once it is used up, noise that follows from its length. */
struct bytes {
	const u8 *data;
	size_t left;
	u64 noise;
};

static inline u8 take_byte(struct bytes *in)
{
	if (in->left) {
		in->left--;
		in->noise = in->noise * 31 + *in->data;
		return *in->data++;
	}
	in->noise = in->noise * 6364136223846793005ull + 1442695040888963407ull;
	return in->noise >> 56;
}

static inline u32 take32(struct bytes *in)
{
	u32 v = 0, i;

	for (i = 0; i < 4; i++)
		v = v << 8 | take_byte(in);
	return v;
}

/* A random number below @limit; 0 if @limit is 0. */
static inline u32 take(struct bytes *in, u32 limit)
{
	u32 v = take_byte(in);

	if (limit > 256)
		v = v << 8 | take_byte(in);
	if (limit > 65536)
		v = v << 8 | take_byte(in);
	return limit ? v % limit : 0;
}

/*
 * Fills large blocks with noise that follows from the first bytes of the input:
 * the input itself is too short.
 */
static inline void take_block(struct bytes *in, u8 *to, u32 size)
{
	u64 noise = take32(in);
	u32 i;

	for (i = 0; i < size; i++) {
		if (i % 4 == 0)
			noise = noise * 6364136223846793005ull + 1;
		to[i] = noise >> (32 + 8 * (i % 4));
	}
}

#define FIXTURE_LEVELS		33	/* MAX_PID_NS_LEVEL, and the initial */
#define FIXTURE_NAMESPACES	48
#define FIXTURE_PROCESSES		96
#define FIXTURE_TIME		16	/* all that happens is before that */

struct process {
	unsigned int ns;
	unsigned int depth;		/* level of @ns; 0 is the initial one */
	u32 number[FIXTURE_LEVELS];	/* by level: Linux's struct upid */
	u32 began;
};

struct fixture {
	unsigned int namespaces;
	unsigned int parent[FIXTURE_NAMESPACES];
	unsigned int depth[FIXTURE_NAMESPACES];
	u32 next[FIXTURE_NAMESPACES];	/* next free number */
	unsigned int count;
	struct process processes[FIXTURE_PROCESSES];
	u32 local[FIXTURE_NAMESPACES][FIXTURE_PROCESSES];	/* 0: not visible */
};

/* @p's number in namespace @ns, 0 if @ns is not @p's own or above it. */
static inline u32 process_number(const struct fixture *w, const struct process *p, unsigned int ns)
{
	unsigned int at = p->ns;

	while (w->depth[at] > w->depth[ns])
		at = w->parent[at];
	return at == ns ? p->number[w->depth[ns]] : 0;
}

static inline void fixture_build(struct fixture *w, struct bytes *in)
{
	unsigned int i, ns, style = take(in, 3);

	memset(w, 0, sizeof(*w));
	w->namespaces = 1 + take(in, FIXTURE_NAMESPACES);
	for (i = 0; i < w->namespaces; i++) {
		/* Namespaces nest as a chain, as a fan, or at random. */
		w->parent[i] = !i ? 0 : style == 0 ? i - 1 : style == 1 ? 0 : take(in, i);
		if (i && w->depth[w->parent[i]] == FIXTURE_LEVELS - 1)
			w->parent[i] = 0;
		w->depth[i] = i ? w->depth[w->parent[i]] + 1 : 0;
		/*
		 * PIDs are the same small numbers in each namespace, now and
		 * then far apart.
		 */
		w->next[i] = take(in, 4) ? 1 : 1 + take(in, 40000);
	}
	w->count = 1 + take(in, FIXTURE_PROCESSES);
	for (i = 0; i < w->count; i++) {
		struct process *p = &w->processes[i];

		p->ns = ns = take(in, w->namespaces);
		p->depth = w->depth[ns];
		p->began = take(in, FIXTURE_TIME);
		for (;;) {
			w->next[ns] += take(in, 3);
			p->number[w->depth[ns]] = w->next[ns]++;
			if (!ns)
				break;
			ns = w->parent[ns];
		}
		for (ns = 0; ns < w->namespaces; ns++)
			w->local[ns][i] = process_number(w, p, ns);
	}
}

static inline const struct process *fixture_find(const struct fixture *w,
						 unsigned int ns, u32 number)
{
	unsigned int i;

	for (i = 0; i < w->count; i++)
		if (number && w->local[ns][i] == number)
			return &w->processes[i];
	return NULL;
}

#endif /* MPU_TESTS_FUZZ_FIXTURE_H */
