/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * YAML, as far as it says what JSON can say: read into objects of json-c, and
 * written from them.
 */
#ifndef MPU_LIB_YAML_FILE_H
#define MPU_LIB_YAML_FILE_H

#include "lib/json_file.h"

/**
 * yaml_file_parse() - read a text
 * @root:	receives its value, the caller's to put; NULL if it fails
 *
 * Refused are, beyond what json_file_parse() refuses: tags but !!str, and aliases that stand
 * for more than 100,000 values. Engines read the first of several documents, and so does this.
 */
int yaml_file_parse(const char *text, size_t len, struct json_object **root, char why[WHY_SIZE]);

/** yaml_file_parse_either() - read a text that is JSON, or YAML */
int yaml_file_parse_either(const char *text, size_t len, struct json_object **root,
			   char why[WHY_SIZE]);

/** yaml_file_read() - read a file of either, as json_file_read() */
int yaml_file_read(const char *path, struct json_file *document, char why[WHY_SIZE]);

/** yaml_file_text() - how a value is written. Return: a string to free */
char *yaml_file_text(struct json_object *root);

#endif /* MPU_LIB_YAML_FILE_H */
