/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of JSON that somebody else keeps (config.json of an OCI bundle, docker's
 * daemon.json): read into objects of json-c, and written back with nothing lost.
 */
#ifndef MPU_LIB_JSON_FILE_H
#define MPU_LIB_JSON_FILE_H

#include <json-c/json.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/why.h"

struct json_file {
	struct json_object *root;	/* the caller's to put */
	struct stat file;		/* mode and owner, which the file keeps */
};

/** json_file_read() - Return: 0, or negative errno and a sentence in @why */
int json_file_read(const char *path, struct json_file *document, char why[WHY_SIZE]);

typedef int (*json_file_parser)(const char *text, size_t len,
				struct json_object **root, char why[WHY_SIZE]);

/** json_file_read_by() - read a file of another notation than JSON */
int json_file_read_by(const char *path, struct json_file *document,
		      json_file_parser parse, char why[WHY_SIZE]);

/** json_file_write() - write a document, as text_file_write_fast() does */
int json_file_write(const char *path, const struct json_file *document, char why[WHY_SIZE]);

/**
 * json_file_parse() - read a text
 * @text:	terminated, at @text[@len]
 * @root:	receives its value, the caller's to put; NULL if it fails
 *
 * Return: 0, or -EINVAL and a sentence in @why: it is not JSON in UTF-8, or nested deeper
 * than 128 levels, or an object has two members of one name.
 */
int json_file_parse(const char *text, size_t len, struct json_object **root, char why[WHY_SIZE]);

/**
 * json_file_text() - how a document is written
 *
 * Members keep their order, numbers and strings that were read their spelling; white space
 * and escapes in names do not stay.
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
