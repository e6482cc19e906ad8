// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of command lines: see command.h. glibc's getopt_long() takes exactly what
 * its argp takes, by which NVIDIA's programs in C read theirs.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command/internal.h"
#include "lib/host.h"
#include "lib/text.h"
#include "lib/xalloc.h"

/* The answer of getopt_long() to the long form of the option at an index. */
#define LONG(index)	(256 + (int)(index))

static bool is_mpu(const struct command_call *call)
{
	return call->program->style == PROGRAM_MPU;
}

/* Is it asked for help, or the version, whatever else the command line lacks? */
static bool wants_help(const struct command_call *call)
{
	return is_mpu(call) && (command_is_on(call, "help") || command_is_on(call, "version"));
}

/*
 * Note what is wrong. mpu reads on, to find out whether that is to be said in JSON.
 * Return: an exit status where the command line ends with this; else -1.
 */
static int refuse(struct command_call *call, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(struct command_call *call, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!call->wrong[0])
		snprintf(call->wrong, sizeof(call->wrong), "%s; see '%s --help'", text, call->name);
	return is_mpu(call) ? -1 : command_fail(call, call->program->usage_status, "%s",
						call->wrong);
}

static bool may_lack_value(const struct command_option *option)
{
	return option->value && option->value[0] == '[';
}

/* Fill the tables that getopt_long() takes from ours. */
static void fill_getopt(const struct command_call *call, struct option *longs, char *letters)
{
	bool go = call->program->style == PROGRAM_GO;
	const struct command_option *option;
	char letter;
	int takes;

	/* No further than to the first word, where those behind it are another's. */
	if (!call->wrong[0] && (call->command->commands || call->command->flags & COMMAND_RUNS))
		*letters++ = '+';
	*letters++ = ':';	/* tell a missing value from an unknown name */
	for (size_t i = 0; i < COMMAND_OPTIONS && (option = command_option(call, i)); i++) {
		letter = command_letter(call, option);
		takes = !option->value ? (go ? optional_argument : no_argument) :
			may_lack_value(option) ? optional_argument : required_argument;
		*longs++ = (struct option){ option->name, takes, NULL, LONG(i) };
		if (!letter || letter == '?')	/* getopt's answer to an unknown option */
			continue;
		*letters++ = letter;
		if (option->value)
			*letters++ = ':';
		if (may_lack_value(option))
			*letters++ = ':';
	}
	*longs = (struct option){ 0 };
	*letters = '\0';
}

/* Return: the option that getopt_long() has answered; NULL: none. */
static const struct command_option *option_of(const struct command_call *call, int answer)
{
	const struct command_option *option;
	size_t i;

	if (answer >= LONG(0))
		return command_option(call, (size_t)(answer - LONG(0)));
	for (i = 0; answer && (option = command_option(call, i)); i++)
		if (command_letter(call, option) == answer)
			return option;
	return NULL;
}

static int refuse_no_value(struct command_call *call, const struct command_option *option)
{
	return refuse(call, "option --%s requires an argument (%s)", option->name, option->value);
}

static int refuse_value(struct command_call *call, const char *choices,
			const char *value, const char *before, const char *name)
{
	char text[128];

	return refuse(call, "invalid value '%.40s'%s%s: use %s", value, before, name,
		      choices_say(choices, text, sizeof(text)));
}

static int add_given(struct command_call *call, const struct command_option *option,
		     const char *value)
{
	while (!option->what)
		option--;
	call->given = xreallocarray(call->given, call->n_given + 1, sizeof(*call->given));
	call->given[call->n_given++] = (struct command_given){ option, value ? value : "" };
	if (!option->value && value && *value && text_truth(value) < 0)
		return refuse(call, "option --%s is either true or false, not '%s'",
			      option->name, value);
	if (!option->value || !is_mpu(call))
		return -1;
	if (!*value && !may_lack_value(option))
		return refuse_no_value(call, option);
	if (!choices_have(option->value, value))
		return refuse_value(call, option->value, value, " for --", option->name);
	return -1;
}

static size_t count_names(const struct command_call *call, const char *word)
{
	const struct command_option *option;
	size_t i, n = 0, len;

	word += strspn(word, "-");
	len = strcspn(word, "=");
	for (i = 0; (option = command_option(call, i)); i++)
		n += len && !strncmp(option->name, word, len);
	return n;
}

/* Say what getopt_long() has refused. @word: the last that it has read */
static int refuse_option(struct command_call *call, int answer, const char *word)
{
	const struct command_option *option = option_of(call, optopt);
	char text[64];

	if (answer == ':' && option)
		return refuse_no_value(call, option);
	if (optopt >= LONG(0) && option)
		return refuse(call, "option --%s doesn't allow an argument", option->name);
	if (optopt)
		return refuse(call, "invalid option -- '%c'", optopt);
	if (count_names(call, word) > 1)
		return refuse(call, "ambiguous option '%s'", word);
	return refuse(call, "unrecognized option '%s'%s", word, help_suggest(call, word, text));
}

/* Return: as refuse(). */
static int take_option(struct command_call *call, int answer, const char *word)
{
	const struct command_option *option = option_of(call, answer);

	if (answer == ':' || (answer == '?' && optopt != '?'))
		return refuse_option(call, answer, word);
	if (is_mpu(call))
		return add_given(call, option, optarg);
	if (answer == '?' || !strcmp(option->name, "help"))
		help_print(call);
	else if (!strcmp(option->name, "usage"))
		help_print_usage(call);
	else if (!strcmp(option->name, "version"))
		puts(call->program->version);
	else
		return add_given(call, option, optarg);
	return 0;
}

/* Read the options of one command. call->words: its name, and what follows. */
static int parse_options(struct command_call *call)
{
	bool go = call->program->style == PROGRAM_GO;
	struct option longs[COMMAND_OPTIONS + 1];
	char letters[3 * COMMAND_OPTIONS + 3];
	int answer, status = -1;

	fill_getopt(call, longs, letters);
	opterr = 0;
	optind = 0;	/* start anew */
	while (status < 0) {
		optopt = 0;
		answer = (go ? getopt_long_only : getopt_long)((int)call->n_words,
				call->words, letters, longs, NULL);
		if (answer < 0)
			break;
		status = take_option(call, answer, call->words[optind - 1]);
	}
	if (status < 0) {
		call->words += optind;
		call->n_words -= (size_t)optind;
	}
	return status;
}

static int check_words(struct command_call *call)
{
	const char *argument = call->command->argument;
	bool many = argument && strstr(argument, "...");

	if (argument && argument[0] != '[' && !call->n_words)
		return refuse(call, "no %.*s given", (int)strcspn(argument, "."), argument);
	if (!many && call->n_words > (argument ? 1 : 0) && !call->program->helps)
		return refuse(call, "'%s' is one word too many", call->words[call->n_words - 1]);
	if (argument && call->n_words && !choices_have(argument, call->words[0]))
		return refuse_value(call, argument, call->words[0], "", "");
	return -1;
}

/* Does a program that helps explain a group here? Return: as refuse(). */
static int explain(struct command_call *call)
{
	size_t i;

	if (!call->program->helps ||
	    (call->n_words && strcmp(call->words[0], "help") && strcmp(call->words[0], "h")))
		return -1;
	for (i = 1; i < call->n_words && command_enter(call, call->words[i]); i++)
		;
	return help_print(call);
}

/* Go on to the command of a group that the next word names. */
static int enter_command(struct command_call *call)
{
	char text[64];
	int status;

	if (call->n_words && command_enter(call, call->words[0]))
		return -1;
	status = explain(call);
	if (status >= 0)
		return status;
	if (call->n_words)
		status = refuse(call, "there is no command '%s'%s", call->words[0],
				help_suggest(call, call->words[0], text));
	else
		status = refuse(call, "no command given");
	if (!is_mpu(call))
		help_print_synopsis(stderr, call);
	return status;
}

static bool is_complete(const struct command_call *call)
{
	return call->wrong[0] || !call->command->commands ||
	       (!call->n_words && (call->command->run || wants_help(call)));
}

/* Return: an exit status; -1: the command is to be run. */
static int parse(struct command_call *call)
{
	int status = call->n_words ? parse_options(call) : refuse(call, "no command given");

	while (status < 0 && !is_complete(call)) {
		status = enter_command(call);
		if (status < 0 && !call->wrong[0])
			status = parse_options(call);
	}
	if (status < 0 && !call->wrong[0] && !wants_help(call))
		status = check_words(call);
	/* The rest may ask for JSON. */
	if (status < 0 && call->wrong[0] && call->n_words)
		status = parse_options(call);
	return status < 0 && call->wrong[0] ?
	       command_fail(call, call->program->usage_status, "%s", call->wrong) : status;
}

static int run(const struct command_call *call)
{
	if (wants_help(call))
		return command_is_on(call, "help") ? help_print(call) : help_print_version(call);
	if (host_is_other() && call->command->flags & COMMAND_STARTS)
		return command_fail(call, CLI_FAILED, "MPU_ROOT is set: that is another system's files, nothing can be started there");
	return call->command->run(call);
}

int program_run(const struct program *program, char **words, void *context)
{
	struct command_call call;
	int status;

	command_begin(&call, program);
	call.words = words;
	call.context = context;
	while (words[call.n_words])
		call.n_words++;
	status = parse(&call);
	if (status < 0)
		status = run(&call);
	if (fflush(stdout) || ferror(stdout)) {
		command_warn(&call, "cannot write the answer to standard output");
		status = CLI_FAILED;
	}
	free(call.given);
	return status;
}
