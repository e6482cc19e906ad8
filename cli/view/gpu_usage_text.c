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

/* Writes of a job its number and step, of a service its unit; else "". */
static void name_outside(char name[OWNER_FULL], const struct owner *owner)
{
	if (owner->kind == OWNER_SLURM)
		snprintf(name, OWNER_FULL, "job %s%s%s", owner->job,
			 owner->step[0] ? "." : "", owner->step);
	else
		snprintf(name, OWNER_FULL, "%s%s%s", owner->unit, owner->job[0] ? "/" : "",
			 owner->job);
}

void usage_name(char name[OWNER_FULL], const struct owner *owner)
{
	owner_name(name, owner);
	if (!name[0])
		name_outside(name, owner);
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

const char *usage_command(const struct host_process *process)
{
	return process->is_gone ? usage_gone_text() :
	       process->command[0] ? process->command : "(hidden from this user)";
}

void duration_format(char text[24], uint64_t seconds)
{
	const uint64_t hours = seconds / 3600;

	text[0] = '\0';
	if (seconds >= 60)
		snprintf(text, 24, "%llu%c", (unsigned long long)(hours >= 48 ? hours / 24 : hours ?
			 hours : seconds / 60), hours >= 48 ? 'd' : hours ? 'h' : 'm');
}

/* The time of a start on this day, else the day, else the year. */
static void format_time(char text[32], time_t time, enum figure_unit unit, time_t now)
{
	const time_t age = now - time;
	struct tm tm;

	text[0] = '\0';
	if (localtime_r(&time, &tm))
		strftime(text, 32, unit == FIGURE_CLOCK ? "%H:%M:%S" : age < 24 * 3600 ? "%H:%M" :
			 age < 300 * 24 * 3600 ? "%b %d" : "%Y", &tm);
}

/* Adds a number as people read it, and as programs do. */
static void add_as(struct table *table, enum figure figure, const struct figure_of *of,
		   struct figure_number number)
{
	const enum figure_unit unit = figures[figure].unit;
	double value = (double)number.n;
	char text[32] = "", shown[FIGURE_TEXT];

	if (!number.is_known) {
		table_add_text(table, "");
		return;
	}
	switch (unit) {
	case FIGURE_PLAIN:
		snprintf(text, sizeof(text), "%" PRIu64, number.n);
		table_add_cell(table, figures[figure].show ? figures[figure].show(of, shown) :
			       text, text);
		return;
	case FIGURE_BYTES:
		snprintf(text, sizeof(text), "%" PRIu64 " MiB", number.n >> 20);
		break;
	case FIGURE_PERCENT:
	case FIGURE_PERCENT_IF_ANY:
		if (number.n || unit == FIGURE_PERCENT)
			snprintf(text, sizeof(text), "%" PRIu64, (number.n + 50) / 100);
		value /= 100;
		break;
	case FIGURE_SECONDS:
		duration_format(text, number.n);
		break;
	case FIGURE_CLOCK:
	case FIGURE_SINCE:
		value = (double)(number.n / 1000000);
		format_time(text, (time_t)value, unit, (time_t)(of->usage->time_us / 1000000));
	}
	table_add_number(table, value, text);
}

static void add_number(struct table *table, enum figure figure, const struct figure_of *of)
{
	add_as(table, figure, of, figures[figure].number(of));
}

static void add_figure(struct table *table, enum figure figure, const struct figure_of *of)
{
	char text[FIGURE_TEXT];

	if (figures[figure].column.right)
		add_number(table, figure, of);
	else
		table_add_text(table, figures[figure].show ? figures[figure].show(of, text) :
			       figures[figure].text(of));
}

void usage_add_time(struct table *table, const struct usage *usage)
{
	add_number(table, FIGURE_TIME, &(struct figure_of){ .usage = usage });
}

const struct table_kind *usage_processes_table(void)
{
	static struct table_column columns[FIGURES];
	static struct table_kind kind = { .column = columns };
	enum figure figure;

	if (kind.columns)
		return &kind;
	for (figure = 0; figure < FIGURES; figure++) {
		if (figure == FIGURE_COMMAND)
			kind.end = kind.columns;
		if (figures[figure].column.title)
			columns[kind.columns++] = figures[figure].column;
	}
	return &kind;
}

void usage_print_processes(const struct usage *usage, const struct table_view *view)
{
	struct table table = { .kind = usage_processes_table() };
	enum figure figure;
	size_t i;

	for (i = 0; i < usage->n_processes; i++)
		for (figure = 0; figure < FIGURES; figure++)
			if (figures[figure].column.title)
				add_figure(&table, figure, &(struct figure_of){
					.usage = usage, .process = &usage->processes[i] });
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
#define SUM_IDLE	{ "IDLE", true, 1, false }

static const struct table_column gpu_columns[] = { SUM_COLUMNS("GPU", "NAME"), SUM_IDLE };
static const struct table_column container_columns[] = {
	SUM_COLUMNS("CONTAINER", "KIND"), SUM_USER, { "POD", false, 0, true }, SUM_IDLE,
};
static const struct table_column pod_columns[] = { SUM_COLUMNS("POD", "KIND"), SUM_USER, SUM_IDLE };
static const struct table_column user_columns[] = { SUM_COLUMNS("USER", "KIND"), SUM_IDLE };

const struct table_kind usage_sums_tables[USAGE_BY_KINDS] = {
	[USAGE_BY_GPU] = { gpu_columns, COUNT(gpu_columns), 0 },
	[USAGE_BY_CONTAINER] = { container_columns, COUNT(container_columns), 0 },
	[USAGE_BY_POD] = { pod_columns, COUNT(pod_columns), 0 },
	[USAGE_BY_USER] = { user_columns, COUNT(user_columns), 0 },
};

/*
 * Names the sum of processes in no container, or no pod, by their service or job, if they
 * are in one. Processes in no pod, and of neither, may be in containers of several kinds.
 */
static void add_owner(struct table *table, enum usage_by by, const struct host_process *process)
{
	const struct owner *owner = process->owner;
	const char *kind = owner_kind_names[owner->kind];
	char name[OWNER_FULL];

	if (by == USAGE_BY_CONTAINER) {
		usage_name(name, owner);
	} else {
		owner_name_pod(name, owner);
		if (!name[0]) {
			name_outside(name, owner);
			kind = !name[0] ? "" : owner->kind == OWNER_SLURM ? kind :
			       owner_kind_names[OWNER_UNIT];
		}
	}
	table_add_text(table, name);
	table_add_text(table, process->own_pid ? kind : !process->is_gone ? "hidden" :
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
	static const enum figure engines[] = {
		FIGURE_SM, FIGURE_BANDWIDTH, FIGURE_ENCODER, FIGURE_DECODER,
	};
	const struct gpu_processes *gpu = by == USAGE_BY_GPU ? &usage->gpus[sum->gpu] : NULL;
	const struct figure_of of = { usage, sum->example, sum };
	char pod[OWNER_FULL];
	size_t i;

	usage_add_time(table, usage);
	if (gpu) {
		table_add_index(table, sum->gpu);
		table_add_text(table, gpu->gpu.name);
	} else if (by == USAGE_BY_USER) {
		table_add_text(table, sum->example->process->user[0] ? sum->example->process->user :
			       usage_command(sum->example->process));
		table_add_text(table, "");
	} else {
		add_owner(table, by, sum->example->process);
	}
	add_number(table, FIGURE_PROCESSES, &of);
	add_number(table, FIGURE_MEMORY, &of);
	add_as(table, FIGURE_MEMORY, &of, (struct figure_number){
	       gpu && gpu->has_memory, gpu ? gpu->memory_used : 0 });
	add_as(table, FIGURE_MEMORY, &of, (struct figure_number){
	       gpu && gpu->has_memory, gpu ? gpu->memory_total : 0 });
	for (i = 0; i < COUNT(engines); i++)
		add_number(table, engines[i], &of);
	if (by == USAGE_BY_CONTAINER || by == USAGE_BY_POD)
		table_add_text(table, find_user(by, sum));
	if (by == USAGE_BY_CONTAINER)
		table_add_text(table, figures[FIGURE_POD].show(&of, pod));
	add_number(table, FIGURE_IDLE, &of);
}

void usage_print_sums(const struct usage *usage, enum usage_by by, const struct usage_sum *sums,
		      size_t n, const struct table_view *view)
{
	struct table table = { .kind = &usage_sums_tables[by] };
	size_t i;

	for (i = 0; i < n; i++)
		add_sum(&table, usage, by, &sums[i]);
	table_print(&table, view);
}
