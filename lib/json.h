/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members of a JSON object, by names shorter than json-c's own.
 */
#ifndef MPU_LIB_JSON_H
#define MPU_LIB_JSON_H

#include <json-c/json.h>
#include <stdint.h>

/** json_add() - a text, or null if it is NULL */
void json_add(struct json_object *object, const char *key, const char *text);
void json_add_number(struct json_object *object, const char *key, int64_t n);

/** json_text() - NULL if there is no such member */
const char *json_text(struct json_object *object, const char *key);

/** json_number() - 0 if there is no such member */
int64_t json_number(struct json_object *object, const char *key);

#endif /* MPU_LIB_JSON_H */
