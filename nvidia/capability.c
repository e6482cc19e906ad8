// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the driver capabilities.
 */
#include "lib/text.h"
#include "nvidia/internal.h"

const char *const capability_names[CAPABILITY_COUNT] = {
#define X(name, text) [CAPABILITY_BIT_##name] = text,
	CAPABILITIES(X)
#undef X
};

unsigned int capability_find(const char *name)
{
	return text_bit_find(name, capability_names, CAPABILITY_COUNT);
}
