/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of edits for people: what would be done, and why each of it.
 */
#ifndef MPU_CONTAINER_PLAN_EXPLAIN_H
#define MPU_CONTAINER_PLAN_EXPLAIN_H

#include <json-c/json.h>

#include "container/plan/edits.h"

/**
 * explain_text() - say it in lines
 * @reasons:	with the rule and the input of each
 *
 * Return: a string, the caller's to free; NULL: no memory.
 */
char *explain_text(const struct edits *edits, bool reasons);

/**
 * explain_json() - say it as an object with "edits" and "lacks"
 *
 * Return: the caller's to put; NULL: no memory.
 */
struct json_object *explain_json(const struct edits *edits);

#endif /* MPU_CONTAINER_PLAN_EXPLAIN_H */
