/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON as the text it is: finds values without changing how they are spelled.
 * For editing other people's files, where a parser that builds objects would
 * lose large numbers, 1.0 against 1, escapes and repeated members (json-c 0.16
 * does). Check a text first; everything else here takes it to be sound.
 */
#ifndef MPU_OCI_JSONTEXT_H
#define MPU_OCI_JSONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct jsontext - one value, somewhere in a checked text
 * @at:		its first character, which tells its kind: { [ " t f n - 0..9;
 *		NULL: no value
 * @end:	behind its last
 */
struct jsontext {
	const char *at;
	const char *end;
};

/**
 * jsontext_check() - is the text one value, and nothing else?
 * @value:	receives it
 * @why:	on failure: "line 3: ..."
 *
 * Return: 0, or -EINVAL.
 */
int jsontext_check(const char *text, size_t len, struct jsontext *value,
		   char *why, size_t size);

/** jsontext_inside() - what is between the brackets of an object or array */
struct jsontext jsontext_inside(struct jsontext value);

/**
 * jsontext_next() - take the next member or element
 * @rest:	of jsontext_inside(); left behind the value
 * @key:	of a member; no value for an element
 */
bool jsontext_next(struct jsontext *rest, struct jsontext *key,
		   struct jsontext *value);

/**
 * jsontext_member() - find a member of an object
 * @value:	receives it; no value if there is none
 *
 * Return: 0, or -EEXIST: more than one, or one in other letters (Go's
 * encoding/json takes "Name" for "name"), so that readers differ about it.
 */
int jsontext_member(struct jsontext object, const char *name,
		    struct jsontext *value);

/** jsontext_is() - of which kind: one of { [ " n */
static inline bool jsontext_is(struct jsontext value, char kind)
{
	return value.at && *value.at == kind;
}

/**
 * jsontext_equal() - is it this string?
 * @string:	its characters above 127 are compared as they are spelled
 */
bool jsontext_equal(struct jsontext value, const char *string);

/** jsontext_u64() - a whole number, spelled as one; false: it is none */
bool jsontext_u64(struct jsontext value, uint64_t *number);

#endif /* MPU_OCI_JSONTEXT_H */
