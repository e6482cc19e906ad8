/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of cli/command alone: help on commands, made from their rows, and words of
 * which one has to be given, "one|two|three".
 */
#ifndef MPU_CLI_COMMAND_INTERNAL_H
#define MPU_CLI_COMMAND_INTERNAL_H

#include "cli/command/command.h"

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

/** choices_have() - is @word one of them? Without any | everything is */
bool choices_have(const char *choices, const char *word);

/** choices_say() - write "one, two or three". Return: @text */
const char *choices_say(const char *choices, char *text, size_t size);

/** choices_nearest() - find the name that @word may be a mistyped form of; or NULL */
const char *choices_nearest(const char *const *names, size_t n, const char *word);

#endif /* MPU_CLI_COMMAND_INTERNAL_H */
