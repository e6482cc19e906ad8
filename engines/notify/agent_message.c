// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages to mpu agent, and its answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "engines/engines.h"
#include "lib/json.h"

/* Returns the container's id in a containerProcessState, NULL if it does not say. */
const char *agent_container(struct json_object *message)
{
	struct json_object *state = json_object_object_get(message, "state");

	return json_object_is_type(state, json_type_object) ? member_text(state, "id") : NULL;
}

/* A container has a slot for each listener: its own, and one of each exec that stays. */
static int compare_names(const void *a, const void *b)
{
	const struct engine_container *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Makes one container of all that have one name; without a name each stays one. */
static void join_listeners(struct engine_agent *agent)
{
	struct engine_container *all = agent->container, *last = NULL;
	size_t i, n = agent->containers;

	qsort(all, n, sizeof(*all), compare_names);
	agent->containers = 0;
	for (i = 0; i < n; i++) {
		if (last && all[i].name[0] && !strcmp(last->name, all[i].name)) {
			last->calls += all[i].calls;
			last->waiting |= all[i].waiting;
			continue;
		}
		last = &all[agent->containers++];
		*last = all[i];
	}
}

/* Each slot's pages are looked at once: there may be ten thousand. */
static void fill_containers(struct engine_agent *agent,
			    const struct state *state, struct totals *all)
{
	size_t i;

	for (i = 0; i < STATE_SLOTS; i++) {
		const struct slot *slot = &state->slot[i];
		struct engine_container *container = &agent->container[agent->containers];

		if (!state->used[i])
			continue;
		snprintf(container->name, sizeof(container->name), "%s", slot->name);
		container->calls = slot->calls;
		container->waiting = slot->waiting;
		agent->containers++;
		totals_add(all, slot);
	}
	join_listeners(agent);
	for (i = 0; i < agent->containers; i++)
		agent->waiting += agent->container[i].waiting;
}

/* The counters of this engine. */
#define COUNTED	(1u << MPU_TRANSLATED | 1u << MPU_REFUSED | 1u << MPU_FAULT | \
		 1u << MPU_UNREADABLE | 1u << MPU_IMPOSSIBLE | 1u << MPU_OWN | \
		 1u << MPU_SEEN | 1u << MPU_HIDDEN | 1u << MPU_ODD_SIZE)

static void fill_controls(struct engine_status *status, const struct totals *all)
{
	struct engine_control *control;
	unsigned int i, n;

	for (i = 0; i < NOTIFY_CONTROLS; i++) {
		control = engine_status_control(status, notify_control_name(i));
		if (!control)
			return;
		control->counted = COUNTED;
		for (n = 0; n < MPU_COUNTERS; n++)
			control->count[n] = all->count[i][n];
	}
}

/* @answers: the worker has just said that it is there */
struct json_object *agent_describe(const struct state *state, bool answers)
{
	struct json_object *answer = json_object_new_object();
	struct engine_status status = {
		.version = MPU_VERSION, .answered = true, .supervises = true,
		.agent = {
			.pid = getpid(), .worker = state->worker, .worker_answers = answers,
			.restarts = state->restarts, .cpu_percent = state->cpu_percent,
			.refused = state->refused,
			.container = calloc(STATE_SLOTS, sizeof(*status.agent.container)),
		},
	};
	struct totals all = state->gone;

	if (status.agent.container)
		fill_containers(&status.agent, state, &all);
	else
		why_fail(status.error, 0, "the agent has no memory to say how it is doing");
	status.agent.calls = all.calls;
	status.agent.abandoned = all.abandoned;
	fill_controls(&status, &all);
	engine_status_add(answer, &status, true);
	engine_status_free(&status);
	return answer;
}
