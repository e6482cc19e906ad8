// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes metrics of an engine's status: see metrics.h.
 */
#include "engines/metrics.h"

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

/* Adds the counters: two count PIDs; all others count calls, by how they ended. */
static void add_calls(struct exposition *e, const struct engine_status *status)
{
	unsigned int i, n;

	exposition_family(e, "mpu_engine_calls_total", "counter",
			  "Calls of containers about PIDs, by what became of them.");
	for (i = 0; i < status->controls; i++) {
		const struct engine_control *control = &status->control[i];
		const struct exposition_label label = { "control", control->name };

		exposition_labels(e, &label, 1);
		for (n = 0; n < MPU_COUNTERS; n++)
			if (n != MPU_SEEN && n != MPU_HIDDEN &&
			    engine_control_shows(control, n, true))
				exposition_sample_of(e, "result", mpu_counter_names[n],
						     control->count[n], 0);
	}
}

static void add_pids(struct exposition *e, const struct engine_status *status,
		     enum mpu_counter counter, const char *name, const char *help)
{
	unsigned int i;

	exposition_family(e, name, "counter", help);
	for (i = 0; i < status->controls; i++) {
		const struct engine_control *control = &status->control[i];
		const struct exposition_label label = { "control", control->name };

		exposition_labels(e, &label, 1);
		if (engine_control_shows(control, counter, true))
			exposition_sample(e, control->count[counter]);
	}
}

static void add_place(struct exposition *e, const struct engine_place *place)
{
	if (place->has_counters)
		exposition_one(e, "mpu_engine_calls_in_flight", "gauge",
			       "Calls that the engine is handling.",
			       place->in_flight, 0);
	if (!place->has_daemon)
		return;
	exposition_one(e, "mpu_engine_missed_calls_total", "counter",
		       "Calls whose answers were not translated.", place->missed, 0);
	exposition_one(e, "mpu_engine_daemon_up", "gauge",
		       "0: the daemon has ended, so nothing follows a driver that is loaded now.",
		       place->daemon != 0, 0);
}

void engine_add_agent_metrics(struct exposition *e, const struct engine_status *status)
{
	const struct engine_agent *agent = &status->agent;

	if (!status->answered)
		return;
	exposition_one(e, "mpu_agent_worker_up", "gauge",
		       "1: the agent's worker answers; 0: calls of containers wait.",
		       agent->worker && agent->worker_answers, 0);
	exposition_one(e, "mpu_agent_worker_restarts_total", "counter",
		       "Workers of the agent that have died.", agent->restarts, 0);
	exposition_one(e, "mpu_agent_calls_total", "counter",
		       "Calls of containers that the agent has looked at.",
		       agent->calls, 0);
	exposition_one(e, "mpu_agent_abandoned_calls_total", "counter",
		       "Calls refused because two workers had died of them.",
		       agent->abandoned, 0);
	exposition_one(e, "mpu_agent_containers", "gauge",
		       "Containers that the agent supervises.",
		       agent->containers, 0);
	exposition_one(e, "mpu_agent_waiting_containers", "gauge",
		       "Containers that no thread could be started for: their calls wait.",
		       agent->waiting, 0);
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
	if (status->supervises)
		engine_add_agent_metrics(e, status);
	else
		add_place(e, &status->place);
	add_calls(e, status);
	add_pids(e, status, MPU_SEEN, "mpu_engine_pids_total",
		 "PIDs met in the answers that were translated.");
	add_pids(e, status, MPU_HIDDEN, "mpu_engine_hidden_pids_total",
		 "PIDs of these not shown to the container: of processes of others.");
}
