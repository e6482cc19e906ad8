/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cases that a file of vectors holds for each part of the GPU-container chain,
 * and how each part is asked.
 */
#ifndef MPU_TESTS_CONTAINER_VECTORS_H
#define MPU_TESTS_CONTAINER_VECTORS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "lib/json.h"
#include "lib/strv.h"
#include "lib/why.h"

/*
 * SUITE("devices.env") { ... } is how the cases of a suite are run, or of several, whose names
 * have spaces between them. The code calls the product with a case's @in, and writes what that
 * answered into @out, in the shape of the case's "out"; NULL there is null. @suite is the whole
 * suite, for what its cases have in common ("notes"). It returns 0, or negative errno and a
 * sentence in @why: an error, which the case may want.
 */
#define SUITE(names)		SUITE_(__COUNTER__, names)
#define SUITE_(n, names)	SUITE_OF(n, names)
#define SUITE_OF(n, names) \
	static vector_run suite_##n; \
	static void __attribute__((constructor)) suite_add_##n(void) \
	{ \
		static struct vector_suite suite = { names, suite_##n, NULL }; \
		vector_add(&suite); \
	} \
	static int suite_##n(struct json_object *in __attribute__((unused)), \
			     struct json_object *suite __attribute__((unused)), \
			     struct json_object **out, char why[WHY_SIZE] __attribute__((unused)))

typedef int vector_run(struct json_object *in, struct json_object *suite,
		       struct json_object **out, char why[WHY_SIZE]);

struct vector_suite {
	const char *names;
	vector_run *run;
	struct vector_suite *next;
};

void vector_add(struct vector_suite *suite);

/* json-c needs no copy of an array to go through it. */
#define for_each_text(array, i, value) \
	for (i = 0; array && i < json_object_array_length(array) && \
	     (value = json_object_get_string(json_object_array_get_idx(array, i)), true); i++)

static inline void add_text(struct json_object *array, const char *value)
{
	json_object_array_add(array, json_object_new_string(value));
}

/* Returns the member of that name, "" if there is none. */
static inline const char *text_of(struct json_object *in, const char *name)
{
	return json_object_get_string(member_get(in, name)) ?: "";
}

static inline void add_texts(struct strv *words, struct json_object *array)
{
	const char *value;
	size_t i;

	for_each_text(array, i, value)
		strv_add(words, value);
}

static inline struct strv texts(struct json_object *array)
{
	struct strv words = { 0 };

	add_texts(&words, array);
	return words;
}

static inline struct json_object *array_of(const struct strv *words)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < words->n; i++)
		add_text(array, words->word[i]);
	return array;
}

#endif /* MPU_TESTS_CONTAINER_VECTORS_H */
