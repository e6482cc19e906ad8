/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Editing TOML: one value changes, every other byte of the text stays.
 */
#ifndef MPU_LIB_TOML_EDIT_H
#define MPU_LIB_TOML_EDIT_H

#include <json-c/json.h>

#include "lib/why.h"

/* A path of keys, as these functions take it. */
#define KEYS(...)	((const char *const[]){ __VA_ARGS__, NULL })

/** toml_find() - find a value. @path: outermost table first, NULL last. Return: NULL: none */
struct json_object *toml_find(struct json_object *root, const char *const *path);

/**
 * toml_set() - give a key a value, in a table that is made if it is not there
 * @text:	allocated; another one if it was edited
 * @path:	as for toml_find()
 * @value:	a string, a boolean, a whole number, or an array of these; NULL: remove the key
 *		and its line, or the header of a table without a key
 *
 * Return: 0, also if the key has that value already; or as toml_parse() or -EINVAL, and a
 * sentence in @why, with @text as it was.
 */
int toml_set(char **text, const char *const *path, struct json_object *value, char why[WHY_SIZE]);

/** toml_is_header() - is it a table with a header and no key of its own, but tables at most? */
bool toml_is_header(struct json_object *table);

#endif /* MPU_LIB_TOML_EDIT_H */
