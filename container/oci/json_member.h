/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members of a configuration that an edit needs, and which need not be there.
 */
#ifndef MPU_OCI_JSON_MEMBER_H
#define MPU_OCI_JSON_MEMBER_H

#include "lib/json_file.h"
#include "lib/strv.h"

/**
 * oci_member() - find an object or an array, or add it
 * @where:	path of @object: "" or "linux."
 * @type:	json_type_object or json_type_array
 *
 * Return: it, which stays @object's; NULL and a sentence in @why.
 */
struct json_object *oci_member(struct json_object *object, const char *where,
			       const char *name, enum json_type type,
			       char why[WHY_SIZE]);

/**
 * oci_member_text() - the string in a member of an element of a list
 *
 * Return: NULL: the element is no object, or has no such string.
 */
const char *oci_member_text(struct json_object *element, const char *name);

/** oci_has() - is there an element that equals @value? */
bool oci_has(struct json_object *array, struct json_object *value);

/** oci_append() - add an element, which is taken over. Return: 0 or -ENOMEM. */
int oci_append(struct json_object *array, struct json_object *value);

/**
 * struct oci_index - a list, and where its elements are
 * @at:		by their keys; NULL: the list was not gone through yet
 */
struct oci_index {
	struct json_object *list;
	struct json_object *at;
};

/**
 * oci_index_find() - find an element
 * @list:	the list, the same each time
 * @member:	the member that is an element's key; NULL: all of it
 *
 * Return: its index, or -ENOENT, or -ENOMEM.
 */
int oci_index_find(struct oci_index *index, struct json_object *list,
		   const char *member, const char *key);

/** oci_index_append() - as oci_append(), and the element is found from now on */
int oci_index_append(struct oci_index *index, struct json_object *value,
		     const char *key);

void oci_index_free(struct oci_index *index);

/** oci_key() - the key of an element that has no name; as long as it lives */
const char *oci_key(struct json_object *element);

/** oci_words() - a new array of strings; NULL: no memory */
struct json_object *oci_words(const struct strv *words);

#endif /* MPU_OCI_JSON_MEMBER_H */
