/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands of mpu share: the table's rows, a parsed command line, and
 * the two ways to answer (text, JSON).
 */
#ifndef MPU_CLI_CLI_H
#define MPU_CLI_CLI_H

#include <stdbool.h>

#include "cli/exit.h"
#include "lib/json.h"

enum cli_option {
	OPT_JSON, OPT_HELP, OPT_VERSION, OPT_ALL, OPT_ENGINE, OPT_MODULE,
	OPT_SOCKET, OPT_CPU, OPT_UNKNOWN, OPT_QUICK, OPT_FOREGROUND,
	OPT_BY, OPT_GPU, OPT_CONTAINER, OPT_POD, OPT_NAMESPACE, OPT_USER, OPT_PID,
	OPT_INTERVAL, OPT_BATCH, OPT_TIMES,
	OPTIONS,
};

/**
 * struct cli_option_row - one option: parser, help, completion
 * @letter:	short form, 0 if none
 * @value:	what its value is called, NULL if it takes none; words
 *		separated by | are the values there are
 */
struct cli_option_row {
	const char *name;
	char letter;
	const char *value;
	const char *what;
};

struct cli;
struct tool;

/**
 * struct cli_command - one command
 * @argument:	what its one argument is called, NULL if it takes none; if that
 *		ends with "...", all words from the first one on are the
 *		argument, whatever they look like
 * @options:	bit (1 << enum cli_option) of each it takes
 * @starts:	it starts something, which another system's files cannot be used
 *		for (MPU_ROOT)
 * @tool:	what reads its words, all of them, and runs it; @argument then says
 *		what these are, and @run is NULL
 */
struct cli_command {
	const char *name;
	const char *argument;
	unsigned int options;
	enum cli_exit (*run)(const struct cli *cli);
	const char *what;
	bool starts;
	const struct tool *tool;
};

extern const struct cli_option_row cli_options[OPTIONS];
extern const struct cli_command cli_commands[];	/* ends with a NULL name */

/**
 * struct cli - a parsed command line
 * @command:	NULL until it is known
 * @argument:	NULL if none was given
 * @words:	all words of an argument that ends with "...", then NULL
 * @option:	value, "" for an option without one, NULL if not given
 */
struct cli {
	bool json;
	const struct cli_command *command;
	const char *argument;
	char **words;
	const char *option[OPTIONS];
};

/**
 * cli_fail() - say what is wrong: a sentence on stderr, or an object with the
 * one member "error" on stdout if the user asked for JSON
 *
 * Return: @status.
 */
enum cli_exit cli_fail(const struct cli *cli, enum cli_exit status,
		       const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** cli_passes_unknown() - did the user say --unknown pass? */
bool cli_passes_unknown(const struct cli *cli);

/** cli_cpu_percent() - how much of one CPU the calls of a container may take */
unsigned int cli_cpu_percent(const struct cli *cli);

/**
 * cli_need_host() - is this where engine notify can translate? To a worker in
 * another PID namespace the driver's numbers would say nothing
 *
 * Return: CLI_DONE, or as cli_fail().
 */
enum cli_exit cli_need_host(const struct cli *cli);

/** cli_print_json() - print an answer and drop it */
void cli_print_json(struct json_object *answer);

/** cli_help() - help on all commands, or on one; text or JSON */
void cli_help(const struct cli *cli, const struct cli_command *command);

enum cli_exit cmd_up(const struct cli *cli);
enum cli_exit cmd_down(const struct cli *cli);
enum cli_exit cmd_agent(const struct cli *cli);
enum cli_exit cmd_run(const struct cli *cli);
enum cli_exit cmd_runtime(const struct cli *cli);
enum cli_exit cmd_status(const struct cli *cli);
enum cli_exit cmd_doctor(const struct cli *cli);
enum cli_exit cmd_smi(const struct cli *cli);
enum cli_exit cmd_ps(const struct cli *cli);
enum cli_exit cmd_top(const struct cli *cli);
enum cli_exit cmd_controls(const struct cli *cli);
enum cli_exit cmd_help(const struct cli *cli);
enum cli_exit cmd_version(const struct cli *cli);

#endif /* MPU_CLI_CLI_H */
