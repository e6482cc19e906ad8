// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is said to mpu agent, and what it answers.
 */
#include <string.h>
#include <unistd.h>

#include "cli/agent.h"
#include "cli/cli.h"
#include "engines/notify/state.h"

int agent_listener(struct json_object *message, size_t fds, const char **name)
{
	struct json_object *list = json_object_object_get(message, "fds");
	struct json_object *state = json_object_object_get(message, "state");
	size_t i, n;

	if (!json_object_is_type(list, json_type_array))
		return -1;
	*name = json_object_is_type(state, json_type_object) ?
		json_text(state, "id") : NULL;
	if (!*name)
		*name = "unnamed";
	n = json_object_array_length(list);
	for (i = 0; i < n && i < fds; i++) {
		const char *one = json_object_get_string(
				json_object_array_get_idx(list, i));

		/* OCI runtime specification, seccomp state. */
		if (one && !strcmp(one, "seccompFd"))
			return (int)i;
	}
	return -1;
}

/* Of one control, over all slots; @any: it was asked at all. */
static struct json_object *describe_control(const struct state *state,
					    unsigned int control, bool *any)
{
	struct json_object *one = json_object_new_object();
	int counter, i;

	for (counter = 0; counter < NOTIFY_COUNTERS; counter++) {
		u64 sum = state->gone[control][counter];

		for (i = 0; i < STATE_SLOTS; i++)
			if (state->used[i])
				sum += state->slot[i].count[control][counter];
		json_add_number(one, notify_counter_names[counter],
				(int64_t)sum);
		*any |= sum != 0;
	}
	return one;
}

static struct json_object *describe_containers(const struct state *state,
					       u64 *calls)
{
	struct json_object *list = json_object_new_array();
	int i;

	for (i = 0; i < STATE_SLOTS; i++) {
		const struct slot *slot = &state->slot[i];
		struct json_object *one;

		if (!state->used[i])
			continue;
		one = json_object_new_object();
		json_add(one, "name", slot->name);
		json_add_number(one, "calls", (int64_t)slot->calls);
		json_object_array_add(list, one);
		*calls += slot->calls;
	}
	return list;
}

struct json_object *agent_describe(const struct state *state)
{
	struct json_object *answer = json_object_new_object();
	struct json_object *controls = json_object_new_object();
	u64 calls = state->gone_calls;
	unsigned int control;

	json_add(answer, "version", MPU_VERSION);
	json_add_number(answer, "pid", getpid());
	json_add_number(answer, "worker", state->worker);
	json_add_number(answer, "restarts", (int64_t)state->restarts);
	json_object_object_add(answer, "strict",
			       json_object_new_boolean(state->strict));
	json_object_object_add(answer, "containers",
			       describe_containers(state, &calls));
	json_add_number(answer, "calls", (int64_t)calls);
	json_object_object_add(answer, "controls", controls);
	for (control = 0; control < NOTIFY_CONTROLS; control++) {
		bool any = false;
		struct json_object *one = describe_control(state, control,
							   &any);

		if (any)
			json_object_object_add(controls,
					       notify_control_name(control), one);
		else
			json_object_put(one);
	}
	return answer;
}
