// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu why: who translates for a container, or why nobody does, and what the driver says of it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/engine/internal.h"
#include "engines/engines.h"
#include "host/host.h"
#include "lib/host.h"

/*
 * Does a word mean a process: by its container or, of one with a name, its pod? NULL means all in
 * containers.
 */
static bool is_meant(const struct host_process *process, const char *word)
{
	const struct usage_process one = { .process = process };
	const struct usage_filter container = { .container = word }, pod = { .pod = word };

	if (!word)
		return process->owner->kind >= OWNER_CONTAINER;
	return usage_matches(NULL, &one, &container) ||
	       (process->owner->container[0] && usage_matches(NULL, &one, &pod));
}

/*
 * Finds the process that a word means, by its PID, or containers, by name and id. Return: a
 * process, also one that /proc hides; NULL: nobody is meant
 */
static const struct host_process *find_process(struct host_reader *reader, const char *word,
					       struct strv *containers)
{
	bool is_number = word && !word[strspn(word, "0123456789")] && strlen(word) < 10;
	pid_t pid = is_number ? atoi(word) : 0;	/* longer it may be an id */
	const struct host_process *one, *found = NULL;
	char name[OWNER_FULL], text[OWNER_FULL + OWNER_ID + 64];
	struct dirent *entry;
	DIR *folder;

	if (pid > 0)
		host_reader_read(reader, &pid, 1, &one);
	if (pid > 0 && !one->is_gone)
		return one;
	folder = host_opendir("/proc");
	while (folder && (entry = readdir(folder))) {
		pid = atoi(entry->d_name);
		if (pid <= 0)
			continue;
		host_reader_read(reader, &pid, 1, &one);
		if (!is_meant(one, word))
			continue;
		owner_name(name, one->owner);
		snprintf(text, sizeof(text), "%s (%.12s%s%s)", name, one->owner->id,
			 owner_is_users(one->owner) ? ", of " : "",
			 owner_is_users(one->owner) ? one->user : "");
		strv_add_once(containers, text);
		found = one;
	}
	if (folder)
		closedir(folder);
	return found;
}

static uint64_t read_pid_namespace(pid_t pid)
{
	char path[64];
	struct stat st;

	return host_path(path, sizeof(path), "/proc/%d/ns/pid", pid) || stat(path, &st) ? 0 :
	       st.st_ino;
}

/* Writes the answer on a container. @by: who translates its calls, NULL: nobody */
static void judge(struct json_object *answer, const char *by, const char *reason, const char *todo)
{
	member_add_bool(answer, "translated", by);
	member_add_text(answer, "by", by);
	member_add_text(answer, "reason", reason);
	member_add_text(answer, "do", todo);
}

static void judge_place(struct json_object *answer, const struct engine *engine,
			const struct engine_place *place)
{
	char refused[WHY_SIZE];
	enum measured measured = place->off[0] ? WRONG : measure_engine(place, refused);

	if (measured == WRONG)
		judge(answer, NULL, place->off[0] ? place->off :
		      "the engine is up, and a container was told what the driver says",
		      "sudo mpu doctor");
	else
		judge(answer, engine->name, measured == RIGHT ?
		      "a container was measured to see its own processes, and nobody else's" :
		      "the engine is in front of every call; not measured now", NOTHING);
}

static void judge_agent(struct json_object *answer, const struct engine *engine,
			const struct engine_status *status,
			const struct host_process *process)
{
	const struct engine_container *one = supervised_find(&status->agent, process);
	char todo[WHY_SIZE];

	unsupervised_todo(todo, 1u << process->owner->kind, true);
	if (!status->answered)
		judge(answer, NULL, status->error[0] ? status->error :
		      "not known: the agent answers root only", "sudo mpu why");
	else if (!one)
		judge(answer, NULL, "the agent does not supervise it: it was not started by mpu-runtime",
		      todo);
	else
		judge(answer, engine->name, "the agent supervises it", NOTHING);
	if (one)
		member_add_number(answer, "calls", (int64_t)one->calls);
}

static void add_sums(struct json_object *answer, const struct engine_status *status)
{
	static const enum mpu_counter counters[] = { MPU_TRANSLATED, MPU_SEEN, MPU_HIDDEN };
	struct json_object *sums = json_object_new_object();
	uint64_t sum;
	size_t n, i;

	for (n = 0; n < sizeof(counters) / sizeof(*counters); n++) {
		for (sum = i = 0; i < status->controls; i++)
			sum += status->control[i].count[counters[n]];
		member_add_number(sums, mpu_counter_names[counters[n]], (int64_t)sum);
	}
	json_object_object_add(answer, "all_containers", sums);
}

static void add_engine(struct json_object *answer, const struct host_process *process)
{
	const struct engine *engine = engine_current();
	uint64_t pids = read_pid_namespace(process->pid);
	struct engine_status status = { 0 };

	if (engine)
		engine_status(engine, &status);
	json_object_object_add(answer, "pid_namespace", pids ? json_object_new_int64((int64_t)pids) : NULL);
	if (!pids && !host_is_other())
		judge(answer, NULL, geteuid() ? "not known: only root may read its PID namespace" :
		      "it is ending: it has no PID namespace any more", geteuid() ? "sudo mpu why" :
		      NOTHING);
	else if (pids && pids == read_pid_namespace(getpid()) && process->own_pid == process->pid)
		judge(answer, NULL, "it is in the host's PID namespace, where the host's PIDs are its own",
		      "nothing; a container leaves that namespace without --pid=host");
	else if (supervised_by_run(process->pid))
		judge(answer, "mpu run", "mpu run has started it", NOTHING);
	else if (!engine)
		judge(answer, NULL, "no engine is up", "sudo mpu up");
	else if (engine->everywhere)
		judge_place(answer, engine, &status.place);
	else
		judge_agent(answer, engine, &status, process);
	if (engine)
		add_sums(answer, &status);
	engine_status_free(&status);
}

/* Is a GPU process of the same container, or else the same process? */
static bool is_of(const struct host_process *one, const struct host_process *process)
{
	const char *id = process->owner->id;

	return id[0] ? !strcmp(id, one->owner->id) : one->pid == process->pid;
}

static struct json_object *describe_process(const struct usage_process *process)
{
	struct json_object *one = json_object_new_object();

	member_add_number(one, "gpu", (int64_t)process->gpu);
	member_add_number(one, "pid", process->process->pid);
	member_add_number(one, "own_pid", process->process->own_pid);
	member_add_number(one, "memory", (int64_t)process->memory);
	return one;
}

static void add_driver(struct json_object *answer, const struct host_process *process)
{
	struct json_object *list;
	struct usage_reader *reader = usage_open(0, false, false);
	const struct usage *usage = NULL;
	enum usage_silence silence;
	char why[WHY_SIZE];
	size_t i, n = 0;

	usage_read(reader, USAGE_PATIENCE_MS, &usage, why);
	member_add_text(answer, "driver", usage ? usage->driver : why);
	silence = usage ? usage_silence(usage, NULL) : SILENT_ALL;
	list = silence != SILENT_ALL ? json_object_new_array() : NULL;
	for (i = 0; list && i < usage->n_processes; i++)
		if (is_of(usage->processes[i].process, process))
			json_object_array_add(list, describe_process(&usage->processes[i]));
		else
			n++;
	json_object_object_add(answer, "processes", list);
	if (list)
		member_add_number(answer, "others", (int64_t)n);
	member_add_bool(answer, "all_gpus_answered", !silence);
	usage_close(reader);
}

static struct json_object *explain(const struct host_process *process)
{
	struct json_object *answer = json_object_new_object();
	const struct owner *owner = process->owner;

	member_add_number(answer, "pid", process->pid);
	member_add_number(answer, "own_pid", process->own_pid);
	member_add_text(answer, "kind", owner_kind_names[owner->kind]);
	member_add_text(answer, "container", owner->container[0] ? owner->container : NULL);
	member_add_text(answer, "id", owner->id[0] ? owner->id : NULL);
	member_add_text(answer, "pod", owner->pod[0] ? owner->pod : NULL);
	member_add_text(answer, "namespace", owner->namespace[0] ? owner->namespace : NULL);
	add_engine(answer, process);
	add_driver(answer, process);
	return answer;
}

static const char *text(struct json_object *answer, const char *key)
{
	const char *found = member_text(answer, key);

	return found ? found : "-";
}

static void print_text(struct json_object *answer, const struct owner *owner)
{
	char name[OWNER_FULL];
	struct json_object *list = member_get(answer, "processes"), *one;
	struct json_object *sums = member_get(answer, "all_containers");
	size_t i;

	owner_name(name, owner);
	printf("container:  %s, %s\n", name[0] ? name : "-", text(answer, "kind"));
	printf("process:    PID %" PRId64, member_number(answer, "pid"));
	if (member_get(answer, "pid_namespace"))
		printf(", in PID namespace %" PRId64 " PID %" PRId64,
		       member_number(answer, "pid_namespace"), member_number(answer, "own_pid"));
	putchar('\n');
	printf("translated: %s%s: %s\n", member_text(answer, "by") ? "yes, by " : "no",
	       member_text(answer, "by") ? member_text(answer, "by") : "",
	       text(answer, "reason"));
	printf("driver:     %s\n", text(answer, "driver"));
	for (i = 0; list && i < json_object_array_length(list); i++) {
		one = json_object_array_get_idx(list, i);
		printf("  GPU %" PRId64 ": PID %" PRId64 ", its own %" PRId64 ", %" PRId64 " MiB\n",
		       member_number(one, "gpu"), member_number(one, "pid"),
		       member_number(one, "own_pid"), member_number(one, "memory") >> 20);
	}
	if (list)
		printf("  %zu of its own; %" PRId64 " of others, which it is not to see\n",
		       i, member_number(answer, "others"));
	if (!member_is_true(answer, "all_gpus_answered"))
		printf("  not known: of GPUs that have not answered; see 'mpu ps'\n");
	if (sums)
		printf("engine:     %" PRId64 " calls translated; of %" PRId64 " PIDs %" PRId64 " hidden (of all containers)\n",
		       member_number(sums, "translated"), member_number(sums, "seen"),
		       member_number(sums, "hidden"));
	printf("next:       %s\n", text(answer, "do"));
}

static int run_why(const struct command_call *call)
{
	struct host_reader *reader = host_reader_open(false);
	struct strv containers = { 0 };
	const struct host_process *process = find_process(reader, call->words[0], &containers);
	char names[WHY_SIZE];
	enum cli_exit status;
	struct json_object *answer;

	if (!host_is_other() && !host_is_initial()) {
		status = command_fail(call, CLI_FAILED, "this is inside of a container: ask on the host");
	} else if (!process) {
		status = command_fail(call, CLI_FAILED,
			"no process has PID %s, and no container or pod that runs this name or id",
			call->words[0]);
	} else if (!process->own_pid) {
		status = command_fail(call, CLI_FAILED,
			"process %s is hidden from this user: ask as root", call->words[0]);
	} else if (containers.n > 1) {
		status = command_fail(call, CLI_FAILED,
			"'%s' may be one of %zu containers: %s; name one of them, or its id",
			call->words[0], containers.n, names_join(names, &containers));
	} else {
		command_tell_late(call);
		answer = explain(process);
		command_tell_late(NULL);
		status = member_is_true(answer, "translated") ? CLI_DONE : CLI_NO;
		if (command_wants_json(call)) {
			command_print_json(answer);
		} else {
			print_text(answer, process->owner);
			json_object_put(answer);
		}
	}
	strv_free(&containers);
	host_reader_close(reader);
	return status;
}

static void offer(const struct command_call *call, const char *option, struct strv *words)
{
	struct host_reader *reader = host_reader_open(false);
	size_t i;

	(void)call;
	if (!option)
		find_process(reader, NULL, words);
	for (i = 0; i < words->n; i++)
		*strstr(words->word[i], " (") = '\t';
	host_reader_close(reader);
}

const struct command command_why = {
	.name = "why", .argument = "CONTAINER", .offer = offer, .run = run_why,
	.what = "say whether a container, or PID, is translated for, and by whom or why not",
};
