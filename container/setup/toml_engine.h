/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the engines whose configuration is TOML have in common.
 */
#ifndef MPU_CONTAINER_SETUP_TOML_ENGINE_H
#define MPU_CONTAINER_SETUP_TOML_ENGINE_H

#include <json-c/json.h>

#include "container/setup/engine.h"

/** setup_set() - toml_set(), whose value is taken over */
int setup_set(char **text, const char *const *path, struct json_object *value,
	      char why[WHY_SIZE]);

/**
 * setup_find_runtimes() - the runtimes of a table
 * @runtimes:	its tables, or arrays of paths, are named by the runtimes; NULL
 * @program:	path in such a table to the name of the program, ends with NULL
 *
 * Return: 0 or -ENOMEM.
 */
int setup_find_runtimes(struct json_object *runtimes, const char *const *program,
			struct setup_found *found);

/** setup_find_text() - a copy of a string; NULL: there is none */
char *setup_find_text(struct json_object *root, const char *const *path);

#endif /* MPU_CONTAINER_SETUP_TOML_ENGINE_H */
