// SPDX-License-Identifier: GPL-2.0-only
/*
 * How mpu answers: text or JSON, errors, and help printed from the tables.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/tool.h"

enum cli_exit cli_fail(const struct cli *cli, enum cli_exit status,
		       const char *fmt, ...)
{
	struct json_object *answer;
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!cli->json) {
		fprintf(stderr, "mpu%s%s: %s\n", cli->command ? " " : "",
			cli->command ? cli->command->name : "", text);
		return status;
	}
	answer = json_object_new_object();
	member_add_text(answer, "error", text);
	cli_print_json(answer);
	return status;
}

void cli_print_json(struct json_object *answer)
{
	puts(json_object_to_json_string_ext(answer,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
		JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(answer);
}

static void print_option(const struct cli_option_row *row)
{
	tool_print_option(row->name, row->letter, row->value, row->what);
}

static void print_command(const struct cli_command *command)
{
	const char *argument = command->argument ? command->argument : "";
	bool must = strstr(argument, "...");
	int i;

	printf("usage: mpu %s [OPTION]...%s%s%s\n\n%s\n\noptions:\n",
	       command->name, must ? " " : *argument ? " [" : "", argument,
	       must || !*argument ? "" : "]", command->what);
	for (i = 0; i < OPTIONS; i++)
		if (command->options & (1u << i))
			print_option(&cli_options[i]);
}

static void print_commands(void)
{
	const struct cli_command *command;
	int i;

	printf("usage: mpu COMMAND [OPTION]...\n\n"
	       "Containers see their own GPU processes, by their own PIDs.\n\n"
	       "commands:\n");
	for (command = cli_commands; command->name; command++)
		printf("  %-10s %s\n", command->name, command->what);
	printf("\noptions:\n");
	for (i = 0; i < OPTIONS; i++)
		print_option(&cli_options[i]);
	printf("\nexit status: 0 done, 1 failed, 2 wrong usage, 3 the answer is no\n");
}

static struct json_object *describe_options(unsigned int options)
{
	struct json_object *list = json_object_new_array();
	int i;

	for (i = 0; i < OPTIONS; i++) {
		const struct cli_option_row *row = &cli_options[i];
		struct json_object *one;
		char letter[2] = { row->letter, '\0' };

		if (!(options & (1u << i)))
			continue;
		one = json_object_new_object();
		member_add_text(one, "name", row->name);
		member_add_text(one, "letter", letter);
		member_add_text(one, "value", row->value);
		member_add_text(one, "what", row->what);
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *describe_tool_options(const struct tool_option *option)
{
	struct json_object *list = json_object_new_array();

	for (; option && option->name; option++) {
		struct json_object *one = json_object_new_object();
		char letter[2] = { option->letter, '\0' };

		member_add_text(one, "name", option->name);
		member_add_text(one, "letter", letter);
		member_add_text(one, "value", option->value);
		member_add_text(one, "what", option->what);
		json_object_array_add(list, one);
	}
	return list;
}

/* @object: receives the members "options" and "commands". */
static void describe_tool(struct json_object *object,
			  const struct tool_command *command)
{
	struct json_object *list = json_object_new_array();
	const struct tool_command *inner;

	json_object_object_add(object, "options",
			       describe_tool_options(command->options));
	for (inner = command->commands; inner && inner->name; inner++) {
		struct json_object *one = json_object_new_object();

		member_add_text(one, "name", inner->name);
		member_add_text(one, "argument", inner->argument);
		member_add_text(one, "what", inner->what);
		describe_tool(one, inner);
		json_object_array_add(list, one);
	}
	json_object_object_add(object, "commands", list);
}

static struct json_object *describe(const struct cli_command *command)
{
	struct json_object *one = json_object_new_object();

	member_add_text(one, "name", command->name);
	member_add_text(one, "argument", command->argument);
	member_add_text(one, "what", command->what);
	member_add_bool(one, "tool", command->tool);
	if (command->tool)
		describe_tool(one, &command->tool->top);
	else
		json_object_object_add(one, "options",
				       describe_options(command->options));
	return one;
}

static void print_tool(const struct tool *tool)
{
	char name[] = "mpu", help[] = "--help";
	char *words[] = { name, help, NULL };

	tool_main(tool, words);
}

void cli_help(const struct cli *cli, const struct cli_command *command)
{
	struct json_object *answer, *list;

	if (!cli->json && command && command->tool) {
		print_tool(command->tool);
	} else if (!cli->json && command) {
		print_command(command);
	} else if (!cli->json) {
		print_commands();
	} else if (command) {
		cli_print_json(describe(command));
	} else {
		answer = json_object_new_object();
		list = json_object_new_array();
		for (command = cli_commands; command->name; command++)
			json_object_array_add(list, describe(command));
		json_object_object_add(answer, "commands", list);
		cli_print_json(answer);
	}
}
