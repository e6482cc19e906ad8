// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the driver capabilities.
 */
#include <string.h>

#include "nvidia/internal.h"

const char *const capability_names[CAPABILITY_COUNT] = {
#define X(name, text) [CAPABILITY_BIT_##name] = text,
	CAPABILITIES(X)
#undef X
};

unsigned int capability_find(const char *name)
{
	int bit;

	for (bit = 0; bit < CAPABILITY_COUNT; bit++)
		if (!strcmp(name, capability_names[bit]))
			return 1u << bit;
	return !strcmp(name, "all") ? CAPABILITY_ALL : 0;
}
