// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mpu doctor finds: see finding.h.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/finding.h"
#include "lib/json.h"

/* Verdicts as they are printed. */
static const char *const verdict_names[] = {
	[FINE] = "ok", [NOTE] = "note", [PROBLEM] = "problem",
};

void finding_add(struct findings *findings, const char *about,
		 enum verdict verdict, const char *todo, const char *fmt, ...)
{
	struct finding *one = &findings->finding[findings->count];
	va_list args;

	assert(findings->count < FINDINGS);
	findings->count++;
	one->verdict = verdict;
	snprintf(one->about, sizeof(one->about), "%s", about);
	snprintf(one->todo, sizeof(one->todo), "%s", todo);
	va_start(args, fmt);
	vsnprintf(one->found, sizeof(one->found), fmt, args);
	va_end(args);
}

bool findings_have(const struct findings *findings, enum verdict verdict)
{
	size_t i;

	for (i = 0; i < findings->count; i++)
		if (findings->finding[i].verdict == verdict)
			return true;
	return false;
}

void findings_print(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const struct finding *one = &findings->finding[i];

		printf("%-8s %s: %s\n         -> %s\n",
		       verdict_names[one->verdict], one->about, one->found,
		       one->todo);
	}
}

void findings_add_json(struct json_object *answer,
		       const struct findings *findings)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const struct finding *one = &findings->finding[i];
		struct json_object *object = json_object_new_object();

		member_add_text(object, "about", one->about);
		member_add_text(object, "verdict", verdict_names[one->verdict]);
		member_add_text(object, "found", one->found);
		member_add_text(object, "do", one->todo);
		json_object_array_add(list, object);
	}
	json_object_object_add(answer, "findings", list);
}
