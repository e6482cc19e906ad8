/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files of this folder share.
 */
#ifndef MPU_CONTAINER_OCI_INTERNAL_H
#define MPU_CONTAINER_OCI_INTERNAL_H

#include <json-c/json.h>

#include "container/oci/oci.h"
#include "container/plan/plan.h"
#include "core/env.h"
#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/strv.h"

/* json_member.c */

struct oci_index {
	struct json_object *list;
	struct json_object *at;	/* indices by keys; NULL: not made yet */
};

struct json_object *oci_member(struct json_object *object, const char *where,
			       const char *name, enum json_type type, char why[WHY_SIZE]);
void oci_append(struct json_object *array, struct json_object *value);
int oci_index_find(struct oci_index *index, struct json_object *list, const char *member,
		   const char *key);
void oci_index_append(struct oci_index *index, struct json_object *value, const char *key);
void oci_index_free(struct oci_index *index);
const char *oci_key(struct json_object *element);

/* mounts.c */

/* Mounts, by destination without slashes and dots to spare. */
struct oci_mounts {
	struct json_object *config, *at;
};

void oci_mounts_open(struct oci_mounts *mounts, struct json_object *config);
void oci_mounts_close(struct oci_mounts *mounts);
int oci_mounts_add(struct oci_mounts *mounts, const char *destination, const char *source,
		   const struct strv *options, char why[WHY_SIZE]);
bool oci_mounts_hold(const struct oci_mounts *mounts, const char *path);
int oci_mounts_sort(struct json_object *config, char why[WHY_SIZE]);

/* hooks.c */
int oci_hooks_add(struct json_object *config, const struct edit *edit, char why[WHY_SIZE]);

/* runtime_args.c */
void oci_runtime_guess(struct oci_runtime *runtime, char **words);

/* runtime_find.c */
bool oci_find_program(const char *folders, const char *name, bool other, char path[PATH_MAX]);
bool oci_runtime_is_program(const char *path);

#endif /* MPU_CONTAINER_OCI_INTERNAL_H */
