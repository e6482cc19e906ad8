// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU processes as people read them: see usage_text.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "cli/view/gpu_usage_text.h"
#include "cli/view/table.h"
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
	if (is_known)
		table_add(table, "%" PRIu64 " MiB", bytes >> 20);
	else
		table_add_text(table, "");
}

/* Rounded; what is idle is left out, but for the first, which is always shown. */
static void add_utilisation(struct table *table, bool is_known, uint64_t hundredths,
			    bool always)
{
	if (is_known && (hundredths || always))
		table_add(table, "%" PRIu64, (hundredths + 50) / 100);
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

	if (started_us && localtime_r(&start, &tm))
		strftime(text, sizeof(text), age < 24 * 3600 ? "%H:%M" :
			 age < 300 * 24 * 3600 ? "%b %d" : "%Y", &tm);
	table_add_text(table, text);
}

static const struct table_column process_columns[] = {
	{ "GPU", false, 0 },
	{ "PID", true, 0 },
	{ "OWN PID", true, 2 },
	{ "USER", false, 3 },
	{ "CONTAINER", false, 0 },
	{ "POD", false, 0 },
	{ "MEMORY", true, 0 },
	{ "SM%", true, 0 },
	{ "MEM%", true, 7 },
	{ "ENC%", true, 6 },
	{ "DEC%", true, 5 },
	{ "SINCE", false, 4 },
	{ "COMMAND", false, 0 },
};

static void add_process(struct table *table, const struct usage *usage,
			const struct usage_process *one)
{
	const struct host_process *process = one->process;
	uint64_t utilisation[RM_ENGINES];
	char name[USAGE_NAME];
	int engine;

	for (engine = 0; engine < RM_ENGINES; engine++)
		utilisation[engine] = one->utilisation[engine];
	add_gpu(table, one);
	table_add(table, "%d", process->pid);
	if (process->own_pid != process->pid)
		table_add(table, "%d", process->own_pid);
	else
		table_add_text(table, "");
	table_add_text(table, process->user);
	usage_name_container(name, process->owner);
	table_add_text(table, name);
	usage_name_pod(name, process->owner);
	table_add_text(table, name);
	add_memory(table, one->has_memory, one->memory);
	add_engines(table, usage->gpus[one->gpu].has_utilisation, utilisation);
	add_start(table, process->started_us, usage->time_us);
	table_add_text(table, process->is_gone ? usage_gone_text() :
		  process->command[0] ? process->command : "(hidden from this user)");
}

bool usage_print_processes(const struct usage *usage, size_t width)
{
	struct table table = { .column = process_columns,
			       .columns = COUNT(process_columns) };
	size_t i;

	for (i = 0; i < usage->n_processes; i++)
		add_process(&table, usage, &usage->processes[i]);
	return table_print(&table, width);
}

/* Above the first column stands what sums are over. */
#define SUM_COLUMNS(first, second)		\
	{ first, false, 0 },			\
	{ second, false, 5 },			\
	{ "PROCESSES", true, 4 },		\
	{ "MEMORY", true, 0 },			\
	{ "USED", true, 0 },			\
	{ "TOTAL", true, 0 },			\
	{ "SM%", true, 0 },			\
	{ "MEM%", true, 3 },			\
	{ "ENC%", true, 2 },			\
	{ "DEC%", true, 1 },			\
	{ "USER", false, 0 }

static const struct table_column sum_columns[USAGE_BY_KINDS][11] = {
	[USAGE_BY_GPU] = { SUM_COLUMNS("GPU", "NAME") },
	[USAGE_BY_CONTAINER] = { SUM_COLUMNS("CONTAINER", "KIND") },
	[USAGE_BY_POD] = { SUM_COLUMNS("POD", "KIND") },
	[USAGE_BY_USER] = { SUM_COLUMNS("USER", "KIND") },
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

/* Return: the user, where all processes of the sum have one; else "". */
static const char *find_user(enum usage_by by, const struct usage_sum *sum)
{
	const struct owner *owner = sum->example ? sum->example->process->owner : NULL;

	if (by == USAGE_BY_GPU || by == USAGE_BY_USER ||
	    (by == USAGE_BY_CONTAINER && owner->id[0] && !owner_is_users(owner)) ||
	    (by == USAGE_BY_POD && (owner->pod[0] || owner->pod_uid[0])))
		return "";
	return sum->example->process->user;
}

static void add_sum(struct table *table, const struct usage *usage, enum usage_by by,
		    const struct usage_sum *sum)
{
	const struct usage_gpu *gpu = by == USAGE_BY_GPU ? &usage->gpus[sum->gpu] : NULL;

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
	table_add_text(table, find_user(by, sum));
}

bool usage_print_sums(const struct usage *usage, enum usage_by by,
		      const struct usage_sum *sums, size_t n, size_t width)
{
	struct table table = { .column = sum_columns[by],
			       .columns = COUNT(sum_columns[by]) };
	size_t i;

	for (i = 0; i < n; i++)
		add_sum(&table, usage, by, &sums[i]);
	return table_print(&table, width);
}
