/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of TOML that hold no others: strings, numbers, booleans, dates.
 * For toml.c alone.
 */
#ifndef MPU_LIB_TOML_SCALAR_H
#define MPU_LIB_TOML_SCALAR_H

#include <json-c/json.h>
#include <stdbool.h>

#include "lib/why.h"

/**
 * struct toml_scan - a text that is being read
 * @at:		what is read next; the text ends with a NUL
 * @buffer:	as large as the text: what the string that was read last says
 */
struct toml_scan {
	const char *text, *at;
	char *buffer;
	char *why;
};

/** toml_refuse() - a sentence with the line that is being read. Return: -EINVAL. */
int toml_refuse(struct toml_scan *scan, const char *what);

/**
 * toml_scan_check() - is the text UTF-8 without control characters?
 *
 * Return: 0 or -EINVAL and a sentence in @why.
 */
int toml_scan_check(struct toml_scan *scan, size_t len);

/**
 * toml_scan_string() - read a string, into @buffer
 * @lines:	it may be one of several lines
 *
 * Return: as toml_scan_check().
 */
int toml_scan_string(struct toml_scan *scan, bool lines);

/**
 * toml_scan_scalar() - read a value
 * @value:	receives it; NULL beside 0: no memory
 *
 * Return: as toml_scan_check().
 */
int toml_scan_scalar(struct toml_scan *scan, struct json_object **value);

#endif /* MPU_LIB_TOML_SCALAR_H */
