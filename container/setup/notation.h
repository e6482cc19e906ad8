/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The notations of configuration files that we edit: TOML and JSON, read and edited by
 * the path of a key.
 */
#ifndef MPU_CONTAINER_SETUP_NOTATION_H
#define MPU_CONTAINER_SETUP_NOTATION_H

#include <json-c/json.h>

#include "lib/why.h"

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

extern const struct notation notation_toml, notation_json;

/** notation_put() - set(), whose value is taken over; NULL is a lack of memory */
int notation_put(const struct notation *notation, char **text, const char *const *path,
		 struct json_object *value, char why[WHY_SIZE]);

/**
 * notation_take_out() - undo an edit in a text that others have edited since
 * @before:	what the edited text said; NULL: there was none
 * @after:	what the edit made of it
 * @text:	what it says now. A key that the edit has set is what it was again, where
 *		it has still the value of the edit. A table in a table "runtimes" goes as
 *		a whole if its program is still the one of the edit
 *
 * Return: as parse() of struct notation; then @text may be edited half.
 */
int notation_take_out(const struct notation *notation, const char *before,
		      const char *after, char **text, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_SETUP_NOTATION_H */
