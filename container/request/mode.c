// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the mode by which a container gets its GPUs.
 */
#include <string.h>

#include "container/request/internal.h"

const char *const mode_names[MODE_COUNT] = {
#define X(name, text) [MODE_##name] = text,
	MODES(X)
#undef X
};

enum mode mode_find(const char *name)
{
	int mode;

	for (mode = 0; mode < MODE_COUNT; mode++)
		if (!strcmp(name, mode_names[mode]))
			break;
	return mode;
}

const char *mode_resolve(const char *setting, bool is_cdi, const char *standard)
{
	if (strcmp(setting, "auto"))
		return setting;
	return is_cdi ? mode_names[MODE_CDI] : standard;
}
