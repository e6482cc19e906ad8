/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of JSON that somebody else keeps (config.json of an OCI bundle,
 * docker's daemon.json): read into objects of json-c, its members found, and
 * written back with nothing lost.
 */
#ifndef MPU_LIB_JSON_FILE_H
#define MPU_LIB_JSON_FILE_H

#include <json-c/json.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/why.h"

/**
 * struct json_file - a value, and the file that it was read from
 * @root:	the caller's to put
 * @file:	mode and owner, which the file keeps
 */
struct json_file {
	struct json_object *root;
	struct stat file;
};

/**
 * json_file_read() - read a file
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int json_file_read(const char *path, struct json_file *document, char why[WHY_SIZE]);

/* Reads a text as json_file_parse() does. */
typedef int (*json_file_parser)(const char *text, size_t len,
				struct json_object **root, char why[WHY_SIZE]);

/** json_file_read_by() - read a file of another notation than JSON */
int json_file_read_by(const char *path, struct json_file *document,
		      json_file_parser parse, char why[WHY_SIZE]);

/**
 * json_file_write() - write a document, as text_file_write_fast() does
 *
 * Return: as json_file_read().
 */
int json_file_write(const char *path, const struct json_file *document,
		    char why[WHY_SIZE]);

/**
 * json_file_write_text() - write any text and the end of a line, as json_file_write()
 * @file:	its mode and owner
 */
int json_file_write_text(const char *path, const char *text,
			 const struct stat *file, char why[WHY_SIZE]);

/**
 * json_file_parse() - read a text
 * @text:	terminated, at @text[@len]
 * @root:	receives its value, the caller's to put; NULL if it fails
 *
 * Refused are: a text that is not JSON in UTF-8, or is nested deeper than 128
 * levels, and two members of one name in one object.
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int json_file_parse(const char *text, size_t len, struct json_object **root,
		    char why[WHY_SIZE]);

/**
 * json_file_text() - how a document is written
 *
 * Members keep their order. Numbers and strings that were read are spelled as
 * they were; the white space around them, and escapes in names, are not.
 *
 * Return: a string that lives as long as @root.
 */
const char *json_file_text(struct json_object *root);

/**
 * json_file_member() - find a member of an object
 * @where:	path of @object, for the sentence: "" or "linux."
 * @type:	what it must be; json_type_int: a whole number that fits uint64_t
 * @value:	receives it; NULL: it is null, or there is none
 *
 * A member whose name differs from @name in its case alone is refused: Go's
 * encoding/json, and so runc, takes "Name" for "name", C's readers do not.
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int json_file_member(struct json_object *object, const char *where,
		     const char *name, enum json_type type,
		     struct json_object **value, char why[WHY_SIZE]);

#endif /* MPU_LIB_JSON_FILE_H */
