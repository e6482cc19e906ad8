/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command lines: a program is a tree of commands, each a row beside the code that it
 * runs. Parser, help, completion and the check of the manual all read the rows.
 */
#ifndef MPU_CLI_COMMAND_COMMAND_H
#define MPU_CLI_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/json.h"
#include "lib/strv.h"

/*
 * Exit statuses of all programs in here. A command that becomes another program, or waits for
 * one, ends with that one's.
 */
enum cli_exit {
	CLI_DONE,
	CLI_FAILED,
	/* The command line is wrong; nvidia-container-cli, -ctk and -cdi-hook: CLI_FAILED. */
	CLI_USAGE,
	CLI_NO,		/* asked a question, and the answer is no */
	/* sysexits' EX_TEMPFAIL: it can be done when something else has been; in mpu alone. */
	CLI_LATER = 75,
};

/*
 * The ways to write options: like glibc's argp (--name VALUE, --name=VALUE, any
 * beginning of a name that is no other's, letters in one word, options behind
 * arguments); like Go (also -name, and --name=false for one without a value).
 */
enum program_style {
	/*
	 * Like argp, and every command has -j, -h and -V: errors are printed in JSON,
	 * too, with the name that may be meant, and values are compared with the row's.
	 */
	PROGRAM_MPU,
	PROGRAM_GNU,
	PROGRAM_GO,
};

/**
 * struct command_option - an option
 * @letter:	short form, 0 if none
 * @value:	name of its value, NULL if it takes none; words separated by | are all
 *		the values there are; in brackets if it may be left out: "[UID[:GID]]"
 * @env:	the variable that is its value where it is not given, or NULL
 * @what:	its line of help; NULL: this is another name of the option before it
 */
struct command_option {
	const char *name;
	char letter;
	const char *value;
	const char *env;
	const char *what;
};

/* Tables of options of a command: its own, and those that it shares with others. */
#define OPTION_TABLES	3

/* Options of a command, or commands of a group, at most. */
#define COMMAND_OPTIONS	64

/* Members of struct command, flags. */
enum command_flag {
	COMMAND_STARTS = 1,	/* not with another system's files (MPU_ROOT) */
	COMMAND_RUNS = 2,	/* another program reads its words, from the first on */
	COMMAND_LONG = 4,	/* letters of options are for NVIDIA's names alone */
};

struct command_call;

/**
 * struct command - a command, or a group of commands, or both
 * @argument:	name of its argument, NULL if it takes none; in brackets if it may be
 *		left out; with "..." behind it, there may be many; words separated
 *		by | are all that it can be
 * @options:	tables, which end with a NULL name
 * @commands:	those of a group, end with NULL; NULL: it is none
 * @offer:	adds the words that the value of an option can be at this moment, or of the argument
 *		(@option: NULL), each with a tab and a sentence behind it or without; NULL: no shell
 *		asks for them
 * @run:	returns an exit status; NULL for a group; of one that is both: it is
 *		called where no command is named
 * @what:	what it does, a sentence without its full stop
 * @flags:	set of enum command_flag; COMMAND_LONG counts for those of a group, too
 */
struct command {
	const char *name;
	const char *argument;
	const struct command_option *options[OPTION_TABLES + 1];
	const struct command *const *commands;
	void (*offer)(const struct command_call *call, const char *option, struct strv *words);
	int (*run)(const struct command_call *call);
	const char *what;
	unsigned int flags;
};

/* A row in the list of a group. */
#define COMMAND(...)	(&(const struct command){ __VA_ARGS__ })

/**
 * struct program - a program
 * @top:	its name, its options that stand before any command, its commands
 * @version:	the answer to --version; NULL: there is no such option
 * @usage_status: exit status of a command line that is wrong
 * @helps:	a group without a command, and the commands help and h, explain; words that
 *		no command takes are none too many (as urfave/cli has it)
 */
struct program {
	struct command top;
	enum program_style style;
	const char *version;
	enum cli_exit usage_status;
	bool helps;
};

/**
 * struct command_given - an option that was given
 * @value:	"" if none was
 */
struct command_given {
	const struct command_option *option;
	const char *value;
};

#define COMMAND_DEPTH	4

/**
 * struct command_call - a command line that was parsed
 * @command:	the last of @path
 * @path:	the program, a group of its, a command
 * @name:	all of these: "nvidia-ctk cdi generate"
 * @words:	arguments; behind them stands NULL
 * @given:	in the order in which they were given
 * @wrong:	the first error of the command line, "" if there is none
 * @context:	of program_run()
 */
struct command_call {
	const struct program *program;
	const struct command *command;
	const struct command *path[COMMAND_DEPTH];
	size_t depth;
	char name[96];
	char **words;
	size_t n_words;
	struct command_given *given;
	size_t n_given;
	char wrong[512];
	void *context;
};

/**
 * program_run() - parse a command line, and run the command that it names
 * @words:	as of main(): the first is the program's name; NULL ends them
 * @context:	input of its command beside the words; NULL
 *
 * Return: an exit status.
 */
int program_run(const struct program *program, char **words, void *context);

/** command_begin() - name the program alone */
void command_begin(struct command_call *call, const struct program *program);

/** command_enter() - go on to a command of the group. Return: is there one? */
bool command_enter(struct command_call *call, const char *name);

/**
 * command_option() - walk the options of the command, and then those that every
 * command has
 *
 * Return: NULL behind the last one.
 */
const struct command_option *command_option(const struct command_call *call, size_t index);

/** command_letter() - Return: the short form that an option has here, 0 for none */
char command_letter(const struct command_call *call, const struct command_option *option);

/**
 * command_value() - find the value of an option, the last that was given, else that of
 * its variable
 * @name:	of an option of the command, or of a group that it is in
 *
 * Return: "" for an option without a value; NULL if there is none.
 */
const char *command_value(const struct command_call *call, const char *name);

/** command_text() - likewise; NULL also if it is empty */
const char *command_text(const struct command_call *call, const char *name);

/** command_is_on() - was an option without a value given, and not as =false? */
bool command_is_on(const struct command_call *call, const char *name);

/** command_wants_json() - is the answer to be in JSON? */
bool command_wants_json(const struct command_call *call);

/**
 * command_values() - collect all values of an option, each split at its commas; none
 * were given: those of its variable
 */
void command_values(const struct command_call *call, const char *name, struct strv *values);

/**
 * command_fail() - say what is wrong: a sentence on stderr, "mpu ps: ..." or
 * "nvidia-ctk: ..."; in JSON an object with the one member "error" on stdout
 *
 * Return: @status.
 */
int command_fail(const struct command_call *call, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** command_fail_usage() - do as command_fail(), of a command line that is wrong */
int command_fail_usage(const struct command_call *call, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** command_warn() - say on stderr, in JSON too, what does not end the command */
void command_warn(const struct command_call *call, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * command_tell_late() - from now on wait for the driver: say on stderr when that takes long
 * @call:	NULL: it is over
 */
void command_tell_late(const struct command_call *call);

/** command_print_json() - print an answer and drop it */
void command_print_json(struct json_object *answer);

/** command_print_member() - answer in JSON with one member */
void command_print_member(const char *name, const char *text);

/** command_print_words() - answer with a list: a word a line, or member @name in JSON */
void command_print_words(const struct command_call *call, const char *name,
			 const struct strv *words);

/** command_print_file() - answer in JSON, and there alone, with the file that was written */
void command_print_file(const struct command_call *call, const char *path);

/**
 * command_report() - answer with what went wrong: a sentence each on stderr, or member
 * "problems" in JSON
 *
 * Return: @status if anything did, else CLI_DONE.
 */
int command_report(const struct command_call *call, int status, const struct strv *problems);

extern const struct command command_help;
extern const struct command command_version;
extern const struct command command_complete;	/* prints deploy/completion */

/** help_print() - print what --help prints. Return: CLI_DONE */
int help_print(const struct command_call *call);

/** help_print_synopsis() - print "usage: nvidia-ctk cdi [OPTION]... generate|list ..." */
void help_print_synopsis(FILE *to, const struct command_call *call);

#endif /* MPU_CLI_COMMAND_COMMAND_H */
