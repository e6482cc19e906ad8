// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modes of CDI documents by their names.
 */
#include <strings.h>

#include "container/cdi/recipe.h"

const char *const cdi_mode_names[CDI_MODE_COUNT] = {
#define X(name, text, class) [CDI_MODE_##name] = (text),
	CDI_MODES(X)
#undef X
};

const char *const cdi_mode_classes[CDI_MODE_COUNT] = {
#define X(name, text, class) [CDI_MODE_##name] = (class),
	CDI_MODES(X)
#undef X
};

enum cdi_mode cdi_mode_find(const char *name)
{
	unsigned int mode;

	for (mode = 0; mode < CDI_MODE_COUNT; mode++)
		if (!strcasecmp(name, cdi_mode_names[mode]))
			break;
	return mode;
}
