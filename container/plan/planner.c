// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps that the parts of plan_edits() share: adding an edit with its reason.
 */
#include <stdarg.h>
#include <stdio.h>

#include "container/plan/planner.h"

char *planner_text(struct planner *planner, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0) {
		text = NULL;
		planner->failed = true;
	}
	va_end(args);
	return text;
}

void planner_add(struct planner *planner, struct edit *edit, const char *input,
		 const char *rule, ...)
{
	va_list args;

	va_start(args, rule);
	if (vasprintf(&edit->rule, rule, args) < 0) {
		edit->rule = NULL;
		planner->failed = true;
	}
	va_end(args);
	edit->input = planner_text(planner, "%s", input ? input : "");
	edits_add(planner->edits, edit);
}

void planner_lack(struct planner *planner, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (strv_add_arguments(&planner->edits->lacks, fmt, args))
		planner->failed = true;
	va_end(args);
}

size_t planner_index(const struct planner *planner, const struct gpu *gpu)
{
	return (size_t)(gpu - planner->plan->installation->devices.gpus);
}
