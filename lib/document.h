/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of JSON that somebody else keeps (config.json of an OCI bundle,
 * docker's daemon.json): read into objects of json-c, its members found, and
 * written back with nothing lost.
 */
#ifndef MPU_LIB_DOCUMENT_H
#define MPU_LIB_DOCUMENT_H

#include <json-c/json.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/why.h"

/**
 * struct document - a value, and the file that it was read from
 * @root:	the caller's to put
 * @file:	mode and owner, which the file keeps
 */
struct document {
	struct json_object *root;
	struct stat file;
};

/**
 * document_read() - read a file
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int document_read(const char *path, struct document *document, char why[WHY_SIZE]);

/* Reads a text as document_parse() does. */
typedef int (*document_parser)(const char *text, size_t len,
			       struct json_object **root, char why[WHY_SIZE]);

/** document_read_by() - read a file of another notation than JSON */
int document_read_by(const char *path, struct document *document,
		     document_parser parse, char why[WHY_SIZE]);

/**
 * document_write() - write a document, as text_file_write_fast() does
 *
 * Return: as document_read().
 */
int document_write(const char *path, const struct document *document,
		   char why[WHY_SIZE]);

/**
 * document_write_text() - write any text and the end of a line, as document_write()
 * @file:	its mode and owner
 */
int document_write_text(const char *path, const char *text,
			const struct stat *file, char why[WHY_SIZE]);

/**
 * document_parse() - read a text
 * @text:	terminated, at @text[@len]
 * @root:	receives its value, the caller's to put; NULL if it fails
 *
 * Refused are: a text that is not JSON in UTF-8, or is nested deeper than 128
 * levels, and two members of one name in one object.
 *
 * Return: 0, or -EINVAL or -ENOMEM and a sentence in @why.
 */
int document_parse(const char *text, size_t len, struct json_object **root,
		   char why[WHY_SIZE]);

/**
 * document_text() - how a document is written
 *
 * Members keep their order. Numbers and strings that were read are spelled as
 * they were; the white space around them, and escapes in names, are not.
 *
 * Return: a string that lives as long as @root, or NULL: no memory.
 */
const char *document_text(struct json_object *root);

/**
 * document_member() - find a member of an object
 * @where:	path of @object, for the sentence: "" or "linux."
 * @type:	what it must be; json_type_int: a whole number that fits uint64_t
 * @value:	receives it; NULL: it is null, or there is none
 *
 * A member whose name differs from @name in its case alone is refused: Go's
 * encoding/json, and so runc, takes "Name" for "name", C's readers do not.
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int document_member(struct json_object *object, const char *where,
		    const char *name, enum json_type type,
		    struct json_object **value, char why[WHY_SIZE]);

#endif /* MPU_LIB_DOCUMENT_H */
