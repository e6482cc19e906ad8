// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu ps: who uses the GPUs, and how much of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/view/commands.h"
#include "cli/view/gpu_state_text.h"
#include "cli/view/gpu_usage_json.h"
#include "cli/view/gpu_usage_text.h"
#include "cli/view/interval.h"
#include "cli/view/process_filter.h"
#include "cli/view/ps_raw.h"
#include "cli/view/table.h"

/* Keeps the processes that @filter selects; @kept has room for all of @usage. */
static void take_matching(struct usage *some, const struct usage *usage,
			  const struct usage_filter *filter,
			  struct usage_process *kept)
{
	size_t i;

	*some = *usage;
	some->processes = kept;
	some->n_processes = 0;
	for (i = 0; i < usage->n_processes; i++)
		if (usage_matches(usage, &usage->processes[i], filter))
			kept[some->n_processes++] = usage->processes[i];
}

static enum cli_exit say_no_memory(const struct command_call *call)
{
	return command_fail(call, CLI_FAILED, "no memory");
}

/* Prints the chosen processes. @all: how many processes there are */
static enum cli_exit print_processes(const struct command_call *call, const struct usage *usage,
				     const struct table_view *view, size_t all)
{
	if (command_wants_json(call))
		command_print_json(usage_describe(usage));
	else if (!usage->n_gpus && !view->is_csv)
		printf("no GPU here: the driver lists none whose device node this process may open\n");
	else if (!usage->n_processes && !view->is_csv)
		puts(all ? "no GPU process matches" : "no GPU processes");
	else if (!usage_print_processes(usage, view))
		return say_no_memory(call);
	return CLI_DONE;
}

/* Prints the chosen GPUs. @all: how many processes there are */
static enum cli_exit print_gpus(const struct command_call *call, const struct usage *usage,
				const struct usage_filter *filter,
				const struct table_view *view, size_t all)
{
	if (command_wants_json(call) || (!usage->n_gpus && !view->is_csv))
		return print_processes(call, usage, view, all);
	if (!usage_print_gpus(usage, filter->gpu, view))
		return say_no_memory(call);
	return CLI_DONE;
}

static enum usage_by find_by(const struct command_call *call)
{
	enum usage_by by = 0;

	while (strcmp(usage_by_names[by], command_value(call, "by")))
		by++;
	return by;
}

static enum cli_exit print_sums(const struct command_call *call, const struct usage *usage,
				const struct table_view *view, size_t all)
{
	enum usage_by by = find_by(call);
	struct usage_sum *sums;
	enum cli_exit status = CLI_DONE;
	size_t n;

	if (usage_sum(usage, by, false, &sums, &n))
		return say_no_memory(call);
	if (command_wants_json(call))
		command_print_json(usage_describe_sums(usage, by, sums, n));
	else if (!n && !view->is_csv)
		status = print_processes(call, usage, view, all);
	else if (!usage_print_sums(usage, by, sums, n, view))
		status = say_no_memory(call);
	free(sums);
	return status;
}

/* Prints refusals as text; in JSON a GPU says so itself. */
static enum cli_exit say_refusals(const struct command_call *call, const struct usage *usage)
{
	enum cli_exit status = CLI_DONE;
	char text[64];
	size_t i;

	for (i = 0; i < usage->n_gpus; i++) {
		if (!usage->gpus[i].error)
			continue;
		status = CLI_FAILED;
		if (command_wants_json(call))
			continue;
		rm_error_text(usage->gpus[i].error, text, sizeof(text));
		fflush(stdout);
		command_fail(call, status,
			     "GPU %zu: the driver did not say who uses it (%s); see 'mpu doctor'",
			     i, text);
	}
	return status;
}

/* In a container that nothing translates for, the driver names the host's PIDs. */
static void say_elsewhere(const struct command_call *call, const struct usage *usage)
{
	size_t i, n = 0;

	for (i = 0; i < usage->n_processes; i++)
		n += usage->processes[i].process->is_gone;
	if (!n || usage_sees_all() || command_wants_json(call))
		return;
	fflush(stdout);
	command_warn(call, "%zu of these PIDs %s in this PID namespace: they are the host's, where they may well live; for a container to see its own the host needs MPU (sudo mpu up, there)",
		     n, n == 1 ? "is not" : "are not");
}

static enum cli_exit print_usage(const struct command_call *call, const struct usage *usage,
				 const struct usage_filter *filter,
				 const struct table_view *view)
{
	struct usage some;
	struct usage_process *kept;
	enum cli_exit status = filter_check(call, filter, usage);

	if (status)
		return status;
	kept = calloc(usage->n_processes + 1, sizeof(*kept));
	if (!kept)
		return say_no_memory(call);
	take_matching(&some, usage, filter, kept);
	status = command_value(call, "by") ? print_sums(call, &some, view, usage->n_processes) :
		 command_is_on(call, "gpus") ?
			print_gpus(call, &some, filter, view, usage->n_processes) :
		 print_processes(call, &some, view, usage->n_processes);
	say_elsewhere(call, &some);
	free(kept);
	return status ? status : say_refusals(call, usage);
}

/* The driver's answer is neither added up nor filtered. */
static int print_raw(const struct command_call *call)
{
	const char *name;
	size_t i;

	for (i = 0; i < call->n_given; i++) {
		name = call->given[i].option->name;
		if (strcmp(name, "raw") != 0 && strcmp(name, "json") != 0)
			return command_fail_usage(call, "--%s is not for --raw, which shows all that the driver tells",
						  name);
	}
	return ps_print_raw(call);
}

/* JSON has all of it, and orders nothing: what reads it does. */
static enum cli_exit read_view(const struct command_call *call, struct table_view *view)
{
	static const char *const of_tables[] = { "sort", "columns", "csv" };
	char why[WHY_SIZE];
	size_t i;

	for (i = 0; command_wants_json(call) && i < 3; i++)
		if (command_value(call, of_tables[i]))
			return command_fail_usage(call, "--%s is not for --json, which has all of it: leave one of them out",
						  of_tables[i]);
	view->is_csv = command_is_on(call, "csv");
	view->width = view->is_csv ? 0 : table_find_width();
	if (table_choose(view, command_value(call, "by") ? &usage_sums_tables[find_by(call)] :
			 command_is_on(call, "gpus") ? &usage_gpus_table :
			 &usage_processes_table, command_value(call, "columns"),
			 command_value(call, "sort"), why))
		return command_fail_usage(call, "%s", why);
	return CLI_DONE;
}

/*
 * Prints once, or again every @interval seconds: then a driver that goes is said to be
 * gone, and asked again.
 */
static enum cli_exit watch(const struct command_call *call, struct usage_reader *reader,
			   const struct usage_filter *filter, struct table_view *view,
			   double interval)
{
	bool clears = interval > 0 && isatty(STDOUT_FILENO);
	bool is_plain = !view->is_csv && !command_wants_json(call);
	const struct usage *usage;
	enum cli_exit status;
	char why[WHY_SIZE];
	int i;

	for (i = 0;; i++) {
		if (clears)
			fputs("\033[H\033[2J", stdout);
		else if (i && is_plain)
			putchar('\n');
		if (usage_read(reader, &usage, why))
			status = command_fail(call, CLI_FAILED, "%s", why);
		else
			status = print_usage(call, usage, filter, view);
		if (interval <= 0 || (!i && status) || fflush(stdout) || ferror(stdout))
			return status;
		view->no_titles = view->is_csv && !clears;
		interval_sleep(interval);
	}
}

static int run_ps(const struct command_call *call)
{
	struct table_view view = { 0 };
	struct usage_reader *reader;
	struct usage_filter filter;
	double interval = command_value(call, "watch") ? 2 : 0;
	char why[WHY_SIZE];
	enum cli_exit status;

	if (command_is_on(call, "raw"))
		return print_raw(call);
	if (command_is_on(call, "gpus") && command_value(call, "by"))
		return command_fail_usage(call, "--gpus is how GPUs are, and --by who uses them: take one of them");
	status = filter_read(call, &filter);
	if (!status)
		status = read_view(call, &view);
	if (!status)
		status = interval_read(call, "watch", &interval);
	if (status)
		return status;
	if (usage_open(&reader, RM_SAMPLES_NEW, !command_value(call, "by"),
		       command_is_on(call, "gpus"), why))
		return command_fail(call, CLI_FAILED, "%s", why);
	status = watch(call, reader, &filter, &view, interval);
	usage_close(reader);
	return status;
}

static const struct command_option options[] = {
	{ "by", 'b', "container|pod|user|gpu", NULL, "add processes up" },
	{ "gpus", 'G', NULL, NULL, "how the GPUs are: temperature, power, clocks, errors" },
	{ "sort", 'k', "KEY[,KEY]", NULL, "in this order: names of columns, -KEY the largest first" },
	{ "columns", 'o', "LIST", NULL, "these columns, in this order; time and type are more" },
	{ "watch", 'w', "[SECONDS]", NULL, "again and again (default: every 2)" },
	{ "csv", 0, NULL, NULL, "comma-separated, all columns, numbers without units" },
	{ "raw", 'r', NULL, NULL, "only what the driver tells of them: nothing is looked up" },
	{ .name = NULL },
};

const struct command command_ps = {
	.name = "ps", .options = { options, process_filter_options }, .run = run_ps,
	.what = "list GPU processes with their containers, pods and users",
};
