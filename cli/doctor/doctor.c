// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu doctor: what this host allows, what its driver does, what to do.
 */
#include <errno.h>
#include <stdio.h>

#include "cli/doctor/internal.h"
#include "core/controls.h"
#include "core/row.h"
#include "engines/engines.h"
#include "host/host.h"
#include "lib/host.h"
#include "lib/text.h"
#include "nvidia/nvidia.h"

/*
 * The layouts of a driver newer than the table are not known, to any engine; those that
 * it was asked for it has.
 */
static void check_table(struct findings *findings, const char *version,
			const struct calibration *found)
{
	u32 branch = driver_branch(version);
	char changed[512];

	if (!branch)
		return;
	text_bits(changed, sizeof(changed), found->changed, mpu_control_names, ", ");
	if (branch <= MPU_NEWEST)
		finding_add(findings, FOUND_TABLE_OK, NOTHING,
			"knows drivers up to branch %d", MPU_NEWEST);
	else if (found->changed)
		finding_add(findings, FOUND_TABLE_OLD,
			"look for a newer MPU; 'mpu status' counts under odd_size what was refused for that",
			"driver branch %u is newer than this mpu's table, which ends with %d, and has changed: %s: refused to containers, but for what it answers in their own numbers",
			branch, MPU_NEWEST, changed);
	else if (found->taken)
		finding_add(findings, FOUND_TABLE_OK, NOTHING,
			"ends with branch %d; the %d controls of branch %u that could be asked are as it has them",
			MPU_NEWEST, __builtin_popcount(found->taken), branch);
	else
		finding_add(findings, FOUND_TABLE_OLD,
			"run 'mpu doctor' as root where a GPU can be used: it asks the driver what has changed",
			"driver branch %u is newer than this mpu's table, which ends with %d: what has changed since is refused to containers",
			branch, MPU_NEWEST);
}

/* Says what a process of the host can do unless mpu.ko keeps it from that. */
static void check_page(struct findings *findings, const struct driver *driver)
{
	if (driver_shares_processes(driver))
		finding_add(findings, FOUND_PAGE_SHARED, DRIVER_SHARE_NOTHING,
			"a process of the host can have this driver write host PIDs into memory that containers read; engine module forbids it, the others cannot");
	else if (driver->branch)
		finding_add(findings, FOUND_PAGE_OK, NOTHING,
			"the memory that all clients of a GPU share has no PIDs");
}

static void note_driver(struct node_state *state, const char *version, enum flavour flavour)
{
	snprintf(state->driver, sizeof(state->driver), "%s", version);
	if (flavour_names[flavour])
		snprintf(state->flavour, sizeof(state->flavour), "%s", flavour_names[flavour]);
}

/* No module has the usual name: does a driver answer all the same? */
static void check_nameless_driver(struct node_state *state)
{
	struct findings *findings = &state->findings;
	struct usage_reader *reader = usage_open(0, false, false);
	char version[DRIVER_VERSION] = "", why[WHY_SIZE];
	struct process_list *list;
	struct driver driver;
	int ret = usage_read_raw(reader, USAGE_PATIENCE_MS, &list, version, why);

	usage_close(reader);
	if (ret == -ETIMEDOUT) {
		finding_add(findings, FOUND_DRIVER_FLAVOUR_UNKNOWN, "see the end of 'dmesg'", "%s", why);
		return;
	}
	if (ret && !version[0]) {
		finding_add(findings, FOUND_DRIVER_ABSENT,
			"load it (modprobe nvidia); MPU may be started before or after",
			"no NVIDIA driver is loaded");
		return;
	}
	driver_read(&driver, DRIVER_MODULE);
	note_driver(state, version, driver.flavour);
	finding_add(findings, FOUND_DRIVER_RENAMED,
		"'mpu up' says which module it is",
		"%s, flavour %s: it answers, but not as module nvidia",
		version[0] ? version : "of unknown version",
		state->flavour[0] ? state->flavour : "not known");
}

/* @module: the driver's, as an engine has found it; "": no engine has */
static void check_driver(struct node_state *state, const char *module)
{
	struct findings *findings = &state->findings;
	struct driver driver;

	if (!module[0])
		module = DRIVER_MODULE;
	if (!host_exists("/sys/module/%s/version", module)) {
		check_nameless_driver(state);
		return;
	}
	driver_read(&driver, module);
	note_driver(state, driver.version, driver.flavour);
	if (driver.flavour != FLAVOUR_UNKNOWN)
		finding_add(findings, FOUND_DRIVER_OK, NOTHING, "%s %s, %s flavour",
			module, driver.version, state->flavour);
	else
		finding_add(findings, FOUND_DRIVER_FLAVOUR_UNKNOWN,
			"look for 'Open Kernel Module' in /proc/driver/nvidia/version on the host",
			"%s %s, flavour not known: neither that file nor the module's taint is readable here",
			module, driver.version);
	check_page(findings, &driver);
}

static void check_agent(struct findings *findings, const struct engine *engine,
			const struct engine_status *status, bool asks)
{
	bool wrong = status->error[0];
	struct unsupervised left;
	char names[WHY_SIZE];

	finding_add(findings, wrong ? FOUND_MPU_AGENT_FAILED : FOUND_MPU_OK,
		wrong ? "see 'journalctl -u mpu-agent'; 'systemctl restart mpu-agent' starts another, which takes over" :
		NOTHING, "up (engine %s), %s", engine->name,
		wrong ? status->error : "for containers that mpu-runtime starts");
	if (wrong || !status->answered)
		return;
	unsupervised_find(&left, &status->agent, asks);
	if (left.names.n)
		finding_add(findings, FOUND_CONTAINERS_UNSUPERVISED, left.todo,
			"not supervised, though they use a GPU: %s",
			names_join(names, &left.names));
	unsupervised_free(&left);
}

/* Reports calls that mpu.ko refuses, as the driver does not copy params all at once. */
static void check_copies(struct findings *findings, const struct engine_status *status)
{
	unsigned int i;

	for (i = 0; i < status->controls; i++)
		if (status->control[i].count[MPU_IMPOSSIBLE]) {
			finding_add(findings, FOUND_MPU_COPIES,
				"upgrade MPU, or report it with the driver's version",
				"this driver copies in another way than those known, and containers are refused: %s, and perhaps others",
				status->control[i].name);
			return;
		}
}

static void check_place(struct findings *findings, const struct engine *engine,
			const struct engine_status *status)
{
	const struct engine_place *place = &status->place;

	if (!place->driver[0])
		finding_add(findings, FOUND_MPU_WAITING,
			"load the NVIDIA driver; MPU will notice",
			"up (engine %s), waiting for the driver",
			engine->name);
	else if (place->off[0])
		finding_add(findings, FOUND_MPU_OFF,
			"see above and the end of 'dmesg'; 'mpu down' and 'mpu up' take what this host allows",
			"up (engine %s), but off: %s", engine->name, place->off);
	else if (engine == &engine_module && place->arguments == ENGINE_ARGUMENTS_CALLER)
		finding_add(findings, FOUND_MPU_CALLER_MEMORY,
			"see 'kprobes' above: with them MPU reads what the driver has read",
			"up (engine %s), attached to %s %s, but it reads arguments from the caller's memory",
			engine->name, place->driver, place->driver_version);
	else
		finding_add(findings, FOUND_MPU_OK, NOTHING,
			"up (engine %s), attached to %s %s, hook %s",
			engine->name, place->driver, place->driver_version,
			place->hook[0] ? place->hook : "none");
	if (engine == &engine_module)
		check_copies(findings, status);
}

static void report_engine(struct findings *findings, const struct engine *engine,
			  bool usable, const char *why, const char *todo)
{
	if (!usable)
		finding_add_of(findings, FOUND_ENGINE_UNUSABLE, engine->name, todo, "%s", why);
	else
		finding_add_of(findings, FOUND_ENGINE_OK, engine->name,
			engine->everywhere ? "sudo mpu up" :
			"sudo mpu up --engine notify, or mpu run COMMAND to try it",
			"usable, not up");
}

/*
 * No engine is up: which could be? They are asked in the order of `mpu up`, each
 * once, for asking loads a program.
 */
static void check_engines(struct findings *findings)
{
	const struct engine *first = NULL;
	char why[ENGINES][WHY_SIZE], todo[ENGINES][WHY_SIZE];
	bool usable[ENGINES], foreign = module_is_foreign();
	char order[64] = "";
	size_t i, len = 0;

	for (i = 0; engines[i]; i++) {
		usable[i] = engines[i]->available(why[i], todo[i]);
		if (usable[i] && !first && !foreign)
			first = engines[i];
		len += snprintf(order + len, sizeof(order) - len, "%s%s",
				len ? ", " : "", engines[i]->name);
	}
	finding_add(findings, first ? FOUND_AUTO_OK : FOUND_AUTO_NONE,
		first ? NOTHING : foreign ?
		"sudo rmmod mpu: a module of that name is loaded that is not of this MPU, and may translate PIDs by itself" :
		"see what each of them lacks, under its own name",
		"'mpu up' tries %s in this order; here it can take %s", order,
		first ? first->name : "none");
	for (i = 0; engines[i]; i++)
		report_engine(findings, engines[i], usable[i], why[i], todo[i]);
}

void doctor_examine(struct node_state *state, struct measurement *measurement, bool asks)
{
	const struct engine *engine = engine_current();
	struct findings *findings = &state->findings;
	struct engine_status status = { 0 };

	node_state_now(state);
	if (engine) {
		snprintf(state->engine, sizeof(state->engine), "%s", engine->name);
		engine_status(engine, &status);
	}
	check_driver(state, status.place.driver);
	doctor_nodes(findings);
	doctor_kernel(findings);
	if (!engine)
		check_engines(findings);
	else if (engine->everywhere)
		check_place(findings, engine, &status);
	else
		check_agent(findings, engine, &status, asks);
	engine_status_free(&status);
	doctor_containers(findings, engine && engine->everywhere, measurement);
	check_table(findings, state->driver, &measurement->found);
	doctor_chain(findings, asks, engine == &engine_notify);
}

static void print_json(const struct node_state *state, const struct measurement *measurement)
{
	struct json_object *answer = json_object_new_object();

	node_state_add(answer, state);
	doctor_add_measurement(answer, measurement);
	command_print_json(answer);
}

static int run_doctor(const struct command_call *call)
{
	bool all = command_is_on(call, "verbose");
	struct measurement measurement;
	struct node_state state;

	command_tell_late(call);
	doctor_examine(&state, &measurement, true);
	command_tell_late(NULL);
	if (command_wants_json(call)) {
		print_json(&state, &measurement);
	} else {
		if (all)
			doctor_print_measurement(&measurement);
		findings_print(&state.findings, all, state.engine[0] ? NULL : "sudo mpu up");
	}
	return findings_have(&state.findings, PROBLEM) ? CLI_NO : CLI_DONE;
}

static const struct command_option options[] = {
	{ "verbose", 'v', NULL, NULL, "print findings that are fine, too, and the measured controls" },
	{ .name = NULL },
};

const struct command command_doctor = {
	.name = "doctor", .options = { options }, .run = run_doctor,
	.what = "say what this host allows, what its driver does, what to do",
};
