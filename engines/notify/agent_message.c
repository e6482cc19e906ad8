// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is said to mpu agent, and what it answers.
 */
#include <string.h>
#include <unistd.h>

#include "engines/notify/agent_message.h"
#include "engines/notify/state.h"
#include "lib/json.h"

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
	struct totals all;
	int waiting;
};

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

	/* Each slot's pages are looked at once: there may be ten thousand. */
	for (i = 0; i < STATE_SLOTS; i++) {
		if (!state->used[i])
			continue;
		json_object_array_add(list,
				      describe_container(&state->slot[i]));
		totals_add(&sums->all, &state->slot[i]);
		sums->waiting += state->slot[i].waiting;
	}
	return list;
}

/* What calls are counted as, in the order that status shows. */
static const enum mpu_counter counted[] = {
	MPU_TRANSLATED, MPU_REFUSED, MPU_FAULT, MPU_UNREADABLE, MPU_IMPOSSIBLE,
	MPU_OWN, MPU_SEEN, MPU_HIDDEN, MPU_ODD_SIZE,
};

/* Those that were asked at all. */
static struct json_object *describe_controls(const struct totals *all)
{
	struct json_object *controls = json_object_new_object();
	unsigned int control, i;

	for (control = 0; control < NOTIFY_CONTROLS; control++) {
		struct json_object *one = json_object_new_object();
		u64 any = 0;

		for (i = 0; i < sizeof(counted) / sizeof(*counted); i++) {
			u64 n = all->count[control][counted[i]];

			json_add_number(one, mpu_counter_names[counted[i]],
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
	struct sums sums = { .all = state->gone };

	json_add(answer, "version", MPU_VERSION);
	json_add_number(answer, "pid", getpid());
	json_add_number(answer, "worker", state->worker);
	json_object_object_add(answer, "worker_answers",
			       json_object_new_boolean(answers));
	json_add_number(answer, "restarts", (int64_t)state->restarts);
	json_add_number(answer, "cpu_percent", state->cpu_percent);
	json_object_object_add(answer, "containers",
			       describe_containers(state, &sums));
	json_add_number(answer, "calls", (int64_t)sums.all.calls);
	json_add_number(answer, "waiting", sums.waiting);
	json_add_number(answer, "abandoned", (int64_t)sums.all.abandoned);
	json_object_object_add(answer, "controls", describe_controls(&sums.all));
	return answer;
}
