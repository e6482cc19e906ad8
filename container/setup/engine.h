/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Container engines, and what their configuration files say of runtimes.
 */
#ifndef MPU_CONTAINER_SETUP_ENGINE_H
#define MPU_CONTAINER_SETUP_ENGINE_H

#include <stdbool.h>

#include "lib/why.h"
#include "lib/words.h"

/**
 * struct setup_runtime - a runtime that an engine is to know
 * @name:	by which containers ask for it: "nvidia"
 * @path:	of its program
 * @is_default:	containers that ask for none get it, too
 * @cdi:	the engine is to take CDI devices
 */
struct setup_runtime {
	const char *name;
	const char *path;
	bool is_default;
	bool cdi;
};

enum setup_cdi { SETUP_CDI_DEFAULT, SETUP_CDI_OFF, SETUP_CDI_ON };

/**
 * struct setup_found - what a configuration says
 * @names, @paths: of its runtimes, at the same index
 * @standard:	name of the default one, to be freed; NULL: it names none
 * @cdi:	SETUP_CDI_DEFAULT: it does not say
 */
struct setup_found {
	struct words names, paths;
	char *standard;
	enum setup_cdi cdi;
};

/**
 * struct setup_engine - an engine
 * @file:	its configuration, of which we edit this part
 * @reload:	what makes it read that again
 * @edit:	edits a text so that the engine knows a runtime; everything else that
 *		the text says stays. Return: 0, or negative errno and a sentence in
 *		@why; then the text may be edited half
 * @find:	what a text says; setup_found_free() is to follow in any case.
 *		Return: as @edit
 */
struct setup_engine {
	const char *name;
	const char *file;
	const char *reload;
	int (*edit)(char **text, const struct setup_runtime *runtime,
		    char why[WHY_SIZE]);
	int (*find)(const char *text, struct setup_found *found,
		    char why[WHY_SIZE]);
};

extern const struct setup_engine setup_docker, setup_containerd, setup_crio,
	setup_podman;

/* All of them; ends with NULL. */
extern const struct setup_engine *const setup_engines[];

/** setup_engine_find() - by its name; NULL: there is none */
const struct setup_engine *setup_engine_find(const char *name);

void setup_found_free(struct setup_found *found);

#endif /* MPU_CONTAINER_SETUP_ENGINE_H */
