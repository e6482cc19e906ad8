// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mpu doctor finds: see finding.h.
 */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/doctor/finding.h"
#include "lib/json.h"

const char *const verdict_names[VERDICTS] = {
	[FINE] = "ok", [NOTE] = "note", [PROBLEM] = "problem",
};

/* Names of members. */
#define FINDINGS_MEMBER	"findings"
#define ID		"id"
#define ABOUT		"about"
#define VERDICT		"verdict"
#define FOUND		"found"
#define TODO		"do"

#define KIND(name, about, state, verdict) { about, state, verdict },

static const struct {
	const char *about;
	const char *state;
	enum verdict verdict;
} kinds[FINDING_KINDS] = { FINDING_EACH(KIND) };

static void add(struct findings *findings, enum finding_kind kind,
		const char *name, const char *todo, const char *fmt, va_list args)
{
	struct finding *one = &findings->finding[findings->count];
	const char *about = kinds[kind].about;
	int before = (int)strcspn(about, "%");	/* where the name stands */

	assert(findings->count < FINDINGS && !about[before] == !name);
	findings->count++;
	one->verdict = kinds[kind].verdict;
	if (!name)
		name = "";
	snprintf(one->about, sizeof(one->about), "%.*s%s", before, about, name);
	snprintf(one->id, sizeof(one->id), "%.*s%s-%s", before, about, name,
		 kinds[kind].state);
	snprintf(one->todo, sizeof(one->todo), "%s", todo);
	vsnprintf(one->found, sizeof(one->found), fmt, args);
}

void finding_add(struct findings *findings, enum finding_kind kind,
		 const char *todo, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(findings, kind, NULL, todo, fmt, args);
	va_end(args);
}

void finding_add_of(struct findings *findings, enum finding_kind kind,
		    const char *name, const char *todo, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(findings, kind, name, todo, fmt, args);
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

		member_add_text(object, ID, one->id);
		member_add_text(object, ABOUT, one->about);
		member_add_text(object, VERDICT, verdict_names[one->verdict]);
		member_add_text(object, FOUND, one->found);
		member_add_text(object, TODO, one->todo);
		json_object_array_add(list, object);
	}
	json_object_object_add(answer, FINDINGS_MEMBER, list);
}

static int parse_finding(struct finding *one, struct json_object *object)
{
	char verdict[16];

	if (!json_object_is_type(object, json_type_object) ||
	    member_copy_text(one->id, sizeof(one->id), object, ID) ||
	    member_copy_text(one->about, sizeof(one->about), object, ABOUT) ||
	    member_copy_text(one->found, sizeof(one->found), object, FOUND) ||
	    member_copy_text(one->todo, sizeof(one->todo), object, TODO) ||
	    member_copy_text(verdict, sizeof(verdict), object, VERDICT))
		return -EINVAL;
	for (one->verdict = FINE; one->verdict < VERDICTS; one->verdict++)
		if (!strcmp(verdict, verdict_names[one->verdict]))
			return 0;
	return -EINVAL;
}

int findings_parse(struct findings *findings, struct json_object *answer,
		   char why[WHY_SIZE])
{
	struct json_object *list = member_get(answer, FINDINGS_MEMBER);
	size_t i, n;
	int ret = 0;

	if (!json_object_is_type(list, json_type_array))
		return why_fail(why, -EINVAL, "it has no findings: it is none of mpu doctor's");
	n = json_object_array_length(list);
	if (n > FINDINGS)
		return why_fail(why, -EINVAL, "it has %zu findings: %d are read",
				n, FINDINGS);
	for (i = 0; !ret && i < n; i++)
		ret = parse_finding(&findings->finding[i],
				    json_object_array_get_idx(list, i));
	findings->count = n;
	return ret ? why_fail(why, ret, "finding %zu is none of mpu doctor's", i) : 0;
}
