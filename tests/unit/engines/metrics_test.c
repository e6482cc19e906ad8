// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of engines/metrics.c: what an engine's status becomes.
 */
#include <string.h>

#include "engines/metrics.h"
#include "tests/unit/unit.h"

/* Two engines, of which no function is called here. */
static const struct engine one = { .name = "one" }, two = { .name = "two" };

const struct engine *const engines[ENGINES + 1] = { &one, &two };

static void add_control(struct engine_status *status, const char *name,
			uint64_t first)
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

static void check(const struct engine *engine, const struct engine_status *status,
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

	check(NULL, &status, UP("0", "0"));
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
	check(&one, &status, UP("1", "0")
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

	check(&two, &status, UP("0", "0")
	      INFO("engine=\"two\",version=\"\",hook=\"\"", "1"));
}

TEST("the agent's worker, containers and calls become metrics")
{
	struct engine_status status = {
		.version = "1.2", .answered = true, .supervises = true,
		.agent = { .worker = 7, .worker_answers = true, .restarts = 1,
			   .calls = 1ull << 40, .abandoned = 2, .containers = 3,
			   .waiting = 4 },
	};

	add_control(&status, "a", 5);
	add_control(&status, "b", 50);
	check(&two, &status, UP("0", "1")
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
# HELP mpu_agent_containers Containers that the agent supervises.\n\
# TYPE mpu_agent_containers gauge\n\
mpu_agent_containers 3\n\
# HELP mpu_agent_waiting_containers Containers that no thread could be started for: their calls wait.\n\
# TYPE mpu_agent_waiting_containers gauge\n\
mpu_agent_waiting_containers 4\n" COUNTED);
}
