/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members of JSON objects and arrays, by names shorter than json-c's own.
 */
#ifndef MPU_LIB_JSON_H
#define MPU_LIB_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/strv.h"

/** member_add_text() - a string, or null if @text is NULL */
void member_add_text(struct json_object *object, const char *key, const char *text);
void member_add_number(struct json_object *object, const char *key, int64_t n);
void member_add_bool(struct json_object *object, const char *key, bool value);

/** array_length() - 0 if it is no array */
size_t array_length(struct json_object *list);

struct json_object *array_of_words(const struct strv *words);

/** array_add_words() - the other way: the texts of a list, without null */
void array_add_words(struct json_object *list, struct strv *words);

/** array_has() - is a string one of a list? */
bool array_has(struct json_object *list, const char *text);

/** array_has_equal() - is anything? */
bool array_has_equal(struct json_object *list, struct json_object *value);

/** member_get() - the value; NULL if there is no such member, or it is null */
struct json_object *member_get(struct json_object *object, const char *key);

/* NULL, 0 or false if there is no such member. */
const char *member_text(struct json_object *object, const char *key);
int64_t member_number(struct json_object *object, const char *key);
bool member_is_true(struct json_object *object, const char *key);

/** member_string() - NULL also if it is no string, or @object is no object */
const char *member_string(struct json_object *object, const char *key);

/**
 * member_copy_text() - copy a string that is not empty
 *
 * Return: 0, or -EINVAL: there is none, or a NUL in it, or it is too long.
 */
int member_copy_text(char *to, size_t size, struct json_object *object, const char *key);

#endif /* MPU_LIB_JSON_H */
