// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the cases of a file of vectors, one by one, and says which of them the
 * code answers otherwise.
 *
 *	vectors FILE [SUITE...]		all suites, or those named
 *
 * A case wants what stands in its "out"; or, where it has an "error", that the
 * code fails, with that text in its sentence if it is one.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "lib/json_file.h"
#include "tests/container/vectors.h"

static struct vector_suite *known;
static int passed, failed;

void vector_add(struct vector_suite *suite)
{
	suite->next = known;
	known = suite;
}

/* Is the name one of those in a list, which have spaces between them? */
static bool has_name(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (; names; names = strchr(names, ' '), names += !!names)
		if (!strncmp(names, name, len) && strchr(" ", names[len]))
			return true;
	return false;
}

static const struct vector_suite *find_suite(const char *name)
{
	const struct vector_suite *suite = known;

	while (suite && !has_name(suite->names, name))
		suite = suite->next;
	return suite;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(json_object_to_json_string(*(struct json_object *const *)a),
		      json_object_to_json_string(*(struct json_object *const *)b));
}

/* Requirements have no order: the suites that have them say "as sets". */
static void sort_requirements(struct json_object *out)
{
	struct json_object *array = json_object_is_type(out, json_type_object) ?
				    member_get(out, "requirements") : out;

	if (json_object_is_type(array, json_type_array))
		json_object_array_sort(array, compare_texts);
}

static bool is_wanted(struct json_object *vector, int ret, struct json_object *out, const char *why)
{
	struct json_object *error = member_get(vector, "error");
	const char *text = json_object_get_string(error);

	if (!error)
		return !ret && json_object_equal(out, member_get(vector, "out"));
	if (ret >= 0)
		return false;
	/* "panic": what the existing tool does where ours says what is wrong. */
	return !json_object_is_type(error, json_type_string) ||
	       !strcmp(text, "panic") || strstr(why, text);
}

static void run_vector(const struct vector_suite *suite,
		       struct json_object *cases, struct json_object *vector)
{
	struct json_object *out = NULL;
	char why[WHY_SIZE] = "";
	int ret = suite->run(member_get(vector, "in"), cases, &out, why);

	if (strstr(member_text(cases, "checks") ?: "", "as sets")) {
		sort_requirements(out);
		sort_requirements(member_get(vector, "out"));
	}
	if (is_wanted(vector, ret, out, why)) {
		passed++;
	} else {
		failed++;
		printf("not ok %s: %s\n  in:     %s\n  wanted: %s\n",
		       member_text(vector, "id"),
		       member_text(vector, "desc"),
		       json_object_to_json_string(member_get(vector, "in")),
		       json_object_to_json_string(member_get(vector, "error") ?: member_get(vector, "out")));
		printf("  found:  %s\n", ret < 0 ? why : json_object_to_json_string(out));
	}
	json_object_put(out);
}

static void run_suite(struct json_object *cases)
{
	const char *name = member_text(cases, "suite");
	const struct vector_suite *suite = find_suite(name);
	struct json_object *list = member_get(cases, "cases");
	int before = failed;
	size_t i, n = json_object_array_length(list);

	if (!suite) {
		printf("not ok %s: nothing here runs this suite\n", name);
		failed += (int)n;
		return;
	}
	for (i = 0; i < n; i++)
		run_vector(suite, cases, json_object_array_get_idx(list, i));
	if (failed == before)
		printf("ok %s (%zu)\n", name, n);
}

static bool is_named(char **names, const char *name)
{
	char **at;

	for (at = names; *at; at++)
		if (!strcmp(*at, name))
			return true;
	return !*names;
}

int main(int argc, char **argv)
{
	struct json_file file;
	struct json_object *suites;
	char why[WHY_SIZE];
	size_t i;

	if (argc < 2) {
		fprintf(stderr, "vectors: name a file of vectors\n");
		return 2;
	}
	if (json_file_read(argv[1], &file, why)) {
		fprintf(stderr, "vectors: %s\n", why);
		return 2;
	}
	suites = member_get(file.root, "suites");
	for (i = 0; suites && i < json_object_array_length(suites); i++) {
		struct json_object *cases = json_object_array_get_idx(suites, i);

		if (is_named(argv + 2, member_text(cases, "suite")))
			run_suite(cases);
	}
	json_object_put(file.root);
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
