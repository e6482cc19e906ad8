// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of container engines.
 */
#include <stdlib.h>
#include <string.h>

#include "container/setup/engine.h"

const struct setup_engine *const setup_engines[] = {
	&setup_docker, &setup_containerd, &setup_crio, &setup_podman, NULL,
};

const struct setup_engine *setup_engine_find(const char *name)
{
	const struct setup_engine *const *engine = setup_engines;

	while (*engine && strcmp((*engine)->name, name) != 0)
		engine++;
	return *engine;
}

void setup_found_free(struct setup_found *found)
{
	words_free(&found->names);
	words_free(&found->paths);
	free(found->standard);
	*found = (struct setup_found){ 0 };
}
