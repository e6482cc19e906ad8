// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of command lines of other programs: see tool.h. What glibc's
 * getopt_long() takes is what its argp takes, which the programs in C have.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tool.h"

/* Options that every command has; --version is for the program alone. */
enum automatic { AUTO_HELP, AUTO_USAGE, AUTO_VERSION, AUTOMATIC };

static const struct tool_option automatic[AUTOMATIC + 1] = {
	[AUTO_HELP] = { "help", '?', NULL, NULL, "show this help" },
	[AUTO_USAGE] = { "usage", 0, NULL, NULL, "show the options alone" },
	[AUTO_VERSION] = { "version", 'V', NULL, NULL, "show the version" },
};

/* What getopt_long() returns for the long form of the option at an index. */
#define LONG(index)	(256 + (int)(index))

/* Options of one command, those that it has automatically behind its own. */
struct level {
	const struct tool_command *command;
	const struct tool_option **option;
	size_t n;
	size_t n_own;
};

/* -? and -V are argp's letters for these. */
static char letter_of(const struct tool *tool, const struct tool_option *option)
{
	if (tool->style != TOOL_GNU && option == &automatic[AUTO_HELP])
		return 'h';
	if (tool->style == TOOL_GO && option == &automatic[AUTO_VERSION])
		return 'v';
	return option->letter;
}

static bool may_lack_value(const struct tool_option *option)
{
	return option->value && option->value[0] == '[';
}

static int level_open(struct level *level, const struct tool *tool,
		      const struct tool_command *command)
{
	const struct tool_option *one = command->options;
	bool is_top = command == &tool->top;
	size_t i;

	*level = (struct level){ .command = command };
	while (one && one[level->n_own].name)
		level->n_own++;
	level->option = calloc(level->n_own + AUTOMATIC, sizeof(*level->option));
	if (!level->option)
		return -ENOMEM;
	for (; level->n < level->n_own; level->n++)
		level->option[level->n] = &one[level->n];
	for (i = 0; i < AUTOMATIC; i++)
		if (i != AUTO_VERSION || (is_top && tool->version))
			level->option[level->n++] = &automatic[i];
	return 0;
}

static void level_close(struct level *level)
{
	free(level->option);
}

int tool_fail(const struct tool_call *call, enum cli_exit status,
	      const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fprintf(stderr, "%s: ", call->tool->top.name);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
	return status;
}

/* "nvidia-ctk cdi [OPTION]... generate|list|transform" */
static void print_synopsis(FILE *to, const struct tool_call *call)
{
	const struct tool_command *command = call->command, *one;
	const char *separator = " ";

	fprintf(to, "usage: %s [OPTION]...", call->name);
	for (one = command->commands; one && one->name; one++) {
		fprintf(to, "%s%s", separator, one->name);
		separator = "|";
	}
	if (command->commands)
		fprintf(to, " ...");
	else if (command->argument)
		fprintf(to, " %s", command->argument);
	fputc('\n', to);
}

int tool_fail_usage(const struct tool_call *call, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fprintf(stderr, "%s: ", call->tool->top.name);
	vfprintf(stderr, fmt, args);
	fprintf(stderr, "; see '%s --help'\n", call->name);
	va_end(args);
	return call->tool->usage_status;
}

#define COLUMN	28

/* An option that does not fit into the first column has a line of its own. */
void tool_print_option(const char *name, char letter, const char *value,
		       const char *what)
{
	char word[96];
	char optional[] = "-?, ";

	optional[1] = letter;
	snprintf(word, sizeof(word), "%s--%s%s%s", letter ? optional : "    ",
		 name, !value ? "" : *value == '[' ? "[=" : " ",
		 !value ? "" : *value == '[' ? value + 1 : value);
	if (strlen(word) > COLUMN)
		printf("  %s\n  %*s %s\n", word, COLUMN, "", what);
	else
		printf("  %-*s %s\n", COLUMN, word, what);
}

static void print_help(const struct tool_call *call, const struct level *level)
{
	const struct tool_command *one;
	size_t i;

	print_synopsis(stdout, call);
	printf("\n%s\n", call->command->what);
	if (call->command->commands)
		printf("\ncommands:\n");
	for (one = call->command->commands; one && one->name; one++)
		printf("  %-14s %s\n", one->name, one->what);
	printf("\noptions:\n");
	for (i = 0; i < level->n; i++) {
		const struct tool_option *option = level->option[i];

		if (!option->what)
			continue;
		tool_print_option(option->name, letter_of(call->tool, option),
				  option->value, option->what);
		if (option->env)
			printf("  %*s (or variable %s)\n", COLUMN, "", option->env);
	}
}

/* All options in one sentence, as long as it takes. */
static void print_usage(const struct tool_call *call, const struct level *level)
{
	size_t i;

	printf("usage: %s", call->name);
	for (i = 0; i < level->n; i++) {
		const struct tool_option *option = level->option[i];

		if (!option->what)
			continue;
		if (option->letter && option->letter != '?')
			printf(" [-%c|--%s", letter_of(call->tool, option),
			       option->name);
		else
			printf(" [--%s", option->name);
		if (option->value)
			printf("%s=%s", may_lack_value(option) ? "[" : "",
			       option->value + may_lack_value(option));
		putchar(']');
	}
	if (call->command->commands)
		printf(" COMMAND ...");
	else if (call->command->argument)
		printf(" %s", call->command->argument);
	putchar('\n');
}

/* Fill the tables that getopt_long() takes from ours. */
static void fill_getopt(const struct tool_call *call, const struct level *level,
			struct option *longs, char *letters)
{
	bool go = call->tool->style == TOOL_GO;
	size_t i;

	if (call->command->commands)
		*letters++ = '+';	/* no further than to the first word */
	*letters++ = ':';	/* tell a missing value from an unknown name */
	for (i = 0; i < level->n; i++) {
		const struct tool_option *option = level->option[i];
		char letter = letter_of(call->tool, option);
		int takes = !option->value ?
				    (go ? optional_argument : no_argument) :
			    may_lack_value(option) ? optional_argument :
						     required_argument;

		longs[i] = (struct option){ option->name, takes, NULL, LONG(i) };
		if (!letter || letter == '?')	/* its answer to what is unknown */
			continue;
		*letters++ = letter;
		if (option->value)
			*letters++ = ':';
		if (may_lack_value(option))
			*letters++ = ':';
	}
	longs[level->n] = (struct option){ 0 };
	*letters = '\0';
}

/* An option as getopt_long() has answered it; NULL: it has not. */
static const struct tool_option *option_of(const struct tool_call *call,
					   const struct level *level, int answer)
{
	size_t i;

	if (answer >= LONG(0))
		return level->option[answer - LONG(0)];
	for (i = 0; i < level->n; i++)
		if (answer && letter_of(call->tool, level->option[i]) == answer)
			return level->option[i];
	return NULL;
}

/* Go's words for yes and no; -1: neither. */
static int truth_of(const char *text)
{
	static const char *const yes[] = { "", "1", "t", "T", "TRUE", "true", "True" };
	static const char *const no[] = { "0", "f", "F", "FALSE", "false", "False" };
	size_t i;

	for (i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		if (!strcmp(text, yes[i]))
			return 1;
	for (i = 0; i < sizeof(no) / sizeof(*no); i++)
		if (!strcmp(text, no[i]))
			return 0;
	return -1;
}

static int add_given(struct tool_call *call, const struct tool_option *option,
		     const char *value)
{
	struct tool_given *grown = reallocarray(call->given, call->n_given + 1,
						sizeof(*grown));

	while (!option->what)
		option--;
	if (!grown)
		return tool_fail(call, CLI_FAILED, "no memory for its command line");
	call->given = grown;
	grown[call->n_given++] = (struct tool_given){ option, value ? value : "" };
	if (option->value || truth_of(grown[call->n_given - 1].value) >= 0)
		return -1;
	return tool_fail_usage(call, "option --%s is either true or false, not '%s'",
			       option->name, value);
}

/* How many names begin as this word does? */
static size_t count_names(const struct level *level, const char *word)
{
	size_t i, n = 0, len;

	word += strspn(word, "-");
	len = strcspn(word, "=");
	for (i = 0; i < level->n; i++)
		n += len && !strncmp(level->option[i]->name, word, len);
	return n;
}

/* Say what getopt_long() has refused. @word: the last that it has read */
static int refuse(const struct tool_call *call, const struct level *level,
		  int answer, const char *word)
{
	const struct tool_option *option = option_of(call, level, optopt);

	if (answer == ':' && option)
		return tool_fail_usage(call, "option --%s requires an argument (%s)",
				       option->name, option->value);
	if (optopt >= LONG(0) && option)
		return tool_fail_usage(call, "option --%s doesn't allow an argument",
				       option->name);
	if (optopt)
		return tool_fail_usage(call, "invalid option -- '%c'", optopt);
	return tool_fail_usage(call, "%s option '%s'",
			       count_names(level, word) > 1 ? "ambiguous" :
							      "unrecognized", word);
}

/* Return: an exit status where the command line ends with this; else -1. */
static int take_option(struct tool_call *call, const struct level *level,
		       int answer, const char *word)
{
	const struct tool_option *option = option_of(call, level, answer);

	if (answer == '?' && optopt == '?')
		option = &automatic[AUTO_HELP];
	else if (answer == '?' || answer == ':')
		return refuse(call, level, answer, word);
	if (option == &automatic[AUTO_HELP])
		print_help(call, level);
	else if (option == &automatic[AUTO_USAGE])
		print_usage(call, level);
	else if (option == &automatic[AUTO_VERSION])
		puts(call->tool->version);
	else
		return add_given(call, option, optarg);
	return CLI_DONE;
}

/* Options of one command. call->words: its name, and what follows. */
static int parse_options(struct tool_call *call, const struct level *level)
{
	struct option *longs = calloc(level->n + 1, sizeof(*longs));
	char *letters = calloc(level->n + 1, 3);
	bool go = call->tool->style == TOOL_GO;
	int answer, status = -1;

	if (!longs || !letters)
		status = tool_fail(call, CLI_FAILED, "no memory for its command line");
	else
		fill_getopt(call, level, longs, letters);
	opterr = 0;
	optind = 0;	/* start anew */
	while (status < 0) {
		optopt = 0;
		answer = (go ? getopt_long_only : getopt_long)((int)call->n_words,
				call->words, letters, longs, NULL);
		if (answer < 0)
			break;
		status = take_option(call, level, answer, call->words[optind - 1]);
	}
	free(longs);
	free(letters);
	if (status < 0) {
		call->words += optind;
		call->n_words -= (size_t)optind;
	}
	return status;
}

static int check_words(const struct tool_call *call)
{
	const char *argument = call->command->argument;
	bool many = argument && strstr(argument, "...");

	if (argument && argument[0] != '[' && !call->n_words)
		return tool_fail_usage(call, "no %s given", argument);
	if (!many && call->n_words > (argument ? 1 : 0))
		return tool_fail_usage(call, "'%s' is one word too many",
				       call->words[call->n_words - 1]);
	return -1;
}

/* The command of a group that the next word names. */
static int enter_command(struct tool_call *call)
{
	const struct tool_command *one = call->command->commands;
	size_t len = strlen(call->name);

	while (call->n_words && one->name && strcmp(one->name, call->words[0]) != 0)
		one++;
	if (!call->n_words || !one->name) {
		if (call->n_words)
			tool_fail_usage(call, "there is no command '%s'",
					call->words[0]);
		else
			tool_fail_usage(call, "no command given");
		print_synopsis(stderr, call);
		return call->tool->usage_status;
	}
	call->command = one;
	snprintf(call->name + len, sizeof(call->name) - len, " %s", one->name);
	return -1;
}

static int parse_command(struct tool_call *call)
{
	struct level level;
	int status;

	if (level_open(&level, call->tool, call->command))
		return tool_fail(call, CLI_FAILED, "no memory for its command line");
	status = parse_options(call, &level);
	level_close(&level);
	return status;
}

int tool_run(const struct tool *tool, char **words, void *context)
{
	struct tool_call call = {
		.tool = tool, .command = &tool->top, .words = words,
		.context = context,
	};
	int status;

	snprintf(call.name, sizeof(call.name), "%s", tool->top.name);
	while (words[call.n_words])
		call.n_words++;
	status = call.n_words ? parse_command(&call) :
				tool_fail_usage(&call, "no command given");
	while (status < 0 && call.command->commands &&
	       (call.n_words || !call.command->run)) {
		status = enter_command(&call);
		if (status < 0)
			status = parse_command(&call);
	}
	if (status < 0)
		status = check_words(&call);
	if (status < 0)
		status = call.command->run(&call);
	free(call.given);
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	return tool_fail(&call, CLI_FAILED, "cannot write the answer to standard output");
}

int tool_main(const struct tool *tool, char **words)
{
	return tool_run(tool, words, NULL);
}

static const struct tool_option *find_option(const struct tool_command *command,
					     const char *name)
{
	const struct tool_option *option = command->options;

	while (option && option->name && strcmp(option->name, name) != 0)
		option++;
	return option && option->name ? option : NULL;
}

/* What the variable of an option says; NULL: it has none, or that says nothing. */
static const char *variable(const struct tool_call *call, const char *name)
{
	const struct tool_option *option = find_option(call->command, name);
	const char *value;

	if (!option)
		option = find_option(&call->tool->top, name);
	value = option && option->env ? getenv(option->env) : NULL;
	return value && *value ? value : NULL;
}

const char *tool_value(const struct tool_call *call, const char *name)
{
	size_t i;

	for (i = call->n_given; i; i--)
		if (!strcmp(call->given[i - 1].option->name, name))
			return call->given[i - 1].value;
	return variable(call, name);
}

bool tool_is_on(const struct tool_call *call, const char *name)
{
	const char *value = tool_value(call, name);

	return value && truth_of(value) > 0;
}

int tool_values(const struct tool_call *call, const char *name,
		struct words *values)
{
	bool is_given = false;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < call->n_given; i++)
		if (!strcmp(call->given[i].option->name, name)) {
			ret = words_split(values, call->given[i].value, ',');
			is_given = true;
		}
	if (!is_given)
		ret = words_split(values, variable(call, name), ',');
	return ret;
}
