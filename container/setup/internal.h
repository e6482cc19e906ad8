/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of container/setup alone.
 */
#ifndef MPU_CONTAINER_SETUP_INTERNAL_H
#define MPU_CONTAINER_SETUP_INTERNAL_H

#include "container/setup/setup.h"
#include "lib/toml_edit.h"

/* Beginning of the types of runtimes that start runc, or a program in its place. */
#define SETUP_SHIM	"io.containerd.runc."

/* Parts of a path, and its end. */
#define SETUP_PATH	17

/**
 * struct notation - how a text is read and edited
 * @parse:	receives the table, or object, that a text is. Return: 0, or negative errno
 *		and a sentence in @why
 * @set:	gives the key at the end of @path, which ends with NULL, a value; NULL
 *		removes it. Return: as @parse; then @text is as it was
 */
struct notation {
	int (*parse)(const char *text, struct json_object **root, char why[WHY_SIZE]);
	int (*set)(char **text, const char *const *path, struct json_object *value,
		   char why[WHY_SIZE]);
};

/* notation.c */
int notation_remove(const struct notation *notation, char **text, const char *const *path,
		    char why[WHY_SIZE]);
int notation_take_out(const struct notation *notation, const char *before,
		      const char *after, char **text, bool again, char why[WHY_SIZE]);

/* force.c */
int setup_read_file(const struct setup_engine *engine, const char *path,
		    struct json_object **root, char why[WHY_SIZE]);

/* runtime_tables.c */
extern const char *const setup_of_program[];
int setup_set(char **text, const char *const *path, struct json_object *value, char why[WHY_SIZE]);
int setup_copy(char **text, struct json_object *root, bool inherit, struct json_object *table,
	       const char *path[SETUP_PATH], size_t depth, char why[WHY_SIZE]);
const char *setup_type(struct json_object *runtime);
bool setup_is_like_runc(struct json_object *runtime);
struct json_object *setup_find_model(struct json_object *standard, const char *usual,
				     struct json_object *runtimes, const char *name);
struct json_object *setup_program(struct json_object *runtime);
void setup_find_runtimes(struct json_object *runtimes, struct setup_found *found);
bool setup_is_lost(const char *standard, struct json_object *runtimes);
char *setup_find_text(struct json_object *root, const char *const *path);

#endif /* MPU_CONTAINER_SETUP_INTERNAL_H */
