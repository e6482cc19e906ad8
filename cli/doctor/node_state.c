// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes mpu doctor's report on a node: as JSON, and for Prometheus.
 */
#include <string.h>

#include "cli/doctor/internal.h"
#include "lib/exposition.h"
#include "lib/host.h"
#include "lib/json.h"

void node_state_now(struct node_state *state)
{
	*state = (struct node_state){ .time = time(NULL) };
	host_name(state->name, sizeof(state->name));
	host_release(state->kernel, sizeof(state->kernel));
}

static const char *null_if_empty(const char *text)
{
	return *text ? text : NULL;
}

void node_state_add(struct json_object *document, const struct node_state *state)
{
	char text[32] = "";
	struct tm utc;

	if (gmtime_r(&state->time, &utc))
		strftime(text, sizeof(text), "%FT%TZ", &utc);
	member_add_text(document, "node", null_if_empty(state->name));
	member_add_text(document, "time", text);
	member_add_text(document, "mpu", MPU_VERSION);
	member_add_text(document, "kernel", null_if_empty(state->kernel));
	member_add_text(document, "driver", null_if_empty(state->driver));
	member_add_text(document, "flavour", null_if_empty(state->flavour));
	member_add_text(document, "engine", null_if_empty(state->engine));
	findings_add_json(document, &state->findings);
}

/* Returns the value of a label: Prometheus takes an empty one for one that is not there. */
static const char *none_if_empty(const char *text)
{
	return *text ? text : "none";
}

static void add_findings(struct exposition *e, const struct findings *findings)
{
	size_t i;

	exposition_family(e, "mpu_node_finding", "gauge",
			  "What mpu doctor finds on the node; always 1.");
	for (i = 0; i < findings->count; i++) {
		const struct finding *one = &findings->finding[i];
		const struct exposition_label label[] = {
			{ "id", one->id },
			{ "severity", verdict_names[one->verdict] },
		};

		exposition_labels(e, label, 2);
		exposition_sample(e, 1);
	}
}

void node_state_add_metrics(struct exposition *e, const struct node_state *state)
{
	const struct exposition_label label[] = {
		{ "engine", none_if_empty(state->engine) },
		{ "driver", none_if_empty(state->driver) },
		{ "flavour", none_if_empty(state->flavour) },
		{ "kernel", none_if_empty(state->kernel) },
		{ "version", MPU_VERSION },
	};

	exposition_family(e, "mpu_node_info", "gauge",
			  "What the node has, as mpu doctor says it; always 1.");
	exposition_labels(e, label, sizeof(label) / sizeof(*label));
	exposition_sample(e, 1);
	add_findings(e, &state->findings);
	exposition_one(e, "mpu_node_findings_timestamp_seconds", "gauge",
		       "When mpu doctor's questions were last asked.",
		       (uint64_t)state->time, 0);
}
