// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of container engines.
 */
#include <errno.h>
#include <stdio.h>
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

int setup_files(const struct setup_engine *engine, const char *main, struct strv *files)
{
	return engine->files ? engine->files(main, files) : strv_add(files, main);
}

int setup_locate(const struct setup_engine *engine, const char *main, const char *drop_in,
		 struct setup_place *place)
{
	*place->import = '\0';
	if (engine->locate)
		return engine->locate(main, drop_in, place);
	return snprintf(place->own, PATH_MAX, "%s", drop_in ? drop_in : main) < PATH_MAX ?
		       0 : -ENAMETOOLONG;
}

int setup_find(const struct setup_engine *engine, const char *text,
	       struct setup_found *found, char why[WHY_SIZE])
{
	struct json_object *root = NULL;
	int ret = engine->notation->parse(text, &root, why);

	*found = (struct setup_found){ 0 };
	if (!ret)
		ret = engine->find(root, found, why);
	json_object_put(root);
	return ret;
}

void setup_found_free(struct setup_found *found)
{
	strv_free(&found->names);
	strv_free(&found->paths);
	free(found->standard);
	*found = (struct setup_found){ 0 };
}
