/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * YAML, as far as it says what JSON can say: read into objects of json-c, and
 * written from them.
 */
#ifndef MPU_LIB_DOCUMENT_YAML_H
#define MPU_LIB_DOCUMENT_YAML_H

#include "lib/document.h"

/**
 * document_yaml_parse() - read a text
 * @root:	receives its value, the caller's to put; NULL if it fails
 *
 * Refused are, beyond what document_parse() refuses: anchors and aliases, by which
 * a small text becomes a large value; tags; a second document.
 *
 * Return: 0, or -EINVAL or -ENOMEM and a sentence in @why.
 */
int document_yaml_parse(const char *text, size_t len, struct json_object **root,
			char why[WHY_SIZE]);

/** document_yaml_read() - read a file, as document_read() */
int document_yaml_read(const char *path, struct document *document,
		       char why[WHY_SIZE]);

/**
 * document_yaml_text() - how a value is written
 *
 * A string that a reader of YAML could take for something else is quoted.
 *
 * Return: a string to free, or NULL: no memory.
 */
char *document_yaml_text(struct json_object *root);

#endif /* MPU_LIB_DOCUMENT_YAML_H */
