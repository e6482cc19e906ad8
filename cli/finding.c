// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mpu doctor finds: see finding.h.
 */
#include <stdarg.h>
#include <stdio.h>

#include "cli/finding.h"
#include "lib/json.h"

const char *const verdict_names[] = {
	[FINE] = "ok", [NOTE] = "note", [PROBLEM] = "problem",
};

void finding_add(struct json_object *list, const char *about,
		 enum verdict verdict, const char *todo, const char *fmt, ...)
{
	struct json_object *one = json_object_new_object();
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	json_add(one, "about", about);
	json_add(one, "verdict", verdict_names[verdict]);
	json_add(one, "found", text);
	json_add(one, "do", todo);
	json_object_array_add(list, one);
}
