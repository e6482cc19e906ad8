/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.json of an OCI bundle: read into objects of json-c, its members
 * found, and written back.
 */
#ifndef MPU_OCI_SPEC_H
#define MPU_OCI_SPEC_H

#include <json-c/json.h>
#include <limits.h>
#include <stddef.h>
#include <sys/stat.h>

/* Room for a sentence with a path in it. */
#define OCI_WHY	(PATH_MAX + 512)

/** oci_fail() - put a sentence into @why. Return: @result. */
int oci_fail(char why[OCI_WHY], int result, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * struct oci_spec - a configuration, and the file that it was read from
 * @root:	the caller's to put
 * @file:	mode and owner, which the file keeps
 */
struct oci_spec {
	struct json_object *root;
	struct stat file;
};

/**
 * oci_spec_read() - read a file
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int oci_spec_read(const char *path, struct oci_spec *spec, char why[OCI_WHY]);

/**
 * oci_spec_write() - write the configuration, at once or not at all
 *
 * A link is replaced by a file; what it points to may be shared and is left
 * alone.
 *
 * Return: as oci_spec_read().
 */
int oci_spec_write(const char *path, const struct oci_spec *spec,
		   char why[OCI_WHY]);

/**
 * oci_spec_parse() - read a text
 * @text:	terminated, at @text[@len]
 * @root:	receives its value, the caller's to put; NULL if it fails
 *
 * Refused are: a text that is not JSON in UTF-8, or is nested deeper than 128
 * levels, and two members of one name in one object.
 *
 * Return: 0, or -EINVAL or -ENOMEM and a sentence in @why.
 */
int oci_spec_parse(const char *text, size_t len, struct json_object **root,
		   char why[OCI_WHY]);

/**
 * oci_spec_text() - how a configuration is written
 *
 * Members keep their order. Numbers and strings that were read are spelled as
 * they were; the white space around them, and escapes in names, are not.
 *
 * Return: a string that lives as long as @root, or NULL: no memory.
 */
const char *oci_spec_text(struct json_object *root);

/**
 * oci_spec_member() - find a member of an object
 * @where:	path of @object, for the sentence: "" or "linux."
 * @type:	what it must be; json_type_int: a whole number that fits uint64_t
 * @value:	receives it; NULL: it is null, or there is none
 *
 * A member whose name differs from @name in its case alone is refused: Go's
 * encoding/json, and so runc, takes "Name" for "name", crun does not.
 *
 * Return: 0, or -EINVAL and a sentence in @why.
 */
int oci_spec_member(struct json_object *object, const char *where,
		    const char *name, enum json_type type,
		    struct json_object **value, char why[OCI_WHY]);

#endif /* MPU_OCI_SPEC_H */
