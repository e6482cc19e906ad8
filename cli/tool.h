/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command lines that are not mpu's own but those of programs whose names it
 * answers to (nvidia-container-cli, nvidia-ctk ...): a tree of commands, each
 * with its options; parser, help and usage are made from it.
 */
#ifndef MPU_CLI_TOOL_H
#define MPU_CLI_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/exit.h"
#include "lib/words.h"

/* How options are written. */
enum tool_style {
	/*
	 * As glibc's argp has it: --name VALUE, --name=VALUE, any beginning of a
	 * name that is no other's, letters in one word, options behind arguments.
	 */
	TOOL_GNU,
	TOOL_MPU,	/* likewise, with -h for help, as mpu has it */
	/* As Go has it: also -name, and --name=false for one without a value. */
	TOOL_GO,
};

/**
 * struct tool_option - an option
 * @letter:	short form, 0 if none
 * @value:	what its value is called, NULL if it takes none; in brackets if it
 *		may be left out: "[UID[:GID]]"
 * @env:	the variable that is its value where it is not given, or NULL
 * @what:	what it is for; NULL: this is another name of the option before it
 */
struct tool_option {
	const char *name;
	char letter;
	const char *value;
	const char *env;
	const char *what;
};

struct tool_call;

/**
 * struct tool_command - a command, or a group of commands, or both
 * @argument:	what its argument is called, NULL if it takes none; in brackets if
 *		it may be left out; with "..." behind it, there may be many
 * @options:	end with a NULL name; NULL: none
 * @commands:	those of a group, end with a NULL name; NULL: it is none
 * @run:	returns an exit status; NULL for a group; of one that is both: what
 *		is run where no command is named
 * @what:	what it does, a sentence without its full stop
 */
struct tool_command {
	const char *name;
	const char *argument;
	const struct tool_option *options;
	const struct tool_command *commands;
	int (*run)(const struct tool_call *call);
	const char *what;
};

/**
 * struct tool - a program
 * @top:	its name, its options that stand before any command, its commands
 * @version:	what --version prints, without the newline; NULL: no such option
 * @usage_status: exit status of a command line that is wrong
 */
struct tool {
	struct tool_command top;
	enum tool_style style;
	const char *version;
	enum cli_exit usage_status;
};

/**
 * struct tool_given - an option that was given
 * @value:	"" if none was
 */
struct tool_given {
	const struct tool_option *option;
	const char *value;
};

/**
 * struct tool_call - a command line that was parsed
 * @name:	of the program and its commands: "nvidia-ctk cdi generate"
 * @words:	arguments; behind them stands NULL
 * @given:	in the order in which they were given
 * @context:	of tool_run()
 */
struct tool_call {
	const struct tool *tool;
	const struct tool_command *command;
	char name[96];
	char **words;
	size_t n_words;
	struct tool_given *given;
	size_t n_given;
	void *context;
};

/**
 * tool_main() - parse a command line, and run the command that it names
 * @words:	as of main(): the first is the program's name; NULL ends them
 *
 * Return: an exit status.
 */
int tool_main(const struct tool *tool, char **words);

/**
 * tool_run() - as tool_main(), called by another program of ours
 * @context:	what its command takes beside the words
 */
int tool_run(const struct tool *tool, char **words, void *context);

/**
 * tool_value() - value of an option, the last that was given, else that of its
 * variable
 * @name:	of an option of the command, or of a group that it is in
 *
 * Return: "" for an option without a value; NULL if there is none.
 */
const char *tool_value(const struct tool_call *call, const char *name);

/** tool_is_on() - was an option without a value given, and not as =false? */
bool tool_is_on(const struct tool_call *call, const char *name);

/**
 * tool_values() - all values of an option, each split at its commas; none were
 * given: those of its variable
 *
 * Return: 0 or -ENOMEM.
 */
int tool_values(const struct tool_call *call, const char *name,
		struct words *values);

/**
 * tool_fail() - say what is wrong on stderr: "nvidia-ctk: ..."
 *
 * Return: @status.
 */
int tool_fail(const struct tool_call *call, enum cli_exit status,
	      const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** tool_fail_usage() - as tool_fail(), of a command line that is wrong */
int tool_fail_usage(const struct tool_call *call, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * tool_print_option() - a line of help on an option
 * @letter:	0: none
 * @value:	NULL: none
 */
void tool_print_option(const char *name, char letter, const char *value,
		       const char *what);

#endif /* MPU_CLI_TOOL_H */
