// SPDX-License-Identifier: GPL-2.0-only
/*
 * An engine's status: one table of its fields, by which it becomes JSON, a status again,
 * words and metrics. The agent of engine notify uses the same JSON towards mpu as mpu
 * towards the user.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/regimes.h"
#include "engines/engines.h"
#include "lib/exposition.h"
#include "lib/json.h"
#include "lib/text.h"

const char *const engine_arguments_names[] = {
	[ENGINE_ARGUMENTS_NONE] = "none",
	[ENGINE_ARGUMENTS_DRIVER] = "driver",
	[ENGINE_ARGUMENTS_CALLER] = "caller", NULL
};

const char *const engine_odd_size_names[] = {
	[ENGINE_ODD_SIZE_REFUSE] = "refuse",
	[ENGINE_ODD_SIZE_PASS] = "pass", NULL
};

/**
 * struct field - a field of the status
 * @name:	in JSON. An agent and mpu of other versions than each other know it by that
 * @null:	it is null in JSON where it is not there; else it is left out
 * @text:	format of its value in words; NULL: it is not said alone
 * @metric:	NULL: it is none. Ends in _total if it only grows
 */
struct field {
	const char *name;
	size_t at;	/* offset in struct engine_status */
	enum {
		TEXT,		/* char[] */
		WORD,		/* an enum */
		NUMBER,		/* uint64_t */
		PROCESS,	/* pid_t; its metric says whether there is one */
		TRUTH,		/* bool */
		CONTAINERS,	/* size_t */
	} type;
	const char *const *names;	/* names of a WORD */
	size_t there;	/* offset of the bool that says whether there is such a field; 0: always */
	bool null;
	const char *text;
	bool rare;		/* a zero is not said */
	const char *metric;
	const char *help;
};

#define AT(member)	offsetof(struct engine_status, member)
#define FIELD(json, member, kind, ...) \
	{ .name = json, .at = AT(member), .type = kind, __VA_ARGS__ }

static const struct field place_fields[] = {
	FIELD("driver", place.driver, TEXT),
	FIELD("driver_version", place.driver_version, TEXT),
	FIELD("hook", place.hook, TEXT, .text = "%s"),
	FIELD("arguments", place.arguments, WORD, .names = engine_arguments_names,
	      .text = "from the %s"),
	FIELD("unknown", place.odd_size, WORD, .names = engine_odd_size_names),
	FIELD("calls", place.in_flight, NUMBER, .there = AT(place.has_counters), .null = true,
	      .text = "%s in flight", .metric = "mpu_engine_calls_in_flight",
	      .help = "Calls that the engine is handling."),
	FIELD("missed", place.missed, NUMBER, .there = AT(place.has_daemon), .rare = true,
	      .text = "%s calls, whose answers were not translated",
	      .metric = "mpu_engine_missed_calls_total",
	      .help = "Calls whose answers were not translated."),
	FIELD("daemon", place.daemon, PROCESS, .there = AT(place.has_daemon),
	      .metric = "mpu_engine_daemon_up",
	      .help = "0: the daemon has ended, so nothing follows a driver that is loaded now."),
	{ .name = NULL }
};

static const struct field agent_fields[] = {
	FIELD("pid", agent.pid, PROCESS),
	FIELD("worker", agent.worker, PROCESS),
	FIELD("worker_answers", agent.worker_answers, TRUTH, .metric = "mpu_agent_worker_up",
	      .help = "1: the agent's worker answers; 0: calls of containers wait."),
	FIELD("restarts", agent.restarts, NUMBER, .metric = "mpu_agent_worker_restarts_total",
	      .help = "Workers of the agent that have died."),
	FIELD("cpu_percent", agent.cpu_percent, NUMBER),
	FIELD("calls", agent.calls, NUMBER, .text = "%s looked at",
	      .metric = "mpu_agent_calls_total",
	      .help = "Calls of containers that the agent has looked at."),
	FIELD("abandoned", agent.abandoned, NUMBER, .rare = true,
	      .text = "%s calls that had killed two workers, refused",
	      .metric = "mpu_agent_abandoned_calls_total",
	      .help = "Calls refused because two workers had died of them."),
	FIELD("refused", agent.refused, NUMBER, .rare = true,
	      .text = "%s containers or commands in one, whose GPU calls fail",
	      .metric = "mpu_agent_refused_total",
	      .help = "Containers and commands in one that are not supervised: there are too many."),
	FIELD("containers", agent.containers, CONTAINERS, .metric = "mpu_agent_containers",
	      .help = "Containers that the agent supervises."),
	FIELD("waiting", agent.waiting, NUMBER, .rare = true,
	      .text = "%s containers, for the agent to have memory, threads or descriptors",
	      .metric = "mpu_agent_waiting_containers",
	      .help = "Containers that no thread could be started for: their calls wait."),
	{ .name = NULL }
};

static const struct field *fields_of(const struct engine_status *status)
{
	return status->supervises ? agent_fields : place_fields;
}

static bool is_there(const struct field *field, const struct engine_status *status)
{
	return !field->there || *(const bool *)((const char *)status + field->there);
}

static uint64_t number_of(const struct field *field, const struct engine_status *status)
{
	const void *at = (const char *)status + field->at;

	return field->type == TRUTH ? *(const bool *)at :
	       field->type == PROCESS ? (uint64_t)*(const pid_t *)at :
	       field->type == CONTAINERS ? *(const size_t *)at : *(const uint64_t *)at;
}

/* Returns NULL for a value that is not known. */
static const char *word_of(const struct field *field, const struct engine_status *status)
{
	const void *at = (const char *)status + field->at;

	if (field->type == WORD)
		return field->names[*(const unsigned int *)at];
	return *(const char *)at ? at : NULL;
}

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

struct engine_control *engine_status_control(struct engine_status *status, const char *name)
{
	struct engine_control *control;

	if (status->controls == ENGINE_CONTROLS)
		return NULL;
	control = &status->control[status->controls++];
	*control = (struct engine_control){ 0 };
	snprintf(control->name, sizeof(control->name), "%s", name);
	return control;
}

bool engine_control_shows(const struct engine_control *control, enum mpu_counter counter, bool all)
{
	return control->counted & 1u << counter && (all || control->count[counter]);
}

/* --- as JSON --- */

static void add_controls(struct json_object *object, const struct engine_status *status, bool all)
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

static void add_pid_space(struct json_object *object, const struct engine_status *status)
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

static struct json_object *describe_containers(const struct engine_agent *agent)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < agent->containers; i++) {
		const struct engine_container *container = &agent->container[i];
		struct json_object *one = json_object_new_object();

		member_add_text(one, "name", container->name);
		if (container->known_as[0])
			member_add_text(one, "container", container->known_as);
		member_add_number(one, "calls", (int64_t)container->calls);
		if (container->waiting)
			member_add_bool(one, "waiting", true);
		json_object_array_add(list, one);
	}
	return list;
}

static void add_field(struct json_object *object, const struct engine_status *status,
		      const struct field *field)
{
	if (!is_there(field, status)) {
		if (field->null)
			member_add_text(object, field->name, NULL);
		return;
	}
	switch (field->type) {
	case TEXT:
	case WORD:
		member_add_text(object, field->name, word_of(field, status));
		break;
	case TRUTH:
		member_add_bool(object, field->name, number_of(field, status));
		break;
	case CONTAINERS:
		json_object_object_add(object, field->name, describe_containers(&status->agent));
		break;
	default:
		member_add_number(object, field->name, (int64_t)number_of(field, status));
	}
}

void engine_status_add(struct json_object *object, const struct engine_status *status, bool all)
{
	const struct field *field;

	if (status->error[0])
		member_add_text(object, "error", status->error);
	member_add_text(object, "version", status->version);
	if (!status->answered)
		return;
	for (field = fields_of(status); field->name; field++)
		add_field(object, status, field);
	add_controls(object, status, all);
	if (status->place.has_pid_space)
		add_pid_space(object, status);
}

/* --- and back --- */

static void copy_text(char *text, size_t size, struct json_object *object, const char *key)
{
	const char *value = member_text(object, key);

	text_copy(text, size, value ? value : "", value ? strlen(value) : 0);
}

static int parse_containers(struct engine_agent *agent, struct json_object *list)
{
	size_t i, n = array_length(list);

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

static void parse_control(struct engine_control *control, struct json_object *counts)
{
	struct json_object *count;
	unsigned int n;

	for (n = 0; n < MPU_COUNTERS; n++) {
		if (!json_object_object_get_ex(counts, mpu_counter_names[n], &count))
			continue;
		control->counted |= 1u << n;
		control->count[n] = (uint64_t)json_object_get_int64(count);
	}
}

static void parse_controls(struct engine_status *status, struct json_object *list)
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

int engine_status_parse(struct engine_status *status, struct json_object *object)
{
	const struct field *field;

	copy_text(status->error, sizeof(status->error), object, "error");
	copy_text(status->version, sizeof(status->version), object, "version");
	status->answered = true;
	status->supervises = true;
	for (field = agent_fields; field->name; field++) {
		void *at = (char *)status + field->at;

		if (field->type == NUMBER)
			*(uint64_t *)at = (uint64_t)member_number(object, field->name);
		else if (field->type == PROCESS)
			*(pid_t *)at = (pid_t)member_number(object, field->name);
		else if (field->type == TRUTH)
			*(bool *)at = member_is_true(object, field->name);
	}
	parse_controls(status, json_object_object_get(object, "controls"));
	return parse_containers(&status->agent, json_object_object_get(object, "containers"));
}

/* --- in words --- */

bool engine_status_text(const struct engine_status *status, const char *name, char text[WHY_SIZE])
{
	const struct field *field = fields_of(status);
	char value[64];

	while (strcmp(field->name, name))
		field++;
	if (field->type == TEXT || field->type == WORD)
		snprintf(value, sizeof(value), "%s", word_of(field, status) ?: "none");
	else if (!is_there(field, status) || (field->rare && !number_of(field, status)))
		return false;
	else
		snprintf(value, sizeof(value), "%" PRIu64, number_of(field, status));
	snprintf(text, WHY_SIZE, strcmp(value, "none") ? field->text : "%s", value);
	return true;
}

/* --- as metrics --- */

/* Two counters count PIDs; all others count calls, by how they ended. */
#define PIDS		(1u << MPU_SEEN)
#define HIDDEN_PIDS	(1u << MPU_HIDDEN)

/* Adds which engine is up: a series for each that this build has. */
static void add_up(struct exposition *e, const struct engine *engine,
		   const struct engine_status *status)
{
	size_t i;

	exposition_family(e, "mpu_engine_up", "gauge",
			  "1: the engine is up and translates, or waits for a driver.");
	for (i = 0; engines[i]; i++) {
		const struct exposition_label label = { "engine", engines[i]->name };

		exposition_labels(e, &label, 1);
		exposition_sample(e, engines[i] == engine && !status->place.off[0]);
	}
}

static void add_info(struct exposition *e, const struct engine *engine,
		     const struct engine_status *status)
{
	const struct exposition_label label[] = {
		{ "engine", engine->name },
		{ "version", status->version },
		{ "hook", status->place.hook },
	};

	exposition_family(e, "mpu_engine_info", "gauge",
			  "What the engine that is up is; always 1.");
	exposition_labels(e, label, 3);
	exposition_sample(e, 1);
}

static void add_fields(struct exposition *e, const struct engine_status *status)
{
	const struct field *field;
	uint64_t value;

	for (field = fields_of(status); field->name; field++) {
		if (!field->metric || !is_there(field, status))
			continue;
		value = number_of(field, status);
		exposition_one(e, field->metric,
			       strstr(field->metric, "_total") ? "counter" : "gauge",
			       field->help, field->type == PROCESS ? value != 0 : value, 0);
	}
}

/* @counters: a set of 1 << enum mpu_counter; several are told apart by their label */
static void add_counters(struct exposition *e, const struct engine_status *status,
			 uint32_t counters, const char *name, const char *help)
{
	bool several = counters & (counters - 1);
	unsigned int i, n;

	exposition_family(e, name, "counter", help);
	for (i = 0; i < status->controls; i++) {
		const struct engine_control *control = &status->control[i];
		const struct exposition_label label = { "control", control->name };

		exposition_labels(e, &label, 1);
		for (n = 0; n < MPU_COUNTERS; n++)
			if (!(counters & control->counted & 1u << n))
				continue;
			else if (several)
				exposition_sample_of(e, "result", mpu_counter_names[n],
						     control->count[n], 0);
			else
				exposition_sample(e, control->count[n]);
	}
}

void engine_add_agent_metrics(struct exposition *e, const struct engine_status *status)
{
	if (status->answered)
		add_fields(e, status);
}

void engine_add_metrics(struct exposition *e, const struct engine *engine,
			const struct engine_status *status)
{
	add_up(e, engine, status);
	if (!engine)
		return;
	add_info(e, engine, status);
	exposition_one(e, "mpu_engine_failed", "gauge",
		       "1: something is wrong with the engine, and mpu status says what.",
		       status->error[0] != '\0', 0);
	if (!status->answered)
		return;
	add_fields(e, status);
	add_counters(e, status, ~(PIDS | HIDDEN_PIDS), "mpu_engine_calls_total",
		     "Calls of containers about PIDs, by what became of them.");
	add_counters(e, status, PIDS, "mpu_engine_pids_total",
		     "PIDs met in the answers that were translated.");
	add_counters(e, status, HIDDEN_PIDS, "mpu_engine_hidden_pids_total",
		     "PIDs of these not shown to the container: of processes of others.");
}
