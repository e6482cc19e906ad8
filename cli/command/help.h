/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Help on commands, made from their rows; and the commands that print it.
 */
#ifndef MPU_CLI_COMMAND_HELP_H
#define MPU_CLI_COMMAND_HELP_H

#include <stdio.h>

#include "cli/command/command.h"

extern const struct command command_help;
extern const struct command command_version;
extern const struct command command_complete;	/* prints deploy/completion */

/** help_print() - print what --help prints. Return: CLI_DONE */
int help_print(const struct command_call *call);

/**
 * help_suggest() - write " (did you mean '--gpu'?)", or nothing
 * @word:	an option, or a command of a group, that is not there
 *
 * Return: @text.
 */
const char *help_suggest(const struct command_call *call, const char *word, char text[64]);

/** help_print_version() - Return: CLI_DONE */
int help_print_version(const struct command_call *call);

/** help_print_usage() - print all options in one sentence, as long as it takes */
void help_print_usage(const struct command_call *call);

/** help_print_synopsis() - print "usage: nvidia-ctk cdi [OPTION]... generate|list ..." */
void help_print_synopsis(FILE *to, const struct command_call *call);

#endif /* MPU_CLI_COMMAND_HELP_H */
