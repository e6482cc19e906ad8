// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engines of this build.
 */
#include <string.h>

#include "engines/engines.h"

const struct engine *const engines[ENGINES + 1] = {
	&engine_module,
#ifdef MPU_HAVE_BPF
	&engine_bpf,
#endif
	&engine_notify, NULL
};

const struct engine *engine_find(const char *name)
{
	size_t i;

	for (i = 0; engines[i]; i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

const struct engine *engine_current(void)
{
	size_t i;

	for (i = 0; engines[i]; i++)
		if (engines[i]->is_up())
			return engines[i];
	return NULL;
}

bool engine_leftovers(const struct engine *engine)
{
	return engine->leftovers && engine->leftovers();
}
