// SPDX-License-Identifier: GPL-2.0-only
/*
 * Help on commands, as text or in JSON.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command/internal.h"

#define WIDTH	80
#define COLUMN	28	/* width of the options */

void help_print_synopsis(FILE *to, const struct command_call *call)
{
	const struct command *command = call->command;
	const struct command *const *one = command->commands;

	fprintf(to, "usage: %s [OPTION]...", call->name);
	if (one && call->program->style == PROGRAM_MPU)
		fprintf(to, command->run ? " [COMMAND]" : " COMMAND");
	for (; one && call->program->style != PROGRAM_MPU && *one; one++)
		fprintf(to, "%s%s", one == command->commands ? " " : "|", (*one)->name);
	if (command->commands)
		fprintf(to, " ...");
	else if (command->argument)
		fprintf(to, " %s", command->argument);
	fputc('\n', to);
}

/* Print a name, and beside it, from a column on, a sentence in as many lines as it takes. */
static void print_row(const char *name, int column, const char *what)
{
	int at = printf("  %-*s", column, name);

	if (at > column + 2)
		at = WIDTH;	/* the sentence begins on a line of its own */
	while (*what) {
		int len = (int)strcspn(what, " ");

		if (at + 1 + len > WIDTH)
			at = printf("\n%*s", column + 2, "") - 1;
		at += printf(" %.*s", len, what);
		what += len;
		what += strspn(what, " ");
	}
	putchar('\n');
}

static void print_option(const struct command_call *call, const struct command_option *option)
{
	char word[96], what[256], letter[] = "-?, ";
	const char *value = option->value;

	letter[1] = command_letter(call, option);
	snprintf(word, sizeof(word), "%s--%s%s%s", letter[1] ? letter : "    ", option->name,
		 !value ? "" : *value == '[' ? "[=" : " ",
		 !value ? "" : *value == '[' ? value + 1 : value);
	snprintf(what, sizeof(what), "%s%s%s", option->what,
		 option->env ? "; or variable " : "", option->env ?: "");
	print_row(word, COLUMN, what);
}

static struct json_object *describe(const struct command_call *call);

static struct json_object *describe_options(const struct command_call *call)
{
	struct json_object *list = json_object_new_array(), *one;
	const struct command_option *option;
	size_t i;

	for (i = 0; (option = command_option(call, i)); i++) {
		char letter[2] = { command_letter(call, option) };

		one = json_object_new_object();
		member_add_text(one, "name", option->name);
		member_add_text(one, "letter", letter);
		member_add_text(one, "value", option->value);
		member_add_text(one, "what", option->what);
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *describe_commands(const struct command_call *call)
{
	const struct command *const *one = call->command->commands;
	struct json_object *list = json_object_new_array();
	struct command_call inner;

	for (; one && *one; one++) {
		inner = *call;
		if (command_enter(&inner, (*one)->name))
			json_object_array_add(list, describe(&inner));
	}
	return list;
}

static struct json_object *describe(const struct command_call *call)
{
	struct json_object *one = json_object_new_object();

	member_add_text(one, "name", call->command->name);
	member_add_text(one, "argument", call->command->argument);
	member_add_text(one, "what", call->command->what);
	json_object_object_add(one, "options", describe_options(call));
	json_object_object_add(one, "commands", describe_commands(call));
	return one;
}

static void print_text(const struct command_call *call)
{
	const struct command *const *one = call->command->commands;
	const struct command_option *option;
	size_t i;

	help_print_synopsis(stdout, call);
	printf("\n%s\n", call->command->what);
	if (one)
		printf("\ncommands:\n");
	for (; one && *one; one++)
		print_row((*one)->name, call->depth > 1 ? 14 : 10, (*one)->what);
	printf("\noptions:\n");
	for (i = 0; (option = command_option(call, i)); i++)
		if (option->what)
			print_option(call, option);
}

int help_print(const struct command_call *call)
{
	if (command_wants_json(call))
		command_print_json(describe(call));
	else
		print_text(call);
	return CLI_DONE;
}

void help_print_usage(const struct command_call *call)
{
	const struct command_option *option;
	size_t i;

	printf("usage: %s", call->name);
	for (i = 0; (option = command_option(call, i)); i++) {
		if (!option->what)
			continue;
		if (option->letter && option->letter != '?')
			printf(" [-%c|--%s", option->letter, option->name);
		else
			printf(" [--%s", option->name);
		if (option->value)
			printf("%s=%s", *option->value == '[' ? "[" : "",
			       option->value + (*option->value == '['));
		putchar(']');
	}
	if (call->command->commands)
		printf(" COMMAND ...");
	else if (call->command->argument)
		printf(" %s", call->command->argument);
	putchar('\n');
}

int help_print_version(const struct command_call *call)
{
	if (command_wants_json(call))
		command_print_member("version", MPU_VERSION);
	else
		puts(call->program->version);
	return CLI_DONE;
}

const char *help_suggest(const struct command_call *call, const char *word, char text[64])
{
	const char *dashes = *word == '-' ? "--" : "", *names[COMMAND_OPTIONS], *nearest = NULL;
	const struct command *const *commands = call->command->commands;
	const struct command_option *option;
	char typed[64];
	size_t n = 0;

	snprintf(typed, sizeof(typed), "%.*s", (int)strcspn(word, "="), word);
	while (*dashes && n < COMMAND_OPTIONS && (option = command_option(call, n)))
		names[n++] = option->name;
	while (!*dashes && n < COMMAND_OPTIONS && commands && commands[n]) {
		names[n] = commands[n]->name;
		n++;
	}
	if (call->program->style == PROGRAM_MPU)
		nearest = choices_nearest(names, n, typed + strspn(typed, "-"));
	snprintf(text, 64, "%s%s%s%s", nearest ? " (did you mean '" : "",
		 nearest ? dashes : "", nearest ?: "", nearest ? "'?)" : "");
	return text;
}

static int run_help(const struct command_call *call)
{
	struct command_call named;
	char text[64];
	size_t i;

	command_begin(&named, call->program);
	for (i = 0; i < call->n_words; i++)
		if (!command_enter(&named, call->words[i]))
			return command_fail(call, CLI_USAGE,
				"there is no command '%s'%s; see '%s --help'", call->words[i],
				help_suggest(&named, call->words[i], text), named.name);
	named.given = call->given;
	named.n_given = call->n_given;
	return help_print(&named);
}

const struct command command_help = {
	.name = "help", .argument = "[COMMAND...]", .run = run_help,
	.what = "explain one command, or list all",
};

const struct command command_version = {
	.name = "version", .run = help_print_version, .what = "print the version",
};
