/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TOML 1.0, in which NVIDIA's container toolkit, containerd, CRI-O and podman keep their
 * configuration: read into objects of json-c, each of which knows where it stands in the
 * text, so that an editor can change one value and leave every other byte.
 */
#ifndef MPU_LIB_TOML_H
#define MPU_LIB_TOML_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/why.h"

enum toml_kind {
	TOML_VALUE,	/* "key = value", also an inline table; or in an array */
	TOML_TABLE,	/* below its header, "[table]"; or the whole text */
	TOML_ELEMENT,	/* below its header, "[[table]]" */
	TOML_ELEMENTS,	/* the array of these */
	TOML_IMPLIED,	/* a table that only headers of tables in it name */
	TOML_DOTTED,	/* a table that dotted keys name, "table.key = value" */
};

/**
 * struct toml_place - where it stands: offsets into the text
 * @key:	where its key begins; of an element of an array, and of a table
 *		with a header: @start
 * @start, @end: from its first byte to behind its last one. For a table with a header: to
 *		behind the end of the last of its own lines, where a key may be added.
 *		Empty for TOML_ELEMENTS, TOML_IMPLIED and TOML_DOTTED
 * @is_bare:	a value that is not in quotes
 */
struct toml_place {
	enum toml_kind kind;
	size_t key, start, end;
	bool is_bare;
};

/**
 * toml_parse() - read a text
 * @text:	terminated, at @text[@len]
 * @root:	receives its table, the caller's to put; NULL if it fails
 *
 * A date, a time, inf and nan become strings. Refused are, beyond what TOML refuses: more than 1 MiB,
 * keys of more than 32 parts, values nested deeper than 32 levels, NUL in a string.
 *
 * Return: 0, or -EINVAL or -EFBIG and a sentence in @why.
 */
int toml_parse(const char *text, size_t len, struct json_object **root, char why[WHY_SIZE]);

/** toml_place() - where a value of toml_parse()'s stands */
struct toml_place *toml_place(struct json_object *value);

#endif /* MPU_LIB_TOML_H */
