// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu: the command table, and the parser that it drives.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/applets.h"
#include "cli/cli.h"
#include "cli/engine/node.h"
#include "cli/nvidia/cdi.h"
#include "cli/nvidia/configure.h"
#include "cli/nvidia/container_cli.h"
#include "cli/view/metrics.h"
#include "engines/engine.h"
#include "engines/notify/agent_message.h"
#include "engines/notify/budget.h"
#include "lib/fds.h"
#include "lib/host.h"

#define BIT(option) (1u << (option))

const struct cli_option_row cli_options[OPTIONS] = {
	[OPT_JSON] = { "json", 'j', NULL,
		"answer in JSON, errors included" },
	[OPT_HELP] = { "help", 'h', NULL,
		"show help" },
	[OPT_VERSION] = { "version", 'V', NULL,
		"show the version" },
	[OPT_ALL] = { "all", 'a', NULL,
		"show counters that are zero, too" },
	[OPT_ENGINE] = { "engine", 'e', "auto|" ENGINE_NAMES,
		"what gets in front of the driver (default: auto)" },
	[OPT_MODULE] = { "module", 'm', "FILE",
		"load this mpu.ko instead of the installed one" },
	[OPT_SOCKET] = { "socket", 's', "FILE",
		"where runtimes connect (default: " AGENT_SOCKET ")" },
	[OPT_CPU] = { "cpu", 'c', "25|50|100",
		"percent of a CPU that one container may take (default: 50)" },
	[OPT_UNKNOWN] = { "unknown", 'u', "refuse|pass",
		"a known control of a size that is not known (default: refuse)" },
	[OPT_QUICK] = { "quick", 'q', NULL,
		"do not measure: only what the engine says of itself" },
	[OPT_FOREGROUND] = { "foreground", 'f', NULL,
		"stay and watch the engine, as a service; stop it at the end" },
	[OPT_BY] = { "by", 'b', "container|pod|user|gpu",
		"add processes up" },
	[OPT_GPU] = { "gpu", 'g', "GPU",
		"only this GPU: its number, PCI address or UUID" },
	[OPT_CONTAINER] = { "container", 'C', "NAME",
		"only this container: its name, or how its id begins" },
	[OPT_POD] = { "pod", 'P', "NAME",
		"only this pod: NAME, or NAMESPACE/NAME" },
	[OPT_NAMESPACE] = { "namespace", 'n', "NAME",
		"only pods of this namespace" },
	[OPT_USER] = { "user", 'U', "NAME",
		"only processes of this user: name or number" },
	[OPT_PID] = { "pid", 'p', "PID",
		"only this process, by its PID on the host" },
	[OPT_INTERVAL] = { "interval", 'i', "SECONDS",
		"from one reading to the next (default: 1)" },
	[OPT_BATCH] = { "batch", 'B', NULL,
		"print plain text, for files and pipes" },
	[OPT_TIMES] = { "times", 't', "N",
		"how often to print, with --batch (default: until it is stopped)" },
};

/* Nearly every command takes these. */
#define COMMON	(BIT(OPT_JSON) | BIT(OPT_HELP) | BIT(OPT_VERSION))

/* Which GPU processes are meant: cli/view/process_filter.h. */
#define FILTER	(BIT(OPT_GPU) | BIT(OPT_CONTAINER) | BIT(OPT_POD) | \
		 BIT(OPT_NAMESPACE) | BIT(OPT_USER) | BIT(OPT_PID))

const struct cli_command cli_commands[] = {
	{ "up", NULL, COMMON | BIT(OPT_ENGINE) | BIT(OPT_MODULE) | BIT(OPT_UNKNOWN) |
	  BIT(OPT_FOREGROUND), cmd_up,
	  "start: from now on containers see their own GPU processes", false, NULL },
	{ "down", NULL, COMMON, cmd_down,
	  "stop: wait for calls in flight, then leave the driver alone", false, NULL },
	{ "run", "CMD...", COMMON | BIT(OPT_CPU) | BIT(OPT_UNKNOWN), cmd_run,
	  "run a command in a PID namespace of its own, supervised by mpu", true, NULL },
	{ "agent", NULL, COMMON | BIT(OPT_SOCKET) |
	  BIT(OPT_CPU) | BIT(OPT_UNKNOWN), cmd_agent,
	  "supervise containers whose OCI runtime asks for it", true, NULL },
	{ "runtime", "ARG...", COMMON, cmd_runtime,
	  "be runc or crun, whose containers get supervised by mpu", true, NULL },
	{ "container", "ARG...", 0, NULL,
	  "give a container GPUs and driver, and say which there are", false,
	  &tool_container },
	{ "configure", "ARG...", 0, NULL,
	  "have docker, containerd, crio or podman know the runtime", false,
	  &tool_configure },
	{ "cdi", "ARG...", 0, NULL,
	  "write, list and check CDI documents, by which engines know GPUs", false,
	  &tool_cdi },
	{ "node", "ARG...", 0, NULL,
	  "have MPU on the node of a cluster while this runs, in a pod", false,
	  &tool_node },
	{ "metrics", "ARG...", 0, NULL,
	  "who uses the GPUs, what the engine does and doctor finds, for Prometheus", false,
	  &tool_metrics },
	{ "status", NULL, COMMON | BIT(OPT_ALL) | BIT(OPT_QUICK), cmd_status,
	  "say whether MPU is up and translates, on which driver, what it did", false, NULL },
	{ "doctor", NULL, COMMON, cmd_doctor,
	  "say what this host allows, what its driver does, what to do", false, NULL },
	{ "ps", NULL, COMMON | BIT(OPT_BY) | FILTER, cmd_ps,
	  "list GPU processes with their containers, pods and users", false, NULL },
	{ "top", NULL, (COMMON & ~BIT(OPT_JSON)) | BIT(OPT_INTERVAL) | BIT(OPT_BATCH) |
	  BIT(OPT_TIMES) | FILTER, cmd_top, "show who uses the GPUs, live", false, NULL },
	{ "smi", NULL, COMMON, cmd_smi,
	  "list GPU processes as the driver tells them, and nothing else", false, NULL },
	{ "controls", NULL, COMMON, cmd_controls,
	  "list the driver controls whose PIDs are translated", false, NULL },
	{ "help", "COMMAND", COMMON, cmd_help,
	  "explain one command, or list all", false, NULL },
	{ "version", NULL, COMMON, cmd_version,
	  "print the version", false, NULL },
	{ NULL, NULL, 0, NULL, NULL, false, NULL },
};

static const struct cli_command *find_command(const char *name)
{
	const struct cli_command *command;

	for (command = cli_commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/* Fill the tables that getopt_long() takes from ours. */
static void fill_getopt(struct option *longs, char *letters, bool to_word)
{
	int i;

	if (to_word)
		*letters++ = '+';
	*letters++ = ':';	/* tell a missing value from an unknown name */
	for (i = 0; i < OPTIONS; i++) {
		const struct cli_option_row *row = &cli_options[i];

		longs[i] = (struct option){ row->name, !!row->value, NULL,
					    row->letter };
		*letters++ = row->letter;
		if (row->value)
			*letters++ = ':';
	}
	longs[i] = (struct option){ 0 };
	*letters = '\0';
}

static int option_of_letter(int letter)
{
	int i;

	for (i = 0; i < OPTIONS; i++)
		if (cli_options[i].letter == letter)
			return i;
	return -1;
}

/* The first thing that is wrong: said once it is known whether in JSON. */
struct complaint {
	char text[256];
};

static void complain(struct complaint *complaint, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void complain(struct complaint *complaint, const char *fmt, ...)
{
	va_list args;

	if (complaint->text[0])
		return;
	va_start(args, fmt);
	vsnprintf(complaint->text, sizeof(complaint->text), fmt, args);
	va_end(args);
}

/* Parse options. @to_word: no further than to the first word. */
static void parse_options(struct cli *cli, int argc, char **argv, bool to_word,
			  struct complaint *complaint)
{
	char letters[2 * OPTIONS + 3];
	struct option longs[OPTIONS + 1];
	int letter;

	fill_getopt(longs, letters, to_word);
	opterr = 0;
	optind = 0;		/* start anew */
	while ((letter = getopt_long(argc, argv, letters, longs, NULL)) >= 0) {
		const char *word = argv[optind - 1];

		if (letter == ':')
			complain(complaint,
				 "option %s needs a value; see 'mpu help'",
				 word);
		else if (letter == '?' && word[0] == '-' && word[1] == '-')
			complain(complaint,
				 "unknown option %s; see 'mpu help'", word);
		else if (letter == '?')
			complain(complaint,
				 "unknown option -%c; see 'mpu help'", optopt);
		else
			cli->option[option_of_letter(letter)] =
				optarg ? optarg : "";
	}
}

static bool takes_words(const struct cli_command *command)
{
	const char *dots = command && command->argument ?
			   strstr(command->argument, "...") : NULL;

	return dots && !dots[3];
}

/* Find the command and its argument. @word: the command, then its words. */
static enum cli_exit parse_words(struct cli *cli, int words, char **word)
{
	if (!words && cli->option[OPT_VERSION])
		cli->command = find_command("version");
	else if (!words && cli->option[OPT_HELP])
		cli->command = find_command("help");
	else if (!words)
		return cli_fail(cli, CLI_USAGE,
			"no command given; 'mpu help' lists them");
	else
		cli->command = find_command(word[0]);
	if (!cli->command)
		return cli_fail(cli, CLI_USAGE,
			"there is no command '%s'; 'mpu help' lists them",
			word[0]);
	if (words)
		cli->words = word + 1;
	if (takes_words(cli->command))
		return CLI_DONE;
	if (words > 2 || (words == 2 && !cli->command->argument))
		return cli_fail(cli, CLI_USAGE,
			"one word too many, '%s'; see 'mpu help %s'",
			word[words - 1], word[0]);
	if (words == 2)
		cli->argument = word[1];
	return CLI_DONE;
}

/*
 * Options may stand before the command and after it; of a command that takes
 * another's words, they end with the first of these.
 */
static enum cli_exit parse_line(struct cli *cli, int argc, char **argv)
{
	struct complaint complaint = { 0 };
	int words = 0;
	char *name;

	parse_options(cli, argc, argv, true, &complaint);
	name = argv[optind];
	if (name) {
		const struct cli_command *command = find_command(name);

		argc -= optind;
		argv += optind;
		optind = 1;
		if (!command || !command->tool)
			parse_options(cli, argc, argv, takes_words(command),
				      &complaint);
		argv += optind - 1;	/* the name, in front of its words */
		*argv = name;
		words = argc - optind + 1;
	}
	cli->json = cli->option[OPT_JSON];
	if (complaint.text[0])
		return cli_fail(cli, CLI_USAGE, "%s", complaint.text);
	return parse_words(cli, words, argv);
}

/* Is @value one of the words of "one|two|three"? */
static bool is_one_of(const char *words, const char *value)
{
	size_t len;

	for (; *words; words += len + (words[len] == '|')) {
		len = strcspn(words, "|");
		if (len == strlen(value) && !strncmp(words, value, len))
			return true;
	}
	return false;
}

static enum cli_exit check_options(const struct cli *cli)
{
	int i;

	for (i = 0; i < OPTIONS; i++) {
		const struct cli_option_row *row = &cli_options[i];

		if (!cli->option[i])
			continue;
		if (!(cli->command->options & BIT(i)))
			return cli_fail(cli, CLI_USAGE,
				"'mpu %s' takes no --%s; see 'mpu help %s'",
				cli->command->name, row->name,
				cli->command->name);
		if (row->value && !cli->option[i][0])
			return cli_fail(cli, CLI_USAGE,
				"--%s: its value is empty; give it %s",
				row->name, row->value);
		if (row->value && strchr(row->value, '|') &&
		    !is_one_of(row->value, cli->option[i]))
			return cli_fail(cli, CLI_USAGE,
				"--%s %s is none of %s",
				row->name, cli->option[i], row->value);
	}
	return CLI_DONE;
}

bool cli_passes_unknown(const struct cli *cli)
{
	const char *what = cli->option[OPT_UNKNOWN];

	return what && !strcmp(what, "pass");
}

unsigned int cli_cpu_percent(const struct cli *cli)
{
	const char *percent = cli->option[OPT_CPU];

	return percent ? (unsigned int)atoi(percent) : BUDGET_PERCENT;
}

enum cli_exit cli_need_host(const struct cli *cli)
{
	if (access("/proc/self/ns/pid", F_OK))
		return cli_fail(cli, CLI_FAILED,
			"/proc is not mounted: mount it first");
	if (!host_is_initial())
		return cli_fail(cli, CLI_FAILED,
			"this is inside of a container: drivers that name processes by the host's PIDs can be translated on the host only");
	return CLI_DONE;
}

enum cli_exit cmd_help(const struct cli *cli)
{
	const struct cli_command *command = NULL;

	if (cli->argument) {
		command = find_command(cli->argument);
		if (!command)
			return cli_fail(cli, CLI_USAGE,
				"there is no command '%s'; 'mpu help' lists them",
				cli->argument);
	}
	cli_help(cli, command);
	return CLI_DONE;
}

enum cli_exit cmd_version(const struct cli *cli)
{
	if (cli->json) {
		struct json_object *answer = json_object_new_object();

		member_add_text(answer, "version", MPU_VERSION);
		cli_print_json(answer);
	} else {
		printf("mpu %s\n", MPU_VERSION);
	}
	return CLI_DONE;
}

/* An answer that could not be written was not given, be it an error. */
static enum cli_exit check_output(struct cli *cli, enum cli_exit status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	cli->json = false;
	return cli_fail(cli, CLI_FAILED,
			"cannot write the answer to standard output");
}

int main(int argc, char **argv)
{
	const char *root = getenv("MPU_ROOT");
	int (*other)(char **words) = names_find(argv[0]);
	struct cli cli = { 0 };
	enum cli_exit status;

	fd_open_standard();
	if (other)
		return other(argv);
	if (root)
		host_set_root(root);
	status = parse_line(&cli, argc, argv);
	if (!status)
		status = check_options(&cli);
	if (!status && cli.option[OPT_HELP])
		cli_help(&cli, strcmp(cli.command->name, "help") ?
			 cli.command : NULL);
	else if (!status && cli.option[OPT_VERSION])
		status = cmd_version(&cli);
	else if (!status && host_is_other() && cli.command->starts)
		status = cli_fail(&cli, CLI_FAILED,
			"MPU_ROOT is set: that is another system's files, nothing can be started there");
	else if (!status && cli.command->tool)
		return tool_main(cli.command->tool, cli.words - 1);
	else if (!status)
		status = cli.command->run(&cli);
	return (int)check_output(&cli, status);
}
