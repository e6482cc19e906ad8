// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of commands, and values of options: see command.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command/internal.h"
#include "lib/text.h"

/* Every command has these. */
static const struct command_option automatic[][4] = {
	[PROGRAM_MPU] = {
		{ "json", 'j', NULL, NULL, "answer in JSON, errors included" },
		{ "help", 'h', NULL, NULL, "show this help" },
		{ "version", 'V', NULL, NULL, "show the version" },
		{ .name = NULL },
	},
	[PROGRAM_GNU] = {
		{ "help", '?', NULL, NULL, "show this help" },
		{ "usage", 0, NULL, NULL, "show the options alone" },
		{ "version", 'V', NULL, NULL, "show the version" },
		{ .name = NULL },
	},
	[PROGRAM_GO] = {
		{ "help", 'h', NULL, NULL, "show this help" },
		{ "usage", 0, NULL, NULL, "show the options alone" },
		{ "version", 'v', NULL, NULL, "show the version" },
		{ .name = NULL },
	},
};

void command_begin(struct command_call *call, const struct program *program)
{
	*call = (struct command_call){
		.program = program, .command = &program->top,
		.path = { &program->top }, .depth = 1,
	};
	snprintf(call->name, sizeof(call->name), "%s", program->top.name);
}

bool command_enter(struct command_call *call, const char *name)
{
	const struct command *const *one = call->command->commands;
	size_t len = strlen(call->name);

	while (one && *one && strcmp((*one)->name, name) != 0)
		one++;
	if (!one || !*one || call->depth == COMMAND_DEPTH)
		return false;
	call->command = call->path[call->depth++] = *one;
	snprintf(call->name + len, sizeof(call->name) - len, " %s", name);
	return true;
}

/* NVIDIA's commands do not have --version, their programs have it. */
static bool is_had(const struct command_call *call, const struct command_option *option)
{
	return call->program->style == PROGRAM_MPU || strcmp(option->name, "version") != 0 ||
	       (call->depth == 1 && call->program->version);
}

const struct command_option *command_option(const struct command_call *call, size_t index)
{
	const struct command_option *const *table = call->command->options;
	const struct command_option *option;

	for (; *table; table++)
		for (option = *table; option->name; option++)
			if (!index--)
				return option;
	for (option = automatic[call->program->style]; option->name; option++)
		if (is_had(call, option) && !index--)
			return option;
	return NULL;
}

char command_letter(const struct command_call *call, const struct command_option *option)
{
	const struct command_option *every = automatic[call->program->style];
	size_t i;

	for (; every->name; every++)
		if (option == every)
			return option->letter;
	for (i = 0; i < call->depth; i++)
		if (call->program->style == PROGRAM_MPU && call->path[i]->flags & COMMAND_LONG)
			return 0;
	return option->letter;
}

/* Return: the value of an option's variable; NULL: it has none, or that is empty. */
static const char *variable(const struct command_call *call, const char *name)
{
	const struct command_option *const *table, *option;
	const char *value;
	size_t i;

	for (i = call->depth; i; i--)
		for (table = call->path[i - 1]->options; *table; table++)
			for (option = *table; option->name; option++) {
				if (!option->env || strcmp(option->name, name) != 0)
					continue;
				value = getenv(option->env);
				return value && *value ? value : NULL;
			}
	return NULL;
}

const char *command_value(const struct command_call *call, const char *name)
{
	size_t i;

	for (i = call->n_given; i; i--)
		if (!strcmp(call->given[i - 1].option->name, name))
			return call->given[i - 1].value;
	return variable(call, name);
}

const char *command_text(const struct command_call *call, const char *name)
{
	const char *value = command_value(call, name);

	return value && *value ? value : NULL;
}

bool command_is_on(const struct command_call *call, const char *name)
{
	const char *value = command_value(call, name);

	return value && (!*value || text_truth(value) > 0);
}

bool command_wants_json(const struct command_call *call)
{
	return call->program->style == PROGRAM_MPU && command_is_on(call, "json");
}

void command_values(const struct command_call *call, const char *name, struct strv *values)
{
	bool is_given = false;
	size_t i;

	for (i = 0; i < call->n_given; i++)
		if (!strcmp(call->given[i].option->name, name)) {
			strv_split(values, call->given[i].value, ',');
			is_given = true;
		}
	if (!is_given)
		strv_split(values, variable(call, name), ',');
}
