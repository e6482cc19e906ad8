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

/* Over all slots, those that are free again, too. */
struct sums {
	u64 calls, abandoned, waiting;
	u64 count[NOTIFY_CONTROLS][NOTIFY_COUNTERS];
};

/* Each slot's pages are looked at once: there may be ten thousand. */
static void add_slot(struct sums *sums, const struct slot *slot)
{
	int control, counter;

	sums->calls += slot->calls;
	sums->abandoned += slot->abandoned;
	sums->waiting += slot->waiting;
	for (control = 0; control < NOTIFY_CONTROLS; control++)
		for (counter = 0; counter < NOTIFY_COUNTERS; counter++)
			sums->count[control][counter] +=
				slot->count[control][counter];
}

static struct json_object *describe_container(const struct slot *slot)
{
	struct json_object *one = json_object_new_object();

	json_add(one, "name", slot->name);
	json_add_number(one, "calls", (int64_t)slot->calls);
	if (slot->waiting)
		json_object_object_add(one, "waiting",
				       json_object_new_boolean(true));
	return one;
}

static struct json_object *describe_containers(const struct state *state,
					       struct sums *sums)
{
	struct json_object *list = json_object_new_array();
	int i;

	for (i = 0; i < STATE_SLOTS; i++) {
		if (!state->used[i])
			continue;
		json_object_array_add(list,
				      describe_container(&state->slot[i]));
		add_slot(sums, &state->slot[i]);
	}
	return list;
}

/* Those that were asked at all. */
static struct json_object *describe_controls(const struct sums *sums)
{
	struct json_object *controls = json_object_new_object();
	unsigned int control, counter;

	for (control = 0; control < NOTIFY_CONTROLS; control++) {
		struct json_object *one = json_object_new_object();
		u64 any = 0;

		for (counter = 0; counter < NOTIFY_COUNTERS; counter++) {
			u64 n = sums->count[control][counter];

			json_add_number(one, notify_counter_names[counter],
					(int64_t)n);
			any |= n;
		}
		if (any)
			json_object_object_add(controls,
					       notify_control_name(control),
					       one);
		else
			json_object_put(one);
	}
	return controls;
}

struct json_object *agent_describe(const struct state *state, bool answers)
{
	struct json_object *answer = json_object_new_object();
	struct sums sums = { .calls = state->gone_calls,
			     .abandoned = state->gone_abandoned };

	memcpy(sums.count, (const void *)state->gone, sizeof(sums.count));
	json_add(answer, "version", MPU_VERSION);
	json_add_number(answer, "pid", getpid());
	json_add_number(answer, "worker", state->worker);
	json_object_object_add(answer, "worker_answers",
			       json_object_new_boolean(answers));
	json_add_number(answer, "restarts", (int64_t)state->restarts);
	json_add_number(answer, "cpu_percent", state->cpu_percent);
	json_object_object_add(answer, "containers",
			       describe_containers(state, &sums));
	json_add_number(answer, "calls", (int64_t)sums.calls);
	json_add_number(answer, "waiting", (int64_t)sums.waiting);
	json_add_number(answer, "abandoned", (int64_t)sums.abandoned);
	json_object_object_add(answer, "controls", describe_controls(&sums));
	return answer;
}
