// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of engines/status: what becomes JSON and metrics, what is read from it, and
 * what is said of it.
 */
#include "core/regimes.h"
#include "engines/engines.h"
#include "lib/exposition.h"
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
			.waiting = 1, .abandoned = 2, .refused = 6, .containers = 2,
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

/* The names stay: agent and mpu may be of other versions than each other. */
#define ON_THE_WIRE "{\"error\":\"something is wrong\",\"version\":\"1.2.3\",\"pid\":10," \
	"\"worker\":11,\"worker_answers\":true,\"restarts\":1,\"cpu_percent\":50," \
	"\"calls\":1099511627776,\"abandoned\":2,\"refused\":6,\"containers\":[" \
	"{\"name\":\"one\",\"calls\":7},{\"name\":\"two\",\"calls\":0,\"waiting\":true}]," \
	"\"waiting\":1,\"controls\":{\"asked\":{\"translated\":5,\"hidden\":0}," \
	"\"idle\":{\"translated\":0}}}"

TEST("all of the status that an agent writes is read")
{
	struct engine_status said, heard = { 0 };
	struct json_object *object, *again;

	fill_agent(&said);
	strcpy(said.error, "something is wrong");
	object = as_json(&said, true);
	assert_string_equal(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN),
			    ON_THE_WIRE);
	assert_int_equal(engine_status_parse(&heard, object), 0);
	assert_true(heard.answered && heard.supervises);
	again = as_json(&heard, true);
	assert_string_equal(json_object_to_json_string_ext(again, JSON_C_TO_STRING_PLAIN),
			    ON_THE_WIRE);
	json_object_put(again);
	json_object_put(object);
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

	each_row(row, texts) {
		struct json_object *object = json_tokener_parse(*row);
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

/* --- in words --- */

static void check_text(const struct engine_status *status, const char *name, const char *want)
{
	char text[WHY_SIZE];

	assert_int_equal(engine_status_text(status, name, text), want != NULL);
	if (want)
		assert_string_equal(text, want);
}

TEST("what is not known is none in words, and a rare zero is not said")
{
	struct engine_status status = { .answered = true };

	check_text(&status, "hook", "none");
	check_text(&status, "arguments", "none");
	check_text(&status, "calls", NULL);
	check_text(&status, "missed", NULL);
	status.place.arguments = ENGINE_ARGUMENTS_CALLER;
	status.place.has_counters = status.place.has_daemon = true;
	check_text(&status, "arguments", "from the caller");
	check_text(&status, "calls", "0 in flight");
	check_text(&status, "missed", NULL);
	status.place.missed = 4;
	check_text(&status, "missed", "4 calls, whose answers were not translated");
	status.supervises = true;
	status.agent.calls = 1ull << 40;
	check_text(&status, "calls", "1099511627776 looked at");
	check_text(&status, "abandoned", NULL);
}

/* --- as metrics --- */

/* Two engines, of which no function is called here. */
static const struct engine one = { .name = "one" }, two = { .name = "two" };

const struct engine *const engines[ENGINES + 1] = { &one, &two };

static void add_control(struct engine_status *status, const char *name, uint64_t first)
{
	struct engine_control *control = engine_status_control(status, name);

	control->counted = 1u << MPU_TRANSLATED | 1u << MPU_SEEN |
			   1u << MPU_HIDDEN | 1u << MPU_REFUSED;
	control->count[MPU_TRANSLATED] = first;
	control->count[MPU_SEEN] = first + 1;
	control->count[MPU_HIDDEN] = first + 2;
}

#define COUNTED "\
# HELP mpu_engine_calls_total Calls of containers about PIDs, by what became of them.\n\
# TYPE mpu_engine_calls_total counter\n\
mpu_engine_calls_total{control=\"a\",result=\"translated\"} 5\n\
mpu_engine_calls_total{control=\"a\",result=\"refused\"} 0\n\
mpu_engine_calls_total{control=\"b\",result=\"translated\"} 50\n\
mpu_engine_calls_total{control=\"b\",result=\"refused\"} 0\n\
# HELP mpu_engine_pids_total PIDs met in the answers that were translated.\n\
# TYPE mpu_engine_pids_total counter\n\
mpu_engine_pids_total{control=\"a\"} 6\n\
mpu_engine_pids_total{control=\"b\"} 51\n\
# HELP mpu_engine_hidden_pids_total PIDs of these not shown to the container: of processes of others.\n\
# TYPE mpu_engine_hidden_pids_total counter\n\
mpu_engine_hidden_pids_total{control=\"a\"} 7\n\
mpu_engine_hidden_pids_total{control=\"b\"} 52\n"

#define UP(first, second) "\
# HELP mpu_engine_up 1: the engine is up and translates, or waits for a driver.\n\
# TYPE mpu_engine_up gauge\n\
mpu_engine_up{engine=\"one\"} " first "\n\
mpu_engine_up{engine=\"two\"} " second "\n"

#define INFO(labels, failed) "\
# HELP mpu_engine_info What the engine that is up is; always 1.\n\
# TYPE mpu_engine_info gauge\n\
mpu_engine_info{" labels "} 1\n\
# HELP mpu_engine_failed 1: something is wrong with the engine, and mpu status says what.\n\
# TYPE mpu_engine_failed gauge\n\
mpu_engine_failed " failed "\n"

static void check_metrics(const struct engine *engine, const struct engine_status *status,
		  const char *want)
{
	struct exposition e = { 0 };

	engine_add_metrics(&e, engine, status);
	assert_int_equal(e.error, 0);
	assert_string_equal(e.text.bytes, want);
	exposition_free(&e);
}

TEST("each engine has a metric that is 0 if none is up")
{
	const struct engine_status status = { 0 };

	check_metrics(NULL, &status, UP("0", "0"));
}

TEST("an engine's hook, daemon and counters become metrics")
{
	struct engine_status status = {
		.version = "1.2", .answered = true,
		.place = { .hook = "kprobe", .has_counters = true, .in_flight = 3,
			   .has_daemon = true, .missed = 4, .daemon = 99 },
	};

	add_control(&status, "a", 5);
	add_control(&status, "b", 50);
	check_metrics(&one, &status, UP("1", "0")
	      INFO("engine=\"one\",version=\"1.2\",hook=\"kprobe\"", "0") "\
# HELP mpu_engine_calls_in_flight Calls that the engine is handling.\n\
# TYPE mpu_engine_calls_in_flight gauge\n\
mpu_engine_calls_in_flight 3\n\
# HELP mpu_engine_missed_calls_total Calls whose answers were not translated.\n\
# TYPE mpu_engine_missed_calls_total counter\n\
mpu_engine_missed_calls_total 4\n\
# HELP mpu_engine_daemon_up 0: the daemon has ended, so nothing follows a driver that is loaded now.\n\
# TYPE mpu_engine_daemon_up gauge\n\
mpu_engine_daemon_up 1\n" COUNTED);
}

TEST("an engine that does not translate counts as down")
{
	struct engine_status status = { .place = { .off = "it is" }, .error = "no" };

	check_metrics(&two, &status, UP("0", "0")
	      INFO("engine=\"two\",version=\"\",hook=\"\"", "1"));
}

TEST("the agent's worker, containers and calls become metrics")
{
	struct engine_status status = {
		.version = "1.2", .answered = true, .supervises = true,
		.agent = { .worker = 7, .worker_answers = true, .restarts = 1,
			   .calls = 1ull << 40, .abandoned = 2, .refused = 6,
			   .containers = 3, .waiting = 4 },
	};

	add_control(&status, "a", 5);
	add_control(&status, "b", 50);
	check_metrics(&two, &status, UP("0", "1")
	      INFO("engine=\"two\",version=\"1.2\",hook=\"\"", "0") "\
# HELP mpu_agent_worker_up 1: the agent's worker answers; 0: calls of containers wait.\n\
# TYPE mpu_agent_worker_up gauge\n\
mpu_agent_worker_up 1\n\
# HELP mpu_agent_worker_restarts_total Workers of the agent that have died.\n\
# TYPE mpu_agent_worker_restarts_total counter\n\
mpu_agent_worker_restarts_total 1\n\
# HELP mpu_agent_calls_total Calls of containers that the agent has looked at.\n\
# TYPE mpu_agent_calls_total counter\n\
mpu_agent_calls_total 1099511627776\n\
# HELP mpu_agent_abandoned_calls_total Calls refused because two workers had died of them.\n\
# TYPE mpu_agent_abandoned_calls_total counter\n\
mpu_agent_abandoned_calls_total 2\n\
# HELP mpu_agent_refused_total Containers and commands in one that are not supervised: there are too many.\n\
# TYPE mpu_agent_refused_total counter\n\
mpu_agent_refused_total 6\n\
# HELP mpu_agent_containers Containers that the agent supervises.\n\
# TYPE mpu_agent_containers gauge\n\
mpu_agent_containers 3\n\
# HELP mpu_agent_waiting_containers Containers that no thread could be started for: their calls wait.\n\
# TYPE mpu_agent_waiting_containers gauge\n\
mpu_agent_waiting_containers 4\n" COUNTED);
}
