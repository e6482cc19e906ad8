// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps and prints the findings of mpu doctor.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/doctor/internal.h"
#include "lib/json.h"
#include "lib/text.h"

const char *const verdict_names[VERDICTS] = {
	[FINE] = "ok", [NOTE] = "note", [PROBLEM] = "problem",
};

#define KIND(name, about, state, verdict) { about, state, verdict },

static const struct {
	const char *about;
	const char *state;
	enum verdict verdict;
} kinds[FINDING_KINDS] = { FINDING_EACH(KIND) };

void finding_add_of(struct findings *findings, enum finding_kind kind,
		    const char *name, const char *todo, const char *fmt, ...)
{
	struct finding *one = &findings->finding[findings->count];
	const char *about = kinds[kind].about;
	int before = (int)strcspn(about, "%");	/* length of the text before the name */
	va_list args;

	assert(findings->count < FINDINGS && !about[before] == !name);
	findings->count++;
	one->verdict = kinds[kind].verdict;
	if (!name)
		name = "";
	snprintf(one->about, sizeof(one->about), "%.*s%s", before, about, name);
	snprintf(one->id, sizeof(one->id), "%.*s%s-%s", before, about, name, kinds[kind].state);
	snprintf(one->todo, sizeof(one->todo), "%s", todo);
	va_start(args, fmt);
	vsnprintf(one->found, sizeof(one->found), fmt, args);
	va_end(args);
	text_clean_lines(one->found);
}

bool findings_have(const struct findings *findings, enum verdict verdict)
{
	size_t i;

	for (i = 0; i < findings->count; i++)
		if (findings->finding[i].verdict == verdict)
			return true;
	return false;
}

void findings_print(const struct findings *findings, bool all, const char *next)
{
	size_t number[VERDICTS] = { 0 }, i;

	for (i = 0; i < findings->count; i++) {
		const struct finding *one = &findings->finding[i];

		if (one->verdict == PROBLEM && !number[PROBLEM])
			next = one->todo;
		number[one->verdict]++;
		if (one->verdict == FINE && !all)
			continue;
		printf("%-8s %s: %s\n", verdict_names[one->verdict], one->about, one->found);
		if (strcmp(one->todo, NOTHING) != 0)
			printf("         -> %s\n", one->todo);
	}
	printf("%zu problem%s, %zu note%s%s%s\n", number[PROBLEM],
	       number[PROBLEM] == 1 ? "" : "s", number[NOTE],
	       number[NOTE] == 1 ? "" : "s", next ? "; next: " : "", next ? next : "");
}

void findings_add_json(struct json_object *answer, const struct findings *findings)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const struct finding *one = &findings->finding[i];
		struct json_object *object = json_object_new_object();

		member_add_text(object, "id", one->id);
		member_add_text(object, "about", one->about);
		member_add_text(object, "verdict", verdict_names[one->verdict]);
		member_add_text(object, "found", one->found);
		member_add_text(object, "do", one->todo);
		json_object_array_add(list, object);
	}
	json_object_object_add(answer, "findings", list);
}
