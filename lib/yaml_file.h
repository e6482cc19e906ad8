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
 * Refused are, beyond what json_file_parse() refuses: anchors and aliases, by which
 * a small text becomes a large value; tags; a second document.
 */
int yaml_file_parse(const char *text, size_t len, struct json_object **root,
		    char why[WHY_SIZE]);

/** yaml_file_read() - read a file, as json_file_read() */
int yaml_file_read(const char *path, struct json_file *document,
		   char why[WHY_SIZE]);

/** yaml_file_text() - how a value is written. Return: a string to free */
char *yaml_file_text(struct json_object *root);

#endif /* MPU_LIB_YAML_FILE_H */
