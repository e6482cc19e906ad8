// SPDX-License-Identifier: GPL-2.0-only
/*
 * An engine's status as JSON: see status.h. The agent of engine notify uses the same
 * words towards mpu as mpu towards the user.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/regimes.h"
#include "engines/status.h"
#include "lib/json.h"

const char *const engine_arguments_names[] = {
	[ENGINE_ARGUMENTS_NONE] = "none",
	[ENGINE_ARGUMENTS_DRIVER] = "driver",
	[ENGINE_ARGUMENTS_CALLER] = "caller", NULL
};

const char *const engine_odd_size_names[] = {
	[ENGINE_ODD_SIZE_REFUSE] = "refuse",
	[ENGINE_ODD_SIZE_PASS] = "pass", NULL
};

unsigned int engine_name_index(const char *const names[], const char *name)
{
	unsigned int i;

	for (i = 1; names[i]; i++)
		if (!strcmp(names[i], name))
			return i;
	return 0;
}

void engine_status(const struct engine *engine, struct engine_status *status)
{
	memset(status, 0, sizeof(*status));
	engine->status(status);
}

void engine_status_free(struct engine_status *status)
{
	free(status->agent.container);
	status->agent.container = NULL;
	status->agent.containers = 0;
}

struct engine_control *engine_status_control(struct engine_status *status,
					     const char *name)
{
	struct engine_control *control;

	if (status->controls == ENGINE_CONTROLS)
		return NULL;
	control = &status->control[status->controls++];
	*control = (struct engine_control){ 0 };
	snprintf(control->name, sizeof(control->name), "%s", name);
	return control;
}

bool engine_control_shows(const struct engine_control *control,
			  enum mpu_counter counter, bool all)
{
	return control->counted & 1u << counter &&
	       (all || control->count[counter]);
}

static void add_controls(struct json_object *object,
			 const struct engine_status *status, bool all)
{
	struct json_object *list = json_object_new_object();
	unsigned int i, n;

	for (i = 0; i < status->controls; i++) {
		const struct engine_control *control = &status->control[i];
		struct json_object *one = json_object_new_object();

		for (n = 0; n < MPU_COUNTERS; n++)
			if (engine_control_shows(control, n, all))
				member_add_number(one, mpu_counter_names[n],
						  (int64_t)control->count[n]);
		if (json_object_object_length(one))
			json_object_object_add(list, control->name, one);
		else
			json_object_put(one);
	}
	json_object_object_add(object, "controls", list);
}

/* Adds whose PIDs the driver is taken to use now. */
static void add_pid_space(struct json_object *object,
			  const struct engine_status *status)
{
	struct json_object *list = json_object_new_object();
	unsigned int i;

	for (i = 0; i < status->controls; i++) {
		const struct engine_control *control = &status->control[i];
		struct json_object *one = json_object_new_object();

		member_add_text(one, "pid_space", mpu_pid_space_names[control->pid_space]);
		member_add_bool(one, "measured", control->measured);
		json_object_object_add(list, control->name, one);
	}
	json_object_object_add(object, "pid_space", list);
}

static void add_place(struct json_object *object,
		      const struct engine_status *status, bool all)
{
	const struct engine_place *place = &status->place;

	member_add_text(object, "driver", place->driver[0] ? place->driver : NULL);
	member_add_text(object, "driver_version",
			place->driver_version[0] ? place->driver_version : NULL);
	member_add_text(object, "hook", place->hook[0] ? place->hook : NULL);
	member_add_text(object, "arguments", engine_arguments_names[place->arguments]);
	member_add_text(object, "unknown", engine_odd_size_names[place->odd_size]);
	if (place->has_daemon)
		member_add_number(object, "daemon", place->daemon);
	if (place->has_counters)
		member_add_number(object, "calls", (int64_t)place->in_flight);
	else
		member_add_text(object, "calls", NULL);
	if (place->has_daemon)
		member_add_number(object, "missed", (int64_t)place->missed);
	add_controls(object, status, all);
	if (place->has_pid_space)
		add_pid_space(object, status);
}

static struct json_object *describe_container(const struct engine_container *container)
{
	struct json_object *one = json_object_new_object();

	member_add_text(one, "name", container->name);
	if (container->known_as[0])
		member_add_text(one, "container", container->known_as);
	member_add_number(one, "calls", (int64_t)container->calls);
	if (container->waiting)
		member_add_bool(one, "waiting", true);
	return one;
}

static void add_agent(struct json_object *object,
		      const struct engine_status *status, bool all)
{
	const struct engine_agent *agent = &status->agent;
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < agent->containers; i++)
		json_object_array_add(list,
				      describe_container(&agent->container[i]));
	member_add_number(object, "pid", agent->pid);
	member_add_number(object, "worker", agent->worker);
	member_add_bool(object, "worker_answers", agent->worker_answers);
	member_add_number(object, "restarts", (int64_t)agent->restarts);
	member_add_number(object, "cpu_percent", agent->cpu_percent);
	json_object_object_add(object, "containers", list);
	member_add_number(object, "calls", (int64_t)agent->calls);
	member_add_number(object, "waiting", (int64_t)agent->waiting);
	member_add_number(object, "abandoned", (int64_t)agent->abandoned);
	add_controls(object, status, all);
}

void engine_status_add(struct json_object *object,
		       const struct engine_status *status, bool all)
{
	if (status->error[0])
		member_add_text(object, "error", status->error);
	member_add_text(object, "version", status->version);
	if (!status->answered)
		return;
	if (status->supervises)
		add_agent(object, status, all);
	else
		add_place(object, status, all);
}

/* --- and back --- */

static void copy_text(char *text, size_t size, struct json_object *object,
		      const char *key)
{
	const char *value = member_text(object, key);

	snprintf(text, size, "%s", value ? value : "");
}

static int parse_containers(struct engine_agent *agent,
			    struct json_object *list)
{
	size_t i, n = json_object_is_type(list, json_type_array) ?
		      json_object_array_length(list) : 0;

	agent->container = n ? calloc(n, sizeof(*agent->container)) : NULL;
	if (n && !agent->container)
		return -ENOMEM;
	agent->containers = n;
	for (i = 0; i < n; i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		struct engine_container *container = &agent->container[i];

		copy_text(container->name, sizeof(container->name), one, "name");
		container->calls = (uint64_t)member_number(one, "calls");
		container->waiting = member_is_true(one, "waiting");
	}
	return 0;
}

static void parse_control(struct engine_control *control,
			  struct json_object *counts)
{
	struct json_object *count;
	unsigned int n;

	for (n = 0; n < MPU_COUNTERS; n++) {
		if (!json_object_object_get_ex(counts, mpu_counter_names[n],
					       &count))
			continue;
		control->counted |= 1u << n;
		control->count[n] = (uint64_t)json_object_get_int64(count);
	}
}

static void parse_controls(struct engine_status *status,
			   struct json_object *list)
{
	struct engine_control *control;

	if (!json_object_is_type(list, json_type_object))
		return;
	json_object_object_foreach(list, name, counts) {
		control = engine_status_control(status, name);
		if (control)
			parse_control(control, counts);
	}
}

int engine_status_parse(struct engine_status *status,
			struct json_object *object)
{
	struct engine_agent *agent = &status->agent;

	copy_text(status->error, sizeof(status->error), object, "error");
	copy_text(status->version, sizeof(status->version), object, "version");
	status->answered = true;
	status->supervises = true;
	agent->pid = (pid_t)member_number(object, "pid");
	agent->worker = (pid_t)member_number(object, "worker");
	agent->worker_answers = member_is_true(object, "worker_answers");
	agent->restarts = (uint64_t)member_number(object, "restarts");
	agent->cpu_percent = (unsigned int)member_number(object, "cpu_percent");
	agent->calls = (uint64_t)member_number(object, "calls");
	agent->waiting = (uint64_t)member_number(object, "waiting");
	agent->abandoned = (uint64_t)member_number(object, "abandoned");
	parse_controls(status, json_object_object_get(object, "controls"));
	return parse_containers(agent, json_object_object_get(object,
							      "containers"));
}
