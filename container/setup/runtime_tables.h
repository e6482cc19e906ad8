/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of runtimes in the configurations of engines, most of which are TOML.
 */
#ifndef MPU_CONTAINER_SETUP_RUNTIME_TABLES_H
#define MPU_CONTAINER_SETUP_RUNTIME_TABLES_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "container/setup/engine.h"
#include "lib/toml_edit.h"

/* Parts of a path, and its end. */
#define SETUP_PATH	17

/** setup_set() - toml_set(), whose value is taken over */
int setup_set(char **text, const char *const *path, struct json_object *value,
	      char why[WHY_SIZE]);

/**
 * setup_copy() - give a table the keys of another one
 * @root:	what @text says: the table of a runtime is given what it lacks, but for the
 *		path of a program, and what is as it would be without the key. NULL: all
 *		keys are given
 * @table:	the other one; NULL: nothing is to do
 * @path:	of the table, of @depth parts; more are put there
 *
 * Return: as toml_set().
 */
int setup_copy(char **text, struct json_object *root, struct json_object *table,
	       const char *path[SETUP_PATH], size_t depth, char why[WHY_SIZE]);

/**
 * setup_find_model() - the runtime whose settings (SystemdCgroup) ours is to have
 * @standard, @runtimes: paths to the name of the default one, and to the tables of all
 * @name:	of ours
 * @suits:	may it be this one? NULL: any may
 *
 * Return: NULL: none is known.
 */
struct json_object *setup_find_model(struct json_object *root, const char *const *standard,
				     const char *const *runtimes, const char *name,
				     bool (*suits)(struct json_object *runtime));

/**
 * setup_find_runtimes() - the runtimes of a table
 * @runtimes:	its tables, or arrays of paths, are named by the runtimes; NULL
 * @program:	path in such a table to the name of the program, ends with NULL
 *
 * Return: 0, or -ENOMEM and a sentence in @why.
 */
int setup_find_runtimes(struct json_object *runtimes, const char *const *program,
			struct setup_found *found, char why[WHY_SIZE]);

/** setup_find_text() - a copy of a string; NULL: there is none */
char *setup_find_text(struct json_object *root, const char *const *path);

/**
 * setup_folder_files() - setup_engine.files of an engine that reads NAME.conf, and on top
 * of it each file of a folder NAME.conf.d, of which @main is one
 * @end:	what the names of these files end with
 */
int setup_folder_files(const char *main, const char *end, struct strv *files);

/** setup_replaces_runtime() - setup_engine.replaces of these */
bool setup_replaces_runtime(struct json_object *file, const char *table);

#endif /* MPU_CONTAINER_SETUP_RUNTIME_TABLES_H */
