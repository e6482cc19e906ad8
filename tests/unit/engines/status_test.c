// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of engines/status: what becomes JSON, and what is read from it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/regimes.h"
#include "engines/status.h"
#include "lib/json.h"
#include "tests/unit/unit.h"

static struct json_object *as_json(const struct engine_status *status, bool all)
{
	struct json_object *object = json_object_new_object();

	engine_status_add(object, status, all);
	return object;
}

static struct json_object *member(struct json_object *object, const char *key)
{
	return json_object_object_get(object, key);
}

/* An agent with two containers and two controls, one of which was asked. */
static void fill_agent(struct engine_status *status)
{
	struct engine_control *control;

	*status = (struct engine_status){
		.version = "1.2.3", .answered = true, .supervises = true,
		.agent = {
			.pid = 10, .worker = 11, .worker_answers = true,
			.restarts = 1, .cpu_percent = 50, .calls = 1ull << 40,
			.waiting = 1, .abandoned = 2, .containers = 2,
		},
	};
	status->agent.container = calloc(2, sizeof(*status->agent.container));
	strcpy(status->agent.container[0].name, "one");
	status->agent.container[0].calls = 7;
	strcpy(status->agent.container[1].name, "two");
	status->agent.container[1].waiting = true;
	control = engine_status_control(status, "asked");
	control->counted = 1u << MPU_TRANSLATED | 1u << MPU_HIDDEN;
	control->count[MPU_TRANSLATED] = 5;
	control = engine_status_control(status, "idle");
	control->counted = 1u << MPU_TRANSLATED;
}

TEST("all of the status that an agent writes is read")
{
	struct engine_status said, heard = { 0 };
	struct json_object *object;
	int i;

	fill_agent(&said);
	strcpy(said.error, "something is wrong");
	object = as_json(&said, true);
	assert_int_equal(engine_status_parse(&heard, object), 0);
	json_object_put(object);
	assert_string_equal(heard.version, "1.2.3");
	assert_string_equal(heard.error, "something is wrong");
	assert_true(heard.answered && heard.supervises);
	assert_int_equal(heard.agent.pid, 10);
	assert_int_equal(heard.agent.worker, 11);
	assert_true(heard.agent.worker_answers);
	assert_int_equal(heard.agent.restarts, 1);
	assert_int_equal(heard.agent.cpu_percent, 50);
	assert_int_equal(heard.agent.calls, 1ull << 40);
	assert_int_equal(heard.agent.waiting, 1);
	assert_int_equal(heard.agent.abandoned, 2);
	assert_int_equal(heard.agent.containers, 2);
	assert_int_equal(heard.controls, 2);
	for (i = 0; i < 2; i++) {
		const struct engine_container *one = &heard.agent.container[i];
		const struct engine_control *control = &heard.control[i];

		assert_string_equal(one->name, said.agent.container[i].name);
		assert_int_equal(one->calls, said.agent.container[i].calls);
		assert_int_equal(one->waiting, said.agent.container[i].waiting);
		assert_string_equal(control->name, said.control[i].name);
		assert_int_equal(control->counted, said.control[i].counted);
		assert_memory_equal(control->count, said.control[i].count,
				    sizeof(control->count));
	}
	engine_status_free(&said);
	engine_status_free(&heard);
	assert_int_equal(heard.agent.containers, 0);
}

TEST("a status with fewer, more or other members does no harm")
{
	static const char *const texts[] = {
		"{}",
		"{ \"containers\": null, \"controls\": [] }",
		"{ \"containers\": 1, \"controls\": \"x\", \"pid\": {} }",
		"{ \"containers\": [ 1, [], null ], \"controls\": { \"a\": 1 } }",
		"{ \"controls\": { \"a\": { \"unheard_of\": 3 } } }",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct json_object *object = json_tokener_parse(texts[i]);
		struct engine_status status = { 0 };

		assert_non_null(object);
		assert_int_equal(engine_status_parse(&status, object), 0);
		assert_true(status.answered);
		assert_int_equal(status.agent.pid, 0);
		if (status.controls)
			assert_int_equal(status.control[0].counted, 0);
		if (status.agent.containers)
			assert_string_equal(status.agent.container[0].name, "");
		engine_status_free(&status);
		json_object_put(object);
	}
}

/* The names are too long as well; the sanitizers watch. */
TEST("controls that there is no room for are left out")
{
	struct json_object *object = json_object_new_object();
	struct json_object *controls = json_object_new_object();
	struct engine_status status = { 0 };
	char name[200];
	int i;

	for (i = 0; i < 3 * ENGINE_CONTROLS; i++) {
		snprintf(name, sizeof(name), "%0150d", i);
		json_object_object_add(controls, name, json_object_new_object());
	}
	json_object_object_add(object, "controls", controls);
	member_add_text(object, "version", name);
	assert_int_equal(engine_status_parse(&status, object), 0);
	assert_int_equal(status.controls, ENGINE_CONTROLS);
	assert_null(engine_status_control(&status, "one more"));
	engine_status_free(&status);
	json_object_put(object);
}

TEST("counters that are zero are shown only if they are asked for")
{
	struct engine_status status;
	struct json_object *object, *controls;

	fill_agent(&status);
	object = as_json(&status, false);
	controls = member(object, "controls");
	assert_int_equal(json_object_object_length(controls), 1);
	assert_int_equal(json_object_object_length(member(controls, "asked")), 1);
	assert_int_equal(member_number(member(controls, "asked"), "translated"), 5);
	json_object_put(object);
	object = as_json(&status, true);
	controls = member(object, "controls");
	assert_int_equal(json_object_object_length(controls), 2);
	assert_int_equal(json_object_object_length(member(controls, "asked")), 2);
	assert_int_equal(json_object_object_length(member(controls, "idle")), 1);
	json_object_put(object);
	engine_status_free(&status);
}

TEST("unknown values are null; members that an engine lacks are missing")
{
	struct engine_status status = { .answered = true };
	struct json_object *object = as_json(&status, true), *value;

	assert_true(json_object_object_get_ex(object, "driver", &value) && !value);
	assert_true(json_object_object_get_ex(object, "hook", &value) && !value);
	assert_true(json_object_object_get_ex(object, "calls", &value) && !value);
	assert_false(json_object_object_get_ex(object, "daemon", &value));
	assert_false(json_object_object_get_ex(object, "pid_space", &value));
	assert_false(json_object_object_get_ex(object, "error", &value));
	assert_false(json_object_object_get_ex(object, "pid", &value));
	json_object_put(object);

	strcpy(status.place.driver, "nvidia");
	strcpy(status.place.hook, "kprobe");
	status.place.arguments = ENGINE_ARGUMENTS_CALLER;
	status.place.odd_size = ENGINE_ODD_SIZE_PASS;
	status.place.has_counters = true;
	status.place.in_flight = 3;
	status.place.has_daemon = true;
	status.place.has_pid_space = true;
	engine_status_control(&status, "a")->pid_space = MPU_PIDS_MIXED;
	object = as_json(&status, true);
	assert_string_equal(member_text(object, "driver"), "nvidia");
	assert_string_equal(member_text(object, "hook"), "kprobe");
	assert_string_equal(member_text(object, "arguments"), "caller");
	assert_string_equal(member_text(object, "unknown"), "pass");
	assert_int_equal(member_number(object, "calls"), 3);
	assert_true(json_object_object_get_ex(object, "daemon", &value) && value);
	assert_string_equal(member_text(member(member(object, "pid_space"), "a"),
					"pid_space"), "mixed");
	json_object_put(object);
}

TEST("a name has an index, and an unknown one has 0")
{
	assert_int_equal(engine_name_index(engine_arguments_names, "caller"),
			 ENGINE_ARGUMENTS_CALLER);
	assert_int_equal(engine_name_index(engine_odd_size_names, "refuse"),
			 ENGINE_ODD_SIZE_REFUSE);
	assert_int_equal(engine_name_index(engine_odd_size_names, ""), 0);
	assert_int_equal(engine_name_index(engine_odd_size_names, "refus"), 0);
}
