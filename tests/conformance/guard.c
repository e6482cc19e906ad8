// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory between guard bytes.
 */
#include "tests/conformance/suite.h"

#define GUARD		64	/* bytes on each side */
#define GUARD_BYTE	0xc3

bool guarded_alloc(struct guarded *g, enum entry_path path, u32 size, u32 skew)
{
	u8 *memory = entry_path_alloc(path, size + 2 * GUARD + skew);

	if (!memory)
		return false;
	memset(memory, GUARD_BYTE, size + 2 * GUARD + skew);
	*g = (struct guarded){ memory + skew + GUARD, size, path, memory };
	return true;
}

bool guarded_holds(const struct guarded *g)
{
	u32 i;

	for (i = 1; i <= GUARD; i++)
		if (g->at[-(int)i] != GUARD_BYTE || g->at[g->size + i - 1] != GUARD_BYTE)
			return false;
	return true;
}

void guarded_free(struct guarded *g)
{
	entry_path_free(g->path, g->memory);
}
