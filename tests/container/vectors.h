/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cases that a file of vectors holds for each part of the GPU-container chain,
 * and how each part is asked.
 */
#ifndef MPU_TESTS_CONTAINER_VECTORS_H
#define MPU_TESTS_CONTAINER_VECTORS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "lib/why.h"

/**
 * struct vector_suite - how the cases of one suite are run
 * @name:	as the file has it: "devices.env"
 * @run:	calls the code with a case's "in", and writes what it answered into
 *		@out, in the shape of the case's "out"; NULL there is null. @suite is
 *		the whole suite, for what its cases have in common ("notes").
 *		Return: 0, or negative errno and a sentence in @why: an error, which
 *		the case may want
 */
struct vector_suite {
	const char *name;
	int (*run)(struct json_object *in, struct json_object *suite,
		   struct json_object **out, char why[WHY_SIZE]);
};

/* json-c needs no copy of an array to go through it. */
#define for_each_text(array, i, value) \
	for (i = 0; array && i < json_object_array_length(array) && \
	     (value = json_object_get_string(json_object_array_get_idx(array, i)), true); i++)

static inline void add_text(struct json_object *array, const char *value)
{
	json_object_array_add(array, json_object_new_string(value));
}

/* Each ends with a NULL name. */
extern const struct vector_suite suites_devices[];	/* nvidia/devices */
extern const struct vector_suite suites_files[];	/* nvidia/files, compat */
extern const struct vector_suite suites_request[];	/* container/request ... */
extern const struct vector_suite suites_requirement[];	/* container/requirement */
extern const struct vector_suite suites_selection[];	/* container/selection */
extern const struct vector_suite suites_runtime[];	/* container/oci */
extern const struct vector_suite suites_hook[];		/* hook and settings */
extern const struct vector_suite suites_cdi[];		/* container/cdi */
extern const struct vector_suite suites_rootfs[];	/* container/rootfs */

#endif /* MPU_TESTS_CONTAINER_VECTORS_H */
