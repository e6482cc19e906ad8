// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu ps: who uses the GPUs, and how much of them.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/view/internal.h"
#include "lib/xalloc.h"

/* --- What mpu top has, too --- */

#define INTERVAL_MIN	0.1
#define INTERVAL_MAX	3600.0

bool interval_parse(const char *text, double *seconds)
{
	char *end;
	double value = strtod(text, &end);

	if (*end || !(value >= INTERVAL_MIN && value <= INTERVAL_MAX))
		return false;
	*seconds = value;
	return true;
}

enum cli_exit interval_read(const struct command_call *call, const char *option, double *seconds)
{
	const char *value = command_value(call, option);

	if (!value || !*value || interval_parse(value, seconds))
		return CLI_DONE;
	return command_fail_usage(call, "invalid value '%s' for --%s: use seconds, from 0.1 to 3600",
				  value, option);
}

void interval_sleep(double seconds)
{
	struct timespec left = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

const struct command_option process_filter_options[] = {
	{ "gpu", 'g', "GPU[,GPU]", NULL, "only these GPUs: number, PCI address or UUID" },
	{ "container", 'C', "NAME", NULL,
	  "only this container: its name, or how its id begins" },
	{ "pod", 'P', "NAME", NULL, "only this pod: NAME, or NAMESPACE/NAME" },
	{ "namespace", 'n', "NAME", NULL, "only pods of this namespace" },
	{ "user", 'U', "NAME", NULL, "only processes of this user: name or number" },
	{ "idle", 0, "TIME", NULL, "only what has used no engine of its GPU for so long: 30m, 2h, 1d" },
	{ "pid", 'p', "PID", NULL, "only this process, by its PID on the host" },
	{ .name = NULL },
};

enum cli_exit filter_read(const struct command_call *call, struct usage_filter *filter)
{
	const char *pid = command_value(call, "pid"), *idle = command_value(call, "idle");
	double seconds = 0;
	char *end;
	long number;

	*filter = (struct usage_filter){
		.gpu = command_value(call, "gpu"),
		.container = command_value(call, "container"),
		.pod = command_value(call, "pod"),
		.namespace = command_value(call, "namespace"),
		.user = command_value(call, "user"),
	};
	if (idle && (!duration_parse(idle, &seconds) || seconds <= 0))
		return command_fail_usage(call, "invalid value '%s' for --idle: use 30m, 2h, 1d", idle);
	filter->idle_ms = (uint64_t)(seconds * 1000);
	if (!pid)
		return CLI_DONE;
	number = strtol(pid, &end, 10);
	if (*end || number <= 0 || number > INT_MAX)
		return command_fail_usage(call, "invalid value '%s' for --pid: use a number from 1 on",
					  pid);
	filter->pid = (pid_t)number;
	return CLI_DONE;
}

static const struct table_kind *find_table(const struct command_call *call);

#define OFFER_MS	2000	/* a shell waits no longer */

void usage_offer(const struct command_call *call, const char *option, struct strv *words)
{
	struct usage_reader *reader;
	const struct usage *usage = NULL;
	char name[FIGURE_TEXT], why[WHY_SIZE];
	enum figure figure = 0;
	size_t i;

	if (option && (!strcmp(option, "sort") || !strcmp(option, "columns")))
		table_add_names(find_table(call), words);
	/* An option that chooses processes is called as the figure is. */
	while (option && figure < FIGURES &&
	       (!figures[figure].member || strcmp(figures[figure].member, option) != 0))
		figure++;
	if (!option || figure == FIGURES)
		return;
	reader = usage_open(0, true, false);
	usage_read(reader, OFFER_MS, &usage, why);
	for (i = 0; usage && figure == FIGURE_GPU && i < usage->n_gpus; i++)
		strv_add_format(words, "%zu\t%s", i, usage->gpus[i].gpu.name);
	for (i = 0; usage && figure != FIGURE_GPU && i < usage->n_processes; i++) {
		const struct host_process *process = usage->processes[i].process;
		const struct figure_of of = { .usage = usage, .process = &usage->processes[i] };
		const char *word = name;

		name[0] = '\0';
		if (figure == FIGURE_PID)
			snprintf(name, sizeof(name), "%d\t%s", process->pid,
				 usage_command(process));
		else if (figure == FIGURE_CONTAINER)
			owner_name(name, process->owner);
		else if (figures[figure].text)
			word = figures[figure].show ? figures[figure].show(&of, name) :
			       figures[figure].text(&of);
		if (*word)
			strv_add_once(words, word);
	}
	usage_close(reader);
}

enum cli_exit filter_check(const struct command_call *call, const struct usage_filter *filter,
			   const struct usage *usage)
{
	const char *missing = filter->gpu ? usage_lacks_gpu(usage, filter->gpu) : NULL;

	if (filter->idle_ms && !usage->before_ms)
		return command_fail(call, CLI_FAILED,
			"--idle: it is not known since when; 'systemctl enable --now mpu-metrics' keeps it from now on (as root)");
	if (!missing)
		return CLI_DONE;
	return command_fail(call, CLI_FAILED,
		"--gpu %.*s: there is no such GPU here; 'mpu ps --by gpu' lists them",
		(int)strcspn(missing, ","), missing);
}

/* --- Printing --- */

/* Keeps the processes that @filter selects; @kept has room for all of @usage. */
static void take_matching(struct usage *some, const struct usage *usage,
			  const struct usage_filter *filter, struct usage_process *kept)
{
	size_t i;

	*some = *usage;
	some->processes = kept;
	some->n_processes = 0;
	for (i = 0; i < usage->n_processes; i++)
		if (usage_matches(usage, &usage->processes[i], filter))
			kept[some->n_processes++] = usage->processes[i];
}

/* Says why no process is shown: a GPU that did not answer may well have some. */
static const char *say_none(const struct usage *usage, const char *gpu, size_t all)
{
	enum usage_silence silence = usage_silence(usage, gpu);

	if (!usage->n_gpus)
		return "no GPU here: the driver lists none whose device node this process may open";
	if (silence == SILENT_ALL)
		return "GPU processes: not known, as no GPU has answered";
	if (all)
		return "no GPU process matches";
	return silence ? "no GPU processes on the GPUs that have answered" : "no GPU processes";
}

/* Prints the chosen processes. @all: how many processes there are */
static void print_processes(const struct command_call *call, const struct usage *usage,
			    const char *gpu, const struct table_view *view, size_t all)
{
	if (command_wants_json(call))
		command_print_json(usage_describe(usage, gpu));
	else if (!usage->n_processes && !view->is_csv)
		puts(say_none(usage, gpu, all));
	else
		usage_print_processes(usage, view);
}

/* Prints the chosen GPUs. @all: how many processes there are */
static void print_gpus(const struct command_call *call, const struct usage *usage,
		       const char *gpu, const struct table_view *view, size_t all)
{
	if (command_wants_json(call) || (!usage->n_gpus && !view->is_csv))
		print_processes(call, usage, gpu, view, all);
	else
		usage_print_gpus(usage, gpu, view);
}

static enum usage_by find_by(const struct command_call *call)
{
	enum usage_by by = 0;

	while (strcmp(usage_by_names[by], command_value(call, "by")))
		by++;
	return by;
}

static const struct table_kind *find_table(const struct command_call *call)
{
	return command_value(call, "by") ? &usage_sums_tables[find_by(call)] :
	       command_is_on(call, "gpus") ? &usage_gpus_table : usage_processes_table();
}

static void print_sums(const struct command_call *call, const struct usage *usage,
		       const char *gpu, const struct table_view *view, size_t all)
{
	enum usage_by by = find_by(call);
	size_t n;
	struct usage_sum *sums = usage_sum(usage, by, false, &n);

	if (command_wants_json(call))
		command_print_json(usage_describe_sums(usage, gpu, by, sums, n));
	else if (!n && !view->is_csv)
		print_processes(call, usage, gpu, view, all);
	else
		usage_print_sums(usage, by, sums, n, view);
	free(sums);
}

/* Prints refusals as text; in JSON a GPU says so itself. */
static enum cli_exit say_refusals(const struct command_call *call, const struct usage *usage,
				  const char *gpu)
{
	enum cli_exit status = CLI_DONE;
	char text[64];
	size_t i;

	for (i = 0; i < usage->n_gpus; i++) {
		if (!usage->gpus[i].error || (gpu && !usage_is_gpu(usage, i, gpu)))
			continue;
		status = CLI_FAILED;
		if (command_wants_json(call))
			continue;
		rm_error_text(usage->gpus[i].error, text, sizeof(text));
		fflush(stdout);
		command_fail(call, status,
			     "GPU %zu: the driver did not say who uses it (%s); see the end of 'dmesg', and 'mpu doctor'",
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
				 const struct usage_filter *filter, const struct table_view *view)
{
	struct usage some;
	struct usage_process *kept;
	enum cli_exit status = filter_check(call, filter, usage);

	if (status)
		return status;
	kept = xcalloc(usage->n_processes + 1, sizeof(*kept));
	take_matching(&some, usage, filter, kept);
	if (command_value(call, "by"))
		print_sums(call, &some, filter->gpu, view, usage->n_processes);
	else if (command_is_on(call, "gpus"))
		print_gpus(call, &some, filter->gpu, view, usage->n_processes);
	else
		print_processes(call, &some, filter->gpu, view, usage->n_processes);
	say_elsewhere(call, &some);
	free(kept);
	return say_refusals(call, usage, filter->gpu);
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
	bool failed;
	int i;

	for (i = 0;; i++) {
		if (clears)
			fputs("\033[H\033[2J", stdout);
		else if (i && is_plain)
			putchar('\n');
		command_tell_late(call);
		failed = usage_read(reader, USAGE_PATIENCE_MS, &usage, why);
		command_tell_late(NULL);
		if (failed)
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
	enum cli_exit status;

	if (command_is_on(call, "raw"))
		return print_raw(call);
	if (command_is_on(call, "gpus") && command_value(call, "by"))
		return command_fail_usage(call, "--gpus is how GPUs are, and --by who uses them: take one of them");
	status = filter_read(call, &filter);
	if (!status)
		status = table_read_view(call, find_table(call), &view);
	if (!status)
		status = interval_read(call, "watch", &interval);
	if (status)
		return status;
	reader = usage_open(RM_SAMPLES_NEW, !command_value(call, "by"), command_is_on(call, "gpus"));
	status = watch(call, reader, &filter, &view, interval);
	usage_close(reader);
	return status;
}

static const struct command_option options[] = {
	{ "by", 'b', "container|pod|user|gpu", NULL, "add processes up" },
	{ "gpus", 'G', NULL, NULL, "how the GPUs are: temperature, power, clocks, errors" },
	{ "sort", 'k', "KEY[,KEY]", NULL, "in this order: names of columns, -KEY the largest first" },
	{ "columns", 'o', "LIST", NULL, "these columns of all that --csv has, in this order" },
	{ "watch", 'w', "[SECONDS]", NULL, "again and again (default: every 2)" },
	{ "csv", 0, NULL, NULL, "comma-separated, all columns, numbers without units" },
	{ "raw", 'r', NULL, NULL, "only what the driver tells of them: nothing is looked up" },
	{ .name = NULL },
};

const struct command command_ps = {
	.name = "ps", .options = { options, process_filter_options }, .run = run_ps,
	.offer = usage_offer,
	.what = "list GPU processes with their containers, pods and users",
};
