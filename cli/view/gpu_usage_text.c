// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU processes as people read them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "cli/view/internal.h"
#include "lib/host.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

void usage_name_outside(char name[USAGE_NAME], const struct owner *owner)
{
	if (owner->kind == OWNER_SLURM)
		snprintf(name, USAGE_NAME, "job %s%s%s", owner->job,
			 owner->step[0] ? "." : "", owner->step);
	else
		snprintf(name, USAGE_NAME, "%s", owner->unit);
}

void usage_name_container(char name[USAGE_NAME], const struct owner *owner)
{
	if (owner->container[0])
		snprintf(name, USAGE_NAME, "%s", owner->container);
	else if (owner->id[0])
		snprintf(name, USAGE_NAME, "%.12s", owner->id);
	else
		usage_name_outside(name, owner);
}

void usage_name_pod(char name[USAGE_NAME], const struct owner *owner)
{
	if (owner->pod[0])
		snprintf(name, USAGE_NAME, "%s/%s", owner->namespace, owner->pod);
	else
		snprintf(name, USAGE_NAME, "%s", owner->pod_uid);
}

/* Returns false where one that is gone may as well be in another PID namespace. */
bool usage_sees_all(void)
{
	return host_is_other() || host_is_initial();
}

const char *usage_gone_text(void)
{
	return usage_sees_all() ? "(has ended)" : "(not in this PID namespace)";
}

/* 7: the GPU; 7/1/0: an instance of it, and the compute instance in that. */
static void add_gpu(struct table *table, const struct usage_process *one)
{
	if (one->gpu_instance == RM_NO_INSTANCE)
		table_add(table, "%zu", one->gpu);
	else if (one->compute_instance == RM_NO_INSTANCE)
		table_add(table, "%zu/%u", one->gpu, one->gpu_instance);
	else
		table_add(table, "%zu/%u/%u", one->gpu, one->gpu_instance,
			  one->compute_instance);
}

static void add_memory(struct table *table, bool is_known, uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 " MiB", bytes >> 20);
	if (is_known)
		table_add_number(table, (double)bytes, text);
	else
		table_add_text(table, "");
}

/* Rounded; what is idle is left out, but for the first, which is always shown. */
static void add_utilisation(struct table *table, bool is_known, uint64_t hundredths,
			    bool always)
{
	char text[32] = "";

	if (hundredths || always)
		snprintf(text, sizeof(text), "%" PRIu64, (hundredths + 50) / 100);
	if (is_known)
		table_add_number(table, (double)hundredths / 100, text);
	else
		table_add_text(table, "");
}

static void add_engines(struct table *table, bool is_known,
			const uint64_t utilisation[RM_ENGINES])
{
	add_utilisation(table, is_known, utilisation[RM_ENGINE_SM], true);
	add_utilisation(table, is_known, utilisation[RM_ENGINE_MEMORY], false);
	add_utilisation(table, is_known, utilisation[RM_ENGINE_ENCODER], false);
	add_utilisation(table, is_known, utilisation[RM_ENGINE_DECODER], false);
}

/* The time of a start on this day, else the day, else the year. */
static void add_start(struct table *table, uint64_t started_us, uint64_t now_us)
{
	time_t start = (time_t)(started_us / 1000000);
	time_t age = (time_t)(now_us / 1000000) - start;
	struct tm tm;
	char text[32] = "";

	if (started_us && localtime_r(&start, &tm)) {
		strftime(text, sizeof(text), age < 24 * 3600 ? "%H:%M" :
			 age < 300 * 24 * 3600 ? "%b %d" : "%Y", &tm);
		table_add_number(table, (double)start, text);
	} else {
		table_add_text(table, "");
	}
}

void usage_add_time(struct table *table, const struct usage *usage)
{
	time_t now = (time_t)(usage->time_us / 1000000);
	struct tm tm;
	char text[32] = "";

	if (localtime_r(&now, &tm))
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	table_add_number(table, (double)now, text);
}

static void add_use(struct table *table, unsigned int use)
{
	table_add(table, "%s%s%s", use & GPU_COMPUTE ? "C" : "", use & GPU_GRAPHICS ? "G" : "",
		  use & GPU_MPS ? "M" : "");
}

static const struct table_column process_columns[] = {
	TABLE_TIME,
	{ "GPU", false, 0, false },
	{ "PID", true, 0, false },
	{ "OWN PID", true, 2, false },
	{ "USER", false, 3, false },
	{ "CONTAINER", false, 0, false },
	{ "POD", false, 0, false },
	{ "TYPE", false, 0, true },
	{ "MEMORY", true, 0, false },
	{ "SM%", true, 0, false },
	{ "MEM%", true, 7, false },
	{ "ENC%", true, 6, false },
	{ "DEC%", true, 5, false },
	{ "SINCE", true, 4, false },
	{ "COMMAND", false, 0, false },
};

const struct table_kind usage_processes_table = { process_columns, COUNT(process_columns) };

static void add_process(struct table *table, const struct usage *usage,
			const struct usage_process *one)
{
	const struct host_process *process = one->process;
	uint64_t utilisation[RM_ENGINES];
	char name[USAGE_NAME], pid[16];
	int engine;

	for (engine = 0; engine < RM_ENGINES; engine++)
		utilisation[engine] = one->utilisation[engine];
	usage_add_time(table, usage);
	add_gpu(table, one);
	table_add(table, "%d", process->pid);
	snprintf(pid, sizeof(pid), "%d", process->own_pid);
	if (process->is_gone)
		table_add_text(table, "");
	else
		table_add_number(table, process->own_pid, process->own_pid != process->pid ? pid : "");
	table_add_text(table, process->user);
	usage_name_container(name, process->owner);
	table_add_text(table, name);
	usage_name_pod(name, process->owner);
	table_add_text(table, name);
	add_use(table, one->use);
	add_memory(table, one->has_memory, one->memory);
	add_engines(table, usage->gpus[one->gpu].has_utilisation, utilisation);
	add_start(table, process->started_us, usage->time_us);
	table_add_text(table, process->is_gone ? usage_gone_text() :
		  process->command[0] ? process->command : "(hidden from this user)");
}

void usage_print_processes(const struct usage *usage, const struct table_view *view)
{
	struct table table = { .kind = &usage_processes_table };
	size_t i;

	for (i = 0; i < usage->n_processes; i++)
		add_process(&table, usage, &usage->processes[i]);
	table_print(&table, view);
}

/* Above the first column stands what sums are over. */
#define SUM_COLUMNS(first, second)		\
	TABLE_TIME,				\
	{ first, false, 0, false },		\
	{ second, false, 5, false },		\
	{ "PROCESSES", true, 4, false },	\
	{ "MEMORY", true, 0, false },		\
	{ "USED", true, 0, false },		\
	{ "TOTAL", true, 0, false },		\
	{ "SM%", true, 0, false },		\
	{ "MEM%", true, 3, false },		\
	{ "ENC%", true, 2, false },		\
	{ "DEC%", true, 1, false }

#define SUM_USER	{ "USER", false, 0, false }

static const struct table_column gpu_columns[] = { SUM_COLUMNS("GPU", "NAME") };
static const struct table_column container_columns[] = { SUM_COLUMNS("CONTAINER", "KIND"), SUM_USER };
static const struct table_column pod_columns[] = { SUM_COLUMNS("POD", "KIND"), SUM_USER };
static const struct table_column user_columns[] = { SUM_COLUMNS("USER", "KIND") };

const struct table_kind usage_sums_tables[USAGE_BY_KINDS] = {
	[USAGE_BY_GPU] = { gpu_columns, COUNT(gpu_columns) },
	[USAGE_BY_CONTAINER] = { container_columns, COUNT(container_columns) },
	[USAGE_BY_POD] = { pod_columns, COUNT(pod_columns) },
	[USAGE_BY_USER] = { user_columns, COUNT(user_columns) },
};

/*
 * Names the sum of processes in no container, or no pod, by their service or job, if they
 * are in one. Processes in no pod, and of neither, may be in containers of several kinds.
 */
static void add_owner(struct table *table, enum usage_by by,
		      const struct host_process *process)
{
	const struct owner *owner = process->owner;
	const char *kind = owner_kind_names[owner->kind];
	char name[USAGE_NAME];

	if (by == USAGE_BY_CONTAINER) {
		usage_name_container(name, owner);
	} else {
		usage_name_pod(name, owner);
		if (!name[0]) {
			usage_name_outside(name, owner);
			kind = !name[0] ? "" : owner->kind == OWNER_SLURM ? kind :
			       owner_kind_names[OWNER_UNIT];
		}
	}
	table_add_text(table, name);
	table_add_text(table, !process->is_gone ? kind :
		       usage_sees_all() ? "ended" : "elsewhere");
}

/*
 * Returns the user, where all processes of the sum of a container or a pod have one; else "".
 */
static const char *find_user(enum usage_by by, const struct usage_sum *sum)
{
	const struct owner *owner = sum->example->process->owner;

	if ((by == USAGE_BY_CONTAINER && owner->id[0] && !owner_is_users(owner)) ||
	    (by == USAGE_BY_POD && (owner->pod[0] || owner->pod_uid[0])))
		return "";
	return sum->example->process->user;
}

static void add_sum(struct table *table, const struct usage *usage, enum usage_by by,
		    const struct usage_sum *sum)
{
	const struct usage_gpu *gpu = by == USAGE_BY_GPU ? &usage->gpus[sum->gpu] : NULL;

	usage_add_time(table, usage);
	if (gpu) {
		table_add(table, "%zu", sum->gpu);
		table_add_text(table, gpu->gpu.name);
	} else if (by == USAGE_BY_USER) {
		table_add_text(table, sum->example->process->is_gone ? usage_gone_text() :
			  sum->example->process->user);
		table_add_text(table, "");
	} else {
		add_owner(table, by, sum->example->process);
	}
	table_add(table, "%zu", sum->processes);
	add_memory(table, true, sum->memory);
	add_memory(table, gpu && gpu->has_memory, gpu ? gpu->memory_used : 0);
	add_memory(table, gpu && gpu->has_memory, gpu ? gpu->memory_total : 0);
	add_engines(table, !gpu || gpu->has_utilisation, sum->utilisation);
	if (by == USAGE_BY_CONTAINER || by == USAGE_BY_POD)
		table_add_text(table, find_user(by, sum));
}

void usage_print_sums(const struct usage *usage, enum usage_by by,
		      const struct usage_sum *sums, size_t n,
		      const struct table_view *view)
{
	struct table table = { .kind = &usage_sums_tables[by] };
	size_t i;

	for (i = 0; i < n; i++)
		add_sum(&table, usage, by, &sums[i]);
	table_print(&table, view);
}
