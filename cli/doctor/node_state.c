// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mpu doctor says of a node: see node_state.h.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/doctor/node_state.h"
#include "lib/host.h"
#include "lib/json.h"

#define MEMBER(name) \
	{ #name, offsetof(struct node_state, name), \
	  sizeof(((struct node_state *)NULL)->name) }

/* Texts of the state, each a member of its name; null: "". */
static const struct {
	const char *name;
	size_t at;
	size_t size;
} members[] = {
	MEMBER(node), MEMBER(time), MEMBER(mpu), MEMBER(kernel),
	MEMBER(driver), MEMBER(flavour), MEMBER(engine),
};

#define MEMBERS (sizeof(members) / sizeof(*members))

void node_state_now(struct node_state *state)
{
	const char *name = getenv("MPU_NODE");
	time_t now = time(NULL);
	struct tm utc;

	if (name)
		snprintf(state->node, sizeof(state->node), "%s", name);
	else
		host_name(state->node, sizeof(state->node));
	if (gmtime_r(&now, &utc))
		strftime(state->time, sizeof(state->time), "%FT%TZ", &utc);
	snprintf(state->mpu, sizeof(state->mpu), "%s", MPU_VERSION);
	host_release(state->kernel, sizeof(state->kernel));
}

void node_state_add(struct json_object *document, const struct node_state *state)
{
	const char *text;
	size_t i;

	for (i = 0; i < MEMBERS; i++) {
		text = (const char *)state + members[i].at;
		member_add_text(document, members[i].name, *text ? text : NULL);
	}
	findings_add_json(document, &state->findings);
}

/* A member that is a text, or null. */
static int parse_member(struct node_state *state, struct json_object *document,
			size_t i)
{
	char *text = (char *)state + members[i].at;
	struct json_object *value;

	*text = '\0';
	if (!json_object_object_get_ex(document, members[i].name, &value))
		return -EINVAL;
	if (!value)
		return 0;
	if (member_copy_text(text, members[i].size, document, members[i].name))
		return -EINVAL;
	why_clean(text);
	return strpbrk(text, " ?") ? -EINVAL : 0;
}

int node_state_parse(struct node_state *state, struct json_object *document,
		     char why[WHY_SIZE])
{
	size_t i;

	if (!json_object_is_type(document, json_type_object))
		return why_fail(why, -EINVAL, "it is none of mpu doctor's: no object");
	if (member_text(document, "error"))
		return why_fail(why, -EINVAL, "mpu failed there: %.512s",
				member_text(document, "error"));
	for (i = 0; i < MEMBERS; i++)
		if (parse_member(state, document, i))
			return why_fail(why, -EINVAL, "it is none of mpu doctor's: '%s' is missing, or is no word",
					members[i].name);
	if (!state->node[0])
		return why_fail(why, -EINVAL, "it does not say of which node it is: set MPU_NODE where mpu doctor is run");
	return findings_parse(&state->findings, document, why);
}
